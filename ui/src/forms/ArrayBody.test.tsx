import { MantineProvider } from '@mantine/core';
import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { describe, expect, it } from 'vitest';
import { readArguments } from '../model/form/arguments';
import { prepareSchema } from '../model/form/schema';
import { SchemaForm } from './SchemaForm';

const user = userEvent.setup();
const focus = () => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent;
const press = (name: string) => user.click(screen.getByRole('button', { name }));

function show(x: string[]): void {
  const items = { type: 'array', items: { type: 'string' } };
  const form = prepareSchema(JSON.stringify({ type: 'object', properties: { x: items } }));
  function Form() {
    const [text, setText] = useState(JSON.stringify({ x }));
    const state = readArguments(text);
    if (form.type !== 'form' || state.type !== 'object') throw new Error('no form');
    return <SchemaForm schema={form.schema} value={state.value} problems={[]} onText={setText} />;
  }
  render(<Form />, { wrapper: ({ children }) => <MantineProvider env="test">{children}</MantineProvider> });
}

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
