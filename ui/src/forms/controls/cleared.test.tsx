import { EditorView } from '@codemirror/view';
import { MantineProvider } from '@mantine/core';
import { act, fireEvent, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { describe, expect, it } from 'vitest';
import { readArguments } from '../../model/form/arguments';
import { type Validation, compileCheck } from '../../model/form/check/validate';
import { prepareSchema } from '../../model/form/schema';
import type { JsonObject } from '../../model/text/json';
import { SchemaForm } from '../SchemaForm';

/** A form for one property `x`, checked as it is in the panels, and the text it has last written. */
function formOf(schema: JsonObject, given = {}): { text: () => string } {
  return wholeFormOf({ type: 'object', properties: { x: schema } }, given);
}

function wholeFormOf(root: JsonObject, given = {}): { text: () => string } {
  const form = prepareSchema(JSON.stringify(root));
  const check = compileCheck(root);
  let last = JSON.stringify(given);
  function Form() {
    const [text, setText] = useState(last);
    const state = readArguments(text);
    const write = (written: string) => {
      last = written;
      setText(written);
    };
    if (form.type !== 'form' || state.type !== 'object') throw new Error('no form');
    return (
      <MantineProvider env="test">
        <SchemaForm
          schema={form.schema}
          value={state.value}
          problems={problemsOf(check(state.value))}
          onText={write}
        />
      </MantineProvider>
    );
  }
  render(<Form />);
  return { text: () => JSON.stringify(JSON.parse(last)) };
}

const problemsOf = (found: Validation) => (found.type === 'checked' ? found.problems : []);

const user = userEvent.setup();
const press = (name: string): void => void fireEvent.click(screen.getByRole('button', { name }));
const focus = (): HTMLInputElement => document.activeElement as HTMLInputElement;
const errors = (): string[] => [...document.querySelectorAll('[data-errors]')].map((one) => one.textContent);

/** Replaces the text of the only JSON editor. */
function writeJson(text: string): void {
  const view = EditorView.findFromDOM(document.querySelector<HTMLElement>('.cm-editor')!)!;
  act(() => view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text } }));
}

/** Chooses the type of a value. */
async function choose(of: string, type: string): Promise<void> {
  await user.click(screen.getByRole('combobox', { name: `Type of ${of}` }));
  await user.click(screen.getByRole('option', { name: type }));
}

describe('a number that is cleared', () => {
  it('stays as an item, is a problem while it is empty, and is filled in again', async () => {
    const { text } = formOf({ type: 'array', title: 'scores', items: { type: 'number' } });
    press('Add item');
    const field = focus();
    expect([text(), field.value]).toEqual(['{"x":[0]}', '0']);
    await user.keyboard('{Backspace}');
    expect([text(), focus() === field, field.value]).toEqual(['{"x":[""]}', true, '']);
    expect(errors()).toHaveLength(1);
    const described = field.getAttribute('aria-describedby');
    expect(document.getElementById(described ?? '')?.textContent).toBe(errors()[0]);
    await user.keyboard('12');
    expect([text(), focus() === field, errors()]).toEqual(['{"x":[12]}', true, []]);
    expect(field.hasAttribute('aria-describedby')).toBe(false);
    press('Remove item 1');
    expect(text()).toBe('{"x":[]}');
  });

  it('stays in the middle of an array, instead of becoming null', async () => {
    const { text } = formOf({ type: 'array', items: { type: 'number' } }, { x: [1, 2, 3] });
    await user.clear(screen.getByRole('textbox', { name: 'Item 2' }));
    expect(text()).toBe('{"x":[1,"",3]}');
  });

  it('stays as a member of a map, until it is removed', async () => {
    const { text } = formOf(
      { type: 'object', additionalProperties: { type: 'number' } },
      { x: { width: 0 } },
    );
    await user.clear(screen.getByRole('textbox', { name: 'width' }));
    expect(text()).toBe('{"x":{"width":""}}');
    await user.keyboard('12');
    expect(text()).toBe('{"x":{"width":12}}');
    press('Remove width');
    expect(text()).toBe('{}');
  });

  it('is not sent as a property', async () => {
    const { text } = formOf({ type: 'number' }, { x: 7 });
    await user.clear(screen.getByRole('textbox', { name: 'x' }));
    expect(text()).toBe('{}');
  });
});

