import { MantineProvider } from '@mantine/core';
import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { describe, expect, it } from 'vitest';
import { readArguments } from '../model/form/arguments';
import { prepareSchema } from '../model/form/schema';
import { SchemaForm } from './SchemaForm';

/** A form for a map, and its last text. */
function mapOf(given: object): { text: () => string } {
  const form = prepareSchema(JSON.stringify({ type: 'object', additionalProperties: { type: 'string' } }));
  let last = JSON.stringify(given);
  function Form() {
    const [text, setText] = useState(last);
    const state = readArguments(text);
    const write = (written: string): void => {
      last = written;
      setText(written);
    };
    if (form.type !== 'form' || state.type !== 'object') throw new Error('no form');
    return (
      <MantineProvider env="test">
        <SchemaForm schema={form.schema} value={state.value} problems={[]} onText={write} />
      </MantineProvider>
    );
  }
  render(<Form />);
  return { text: () => JSON.stringify(JSON.parse(last)) };
}

const user = userEvent.setup();
const names = (): HTMLInputElement[] => screen.getAllByRole('textbox', { name: 'Property name' });
const shown = (): string[] => names().map((input) => input.value);

/** Types a name in place of that of a member. */
async function rename(index: number, keys: string): Promise<void> {
  await user.clear(names()[index]!);
  await user.type(names()[index]!, keys);
}

describe('the name of a member', () => {
  it('is changed when the field is left, or with Enter, which keeps the focus', async () => {
    const { text } = mapOf({ a: '1', b: '2' });
    await rename(1, 'c');
    expect(text()).toBe('{"a":"1","b":"2"}');
    await user.tab();
    expect(text()).toBe('{"a":"1","c":"2"}');
    await rename(0, 'd{Enter}');
    expect(text()).toBe('{"d":"1","c":"2"}');
    expect([document.activeElement, shown()]).toEqual([names()[0], ['d', 'c']]);
  });

  it.each([['{Enter}'], ['{Tab}']])('that is taken is refused with a reason, at %s', async (key) => {
    const { text } = mapOf({ a: '1', b: '2' });
    await rename(1, `a${key}`);
    expect([shown(), text()]).toEqual([['a', 'b'], '{"a":"1","b":"2"}']);
    expect(screen.getByText('a already exists')).toBeTruthy();
    await rename(1, 'c{Enter}');
    expect([shown(), text()]).toEqual([['a', 'c'], '{"a":"1","c":"2"}']);
    expect(screen.queryByText('a already exists')).toBeNull();
  });

  it('is not shown by the member that takes the place of a removed one', async () => {
    const { text } = mapOf({});
    const add = () => user.click(screen.getByRole('button', { name: 'Add property' }));
    await add();
    await rename(0, 'foo{Enter}');
    await add();
    await user.click(screen.getByRole('button', { name: 'Remove foo' }));
    expect(shown()).toEqual(['key']);
    await user.click(names()[0]!);
    await user.tab();
    expect([shown(), text()]).toEqual([['key'], '{"key":""}']);
  });
});
