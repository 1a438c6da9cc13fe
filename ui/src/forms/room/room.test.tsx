import { MantineProvider } from '@mantine/core';
import { fireEvent, render, screen, waitFor } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import type { Problem } from '../../model/form/check/validate';
import { prepareSchema } from '../../model/form/schema';
import { SchemaForm } from '../SchemaForm';

const members = (count: number, of: object) =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`p${at}`, of]));

function formOf(schema: object) {
  const form = prepareSchema(JSON.stringify(schema));
  if (form.type !== 'form') throw new Error(form.reason);
  return (problems: Problem[]) => (
    <MantineProvider env="test">
      <SchemaForm schema={form.schema} value={form.defaults} problems={problems} onText={() => {}} />
    </MantineProvider>
  );
}

function show(schema: object) {
  const { container } = render(formOf(schema)([]));
  return () => container.querySelectorAll('[data-field]').length;
}

describe('a form draws a bounded number of fields', () => {
  it.each([
    ['a schema that contains itself', { type: 'object', properties: members(40, { $ref: '#' }) }],
    ['objects in objects', { properties: members(40, { properties: members(40, { type: 'string' }) }) }],
    [
      'references that double',
      {
        properties: { x: { $ref: '#/$defs/l0' } },
        $defs: Object.fromEntries(
          Array.from({ length: 41 }, (_, at) => {
            const next = { $ref: `#/$defs/l${at + 1}` };
            return [`l${at}`, at === 40 ? {} : { type: 'object', properties: { a: next, b: next } }];
          }),
        ),
      },
    ],
    [
      'lists in a default',
      {
        properties: {
          x: {
            type: 'array',
            items: { type: 'array', items: { type: 'number' } },
            default: Array(100).fill(Array(100).fill(0)),
          },
        },
      },
    ],
  ])('of %s', (_, schema) => {
    expect(show(schema)()).toBeLessThanOrEqual(160);
  });

  it('and draws the others on request', () => {
    const fields = show({ properties: members(130, { type: 'string' }) });
    expect(fields()).toBe(100);
    fireEvent.click(screen.getByText('Show more (130 fields in total)'));
    expect(fields()).toBe(130);
  });

  it('and what is wrong beyond them, which stays when it is corrected', () => {
    const form = formOf({ properties: members(130, { type: 'string' }) });
    const { rerender } = render(form([]));
    const last = () => document.querySelector('[data-field="/p129"]');
    expect(last()).toBeNull();
    rerender(form([{ pointer: '/p129', message: 'is required', missing: true }]));
    expect(last()?.textContent).toContain('is required');
    rerender(form([]));
    expect(last()?.textContent).not.toContain('is required');
  });

  it('and finds a field of many by its name or title', async () => {
    const many = members(110, { type: 'boolean' });
    const fields = show({ properties: { ...many, odd: { type: 'string', title: 'The odd one' } } });
    const find = screen.getByRole('textbox', { name: 'Search fields of Arguments' });
    const look = (text: string) => fireEvent.change(find, { target: { value: text } });
    look('ODD ONE');
    await waitFor(() => expect(fields()).toBe(1));
    look('p109');
    await waitFor(() => expect(document.querySelector('[data-field="/p109"]')).not.toBeNull());
    expect(fields()).toBe(1);
    look('p109x');
    await waitFor(() => expect(fields()).toBe(0));
    expect(screen.getByText('No matching fields')).toBeDefined();
  });

  it('and at most a few hundred at once', () => {
    const fields = show({ properties: members(400, { type: 'null' }) });
    const press = (text: string | RegExp) => fireEvent.click(screen.getByText(text));
    for (let more = 0; more < 3; more += 1) press('Show more (400 fields in total)');
    expect(fields()).toBe(300);
    expect(document.querySelector('[data-field="/p399"]')).not.toBeNull();
    press(/^Show earlier fields \(100 /);
    expect(document.querySelector('[data-field="/p0"]')).not.toBeNull();
    expect(fields()).toBe(300);
  });

  it('and one with a problem wherever it is', () => {
    const form = prepareSchema(JSON.stringify({ properties: members(1_000, { type: 'string' }) }));
    if (form.type !== 'form') throw new Error(form.reason);
    const problems = [{ pointer: '/p900', message: 'is required', missing: true }];
    const { container } = render(
      <MantineProvider env="test">
        <SchemaForm schema={form.schema} value={{}} problems={problems} onText={() => {}} />
      </MantineProvider>,
    );
    const far = container.querySelector('[data-field="/p900"]');
    expect(far?.textContent).toContain('is required');
    // Those between it and the ones before are not drawn, and that is said.
    const gap = screen.getByRole('note');
    expect(gap.textContent).toMatch(/^8\d\d fields not shown$/);
    expect(gap.compareDocumentPosition(far!)).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
  });
});