describe('JSON that is cleared', () => {
  const broken = () => screen.queryByText('Not valid JSON. The last valid value is sent.');

  it.each([
    ['an item', { type: 'array', items: {} }, '{"x":[""]}', '{"x":[12]}'],
    [
      'a member that the schema does not name',
      { type: 'object', properties: { b: { type: 'boolean' } }, additionalProperties: true },
      '{"x":{"a":""}}',
      '{"x":{"a":12}}',
    ],
  ])('keeps %s with its last value, and says so', (_, schema, before, after) => {
    const { text } = formOf(schema, JSON.parse(before) as object);
    writeJson('');
    expect([text(), broken()]).toEqual([before, expect.anything()]);
    writeJson('12');
    expect([text(), broken()]).toEqual([after, null]);
  });

  it('is not sent as a property', () => {
    const { text } = formOf({}, { x: 7 });
    writeJson('');
    expect([text(), broken()]).toEqual(['{}', null]);
  });

  it('is not sent as a property that had no value either, and says so', () => {
    const { text } = formOf({});
    writeJson('{');
    expect(text()).toBe('{}');
    expect(screen.getByRole('status').textContent).toBe('Not valid JSON. No value is sent.');
  });

  it('stays what it is while something else than an object is typed for the whole', () => {
    const { text } = wholeFormOf({ type: 'object', additionalProperties: true }, { a: 1 });
    writeJson('[');
    writeJson('[1]');
    expect(text()).toBe('{"a":1}');
    expect(screen.getByRole('status').textContent).toBe('Not a JSON object. The last valid value is sent.');
    writeJson('{"b":2}');
    expect([text(), screen.queryByRole('status')]).toEqual(['{"b":2}', null]);
  });
});

describe('a value of one of several types', () => {
  const either = { anyOf: [{ type: 'string' }, { type: 'number' }] };

  it('stays as an item when its type is changed, and when it is cleared then', async () => {
    const { text } = formOf({ type: 'array', items: either });
    press('Add item');
    expect(text()).toBe('{"x":[""]}');
    await choose('Item 1', 'number');
    expect(text()).toBe('{"x":[0]}');
    await user.clear(screen.getByRole('textbox', { name: 'Item 1' }));
    expect(text()).toBe('{"x":[""]}');
    await user.keyboard('12');
    expect(text()).toBe('{"x":[12]}');
  });

  it('keeps its type when it is cleared, although an empty text is of another', async () => {
    const { text } = formOf({ type: 'array', items: either }, { x: [5] });
    await user.clear(screen.getByRole('textbox', { name: 'Item 1' }));
    await user.keyboard('12');
    expect(text()).toBe('{"x":[12]}');
  });

  it('is not sent as a property when its type is changed', async () => {
    const { text } = formOf(either, { x: 'a' });
    await choose('x', 'number');
    expect(text()).toBe('{}');
  });
});

describe('a problem of a value', () => {
  const described = (element: Element | null): string | undefined =>
    document.getElementById(element?.getAttribute('aria-describedby') ?? '')?.textContent;

  it('describes the JSON editor that shows it', () => {
    formOf({ type: 'boolean', title: 'x' }, { x: 'no' });
    expect(errors()).toHaveLength(1);
    expect(described(document.querySelector('.cm-content'))).toBe(errors()[0]);
  });

  it('describes a text that is too long for a field', () => {
    formOf({ type: 'string', pattern: '^b' }, { x: 'a'.repeat(30_000) });
    expect(errors()).toHaveLength(1);
    expect(described(screen.getByRole('group', { name: 'x' }))).toBe(errors()[0]);
  });
});
