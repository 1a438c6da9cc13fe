import { MantineProvider } from '@mantine/core';
import { fireEvent, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { prepareSchema } from '../../model/form/schema';
import { SchemaForm } from '../SchemaForm';

/** The height of a field, in pixels. */
const HEIGHT = 40;

/** Lays the fields out below each other, in an element that scrolls: there is no layout in these tests. */
beforeEach(() => {
  vi.spyOn(Element.prototype, 'getBoundingClientRect').mockImplementation(function (this: Element) {
    const scrolled = this.closest('[data-testid="scroller"]')?.scrollTop ?? 0;
    const fields = [...document.querySelectorAll('[data-field]')];
    const above = fields.findIndex((field) => field.contains(this));
    return new DOMRect(0, above * HEIGHT - scrolled, 100, HEIGHT);
  });
  vi.spyOn(Element.prototype, 'scrollHeight', 'get').mockImplementation(function (this: Element) {
    return this.querySelectorAll('[data-field]').length * HEIGHT;
  });
});

afterEach(() => vi.restoreAllMocks());

function show() {
  const properties = Object.fromEntries(
    Array.from({ length: 130 }, (_, at) => [`p${at}`, { type: 'string' }]),
  );
  const form = prepareSchema(JSON.stringify({ properties }));
  if (form.type !== 'form') throw new Error(form.reason);
  const problems = [{ pointer: '/p129', message: 'is required', missing: true }];
  render(
    <MantineProvider env="test">
      <div data-testid="scroller" style={{ overflowY: 'auto' }}>
        <SchemaForm schema={form.schema} value={{}} problems={problems} onText={() => {}} />
      </div>
    </MantineProvider>,
  );
  const scroller = screen.getByTestId('scroller');
  const fields = () => document.querySelectorAll('[data-field]').length;
  const field = (name: string) =>
    document.querySelector<HTMLElement>(`[data-field="/${name}"] :is(input, textarea)`)!;
  return { scroller, fields, field };
}

describe('while fields come into view', () => {
  it('the field that is edited stays where it is', async () => {
    const { scroller, fields, field } = show();
    const find = screen.getByRole('textbox', { name: 'Search fields of Arguments' });
    fireEvent.change(find, { target: { value: 'p129' } });
    await waitFor(() => expect(fields()).toBe(1));
    field('p129').focus();
    const before = field('p129').getBoundingClientRect().top;
    fireEvent.change(find, { target: { value: '' } });
    await waitFor(() => expect(fields()).toBe(101));
    expect(field('p129').getBoundingClientRect().top).toBe(before);
    expect(scroller.scrollTop).toBe(100 * HEIGHT);
  });

  it('those below a button that asked for them are not scrolled past', async () => {
    const { scroller, fields } = show();
    await waitFor(() => expect(fields()).toBe(101));
    const before = scroller.scrollTop;
    await userEvent.setup().click(screen.getByRole('button', { name: 'Show more (130 fields in total)' }));
    expect(fields()).toBe(130);
    expect(scroller.scrollTop).toBe(before);
  });
});
