import { MantineProvider } from '@mantine/core';
import { fireEvent, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { describe, expect, it } from 'vitest';
import { readArguments } from '../model/form/arguments';
import { prepareSchema } from '../model/form/schema';
import { type JsonObject, writeJsonCompact } from '../model/text/json';
import { SchemaForm } from './SchemaForm';

/** A form for one property `x`, and its last value as JSON text. */
function formOf(
  schema: JsonObject,
  given: object = {},
): { text: () => string; replace: (value: object) => void } {
  const form = prepareSchema(JSON.stringify({ type: 'object', properties: { x: schema } }));
  let last = JSON.stringify(given);
  function Form({ of }: { of: string }) {
    const [edited, setEdited] = useState({ of, text: of });
    const text = edited.of === of ? edited.text : of;
    const state = readArguments(text);
    const write = (written: string): void => {
      last = written;
      setEdited({ of, text: written });
    };
    if (form.type !== 'form' || state.type !== 'object') throw new Error('no form');
    return (
      <MantineProvider env="test">
        <SchemaForm schema={form.schema} value={state.value} problems={[]} onText={write} />
      </MantineProvider>
    );
  }
  const { rerender } = render(<Form of={last} />);
  return {
    replace: (value) => {
      last = JSON.stringify(value);
      rerender(<Form of={last} />);
    },
    text: () => {
      const state = readArguments(last);
      return state.type === 'object' ? writeJsonCompact(state.value) : last;
    },
  };
}

const user = userEvent.setup();
const typeOf = (label: string): string =>
  screen.getByRole<HTMLInputElement>('combobox', { name: `Type of ${label}` }).value;
const number = { type: 'number' };
const string = { type: 'string' };

describe('a number or a string', () => {
  it.each(['1.5', '-5', '1e-3', '-0.25'])(
    'has the focus until %s is typed, and is a number',
    async (typed) => {
      const { text } = formOf({ anyOf: [number, string] });
      const field = screen.getByRole('textbox', { name: 'x' });
      await user.click(field);
      await user.keyboard(typed);
      expect([document.activeElement === field, text()]).toEqual([true, `{"x":${typed}}`]);
      expect(typeOf('x')).toBe('number');
    },
  );

  it('has the focus while a text is typed, and is shown as a string when the field is left', async () => {
    const { text } = formOf({ type: ['number', 'string'] });
    await user.click(screen.getByRole('textbox', { name: 'x' }));
    await user.keyboard('1.x');
    expect(text()).toBe('{"x":"1.x"}');
    await user.tab();
    expect([typeOf('x'), text()]).toEqual(['string', '{"x":"1.x"}']);
  });

  it('keeps a text of digits a text', async () => {
    const { text } = formOf({ anyOf: [number, string] }, { x: 'a' });
    const field = screen.getByRole('textbox', { name: 'x' });
    await user.type(field, '{Backspace}12');
    expect([document.activeElement === field, text()]).toEqual([true, '{"x":"12"}']);
  });

  it('shows the type of another value that takes its place', async () => {
    formOf({ type: 'array', items: { anyOf: [number, string] } }, { x: [1, 'a'] });
    await user.type(screen.getByRole('textbox', { name: 'Item 1' }), '2');
    expect([typeOf('Item 1'), typeOf('Item 2')]).toEqual(['number', 'string']);
    fireEvent.click(screen.getByRole('button', { name: 'Remove item 1' }));
    expect(typeOf('Item 1')).toBe('string');
  });
});

describe('the alternative that is shown', () => {
  const object = (name: string, required: string[], path: JsonObject = string) => ({
    type: 'object',
    title: name,
    properties: { [name]: string, path },
    required,
  });
  async function choose(name: string): Promise<void> {
    await user.click(screen.getByRole('combobox', { name: 'Type of x' }));
    await user.click(await screen.findByRole('option', { name }));
  }

  it('is the chosen one of two objects after the field is left', async () => {
    const { text } = formOf({ anyOf: [object('first', []), object('second', ['second'])] });
    await choose('second');
    await user.type(screen.getByRole('textbox', { name: 'path' }), '/');
    await user.click(document.body);
    expect([typeOf('x'), text()]).toEqual(['second', '{"x":{"path":"/"}}']);
  });

  it('is that of a value that takes the place of the one it was chosen for', async () => {
    const { replace } = formOf({ anyOf: [object('first', ['first']), object('second', ['second'])] });
    await choose('second');
    expect(typeOf('x')).toBe('second');
    replace({ x: { first: 'a' } });
    expect(typeOf('x')).toBe('first');
  });

  it('stays chosen beside the properties that all of them have', async () => {
    const shared = { type: 'object', properties: { name: string } };
    const { text, replace } = formOf({ ...shared, anyOf: [object('first', []), object('second', [])] });
    await choose('second');
    await user.type(screen.getByRole('textbox', { name: 'name' }), 'b');
    expect([typeOf('x'), text()]).toEqual(['second', '{"x":{"name":"b"}}']);
    replace({ x: { first: 'a' } });
    expect(typeOf('x')).toBe('first');
  });

  it('is the chosen one after a value of another one was typed', async () => {
    formOf({ anyOf: [string, number] });
    await choose('number');
    await user.type(screen.getByRole('textbox', { name: 'x' }), '1.x');
    await user.click(document.body);
    expect(typeOf('x')).toBe('number');
  });

  it('is that of an object which fits another one once it was edited', async () => {
    const kinds = [object('first', ['first'], { ...string, pattern: '^.$' }), object('second', ['path'])];
    formOf({ anyOf: kinds }, { x: { first: 'a' } });
    expect(typeOf('x')).toBe('first');
    await user.type(screen.getByRole('textbox', { name: 'path' }), '//');
    await user.click(document.body);
    expect(typeOf('x')).toBe('first');
  });
});

it('a property that is added to a map has no name that the schema declares', async () => {
  const key = { ...string, title: 'Declared' };
  const { text } = formOf({ type: 'object', properties: { key }, additionalProperties: string });
  await user.click(screen.getByRole('button', { name: 'Add property' }));
  expect(text()).toBe('{"x":{"key2":""}}');
});
