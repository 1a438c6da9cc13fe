import { MantineProvider } from '@mantine/core';
import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useEffect, useState } from 'react';
import { describe, expect, it } from 'vitest';
import { readArguments } from '../model/form/arguments';
import { prepareSchema } from '../model/form/schema';
import { SchemaForm } from './SchemaForm';

const user = userEvent.setup();
const focus = () => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent;
const press = (name: string) => user.click(screen.getByRole('button', { name }));

/** Shows an array in a form; returns the text that the form has now. */
function show(x: unknown[], items: object = { type: 'string' }): () => string {
  const array = { type: 'array', items };
  const form = prepareSchema(JSON.stringify({ type: 'object', properties: { x: array } }));
  let now = JSON.stringify({ x });
  function Form() {
    const [text, setText] = useState(now);
    useEffect(() => {
      now = text;
    });
    const state = readArguments(text);
    if (form.type !== 'form' || state.type !== 'object') throw new Error('no form');
    return <SchemaForm schema={form.schema} value={state.value} problems={[]} onText={setText} />;
  }
  render(<Form />, { wrapper: ({ children }) => <MantineProvider env="test">{children}</MantineProvider> });
  return () => now.replaceAll(/\s/g, '');
}

describe('a select with several values', () => {
  it.each([
    ['null', ['a', 'b', null], [null], 'b', '{"x":[null,"b"]}'],
    ['null, when it is chosen', ['a', 'b', null], ['a'], 'null', '{"x":["a",null]}'],
    ['a choice that is an array', [[1, 2], [3]], [[1, 2]], '[3]', '{"x":[[1,2],[3]]}'],
  ])('keeps %s', async (_, values, given, chosen, expected) => {
    const text = show(given, { enum: values });
    await user.click(screen.getByRole('combobox', { name: 'x' }));
    await user.click(screen.getByRole('option', { name: chosen, hidden: true }));
    expect(text()).toBe(expected);
  });
});

describe('the focus', () => {
  it('goes with an item that is moved, also to an end of the list', async () => {
    show(['a', 'b', 'c']);
    await press('Move down item 1');
    expect(focus()).toBe('Move down item 2');
    await user.keyboard('{Enter}');
    expect(focus()).toBe('Move up item 3');
    await user.keyboard('{Enter}{Enter}');
    expect(focus()).toBe('Move down item 1');
  });

  it('goes with an item that is moved among equal ones, and stays in a field after that', async () => {
    show(['a', 'a']);
    await press('Move down item 1');
    expect(focus()).toBe('Move up item 2');
    await user.keyboard('{Enter}');
    expect(focus()).toBe('Move down item 1');
    const field = screen.getAllByRole('textbox')[0];
    if (field === undefined) throw new Error('no field');
    await user.type(field, 'bc');
    expect(screen.getAllByRole('textbox').map((one) => (one as HTMLInputElement).value)).toEqual([
      'abc',
      'a',
    ]);
    expect(document.activeElement).toBe(field);
  });

  it('stays in the list when items are removed', async () => {
    show(['a', 'b']);
    await press('Remove item 2');
    expect(focus()).toBe('Remove item 1');
    await user.keyboard('{Enter}');
    expect(focus()).toBe('Add item');
  });
});
