import { MantineProvider } from '@mantine/core';
import { fireEvent, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useRef, useState } from 'react';
import { expect, it } from 'vitest';
import { SchemaForm } from '../../../forms/SchemaForm';
import { readArguments } from '../../../model/form/arguments';
import { prepareSchema } from '../../../model/form/schema';
import { useRunKey } from './useRunKey';

/** A form for a map of texts, and the arguments of each run, which Ctrl-Enter starts. */
function runsOf(given: object): string[] {
  const form = prepareSchema(JSON.stringify({ type: 'object', additionalProperties: { type: 'string' } }));
  const runs: string[] = [];
  function Pane() {
    const [text, setText] = useState(JSON.stringify(given));
    const root = useRef<HTMLDivElement>(null);
    useRunKey(root, () => runs.push(JSON.stringify(JSON.parse(text))));
    const state = readArguments(text);
    if (form.type !== 'form' || state.type !== 'object') throw new Error('no form');
    return (
      <div data-run-scope>
        <div ref={root}>
          <SchemaForm schema={form.schema} value={state.value} problems={[]} onText={setText} />
        </div>
      </div>
    );
  }
  render(<Pane />, { wrapper: ({ children }) => <MantineProvider env="test">{children}</MantineProvider> });
  return runs;
}

const user = userEvent.setup();

it('runs with the name of a member as it was typed', async () => {
  const runs = runsOf({ a: '1', b: '2' });
  const name = screen.getAllByRole('textbox', { name: 'Property name' })[1]!;
  await user.clear(name);
  await user.type(name, 'c{Control>}{Enter}{/Control}');
  expect(runs).toEqual(['{"a":"1","c":"2"}']);
});

it('runs once while the keys are held', () => {
  const runs = runsOf({ a: '1' });
  const field = screen.getAllByRole('textbox', { name: 'Property name' })[0]!;
  expect(fireEvent.keyDown(field, { key: 'Enter', ctrlKey: true, repeat: true })).toBe(false);
  expect(runs).toEqual([]);
  fireEvent.keyDown(field, { key: 'Enter', ctrlKey: true });
  expect(runs).toHaveLength(1);
});

it('does not run with another name than the one that was typed', async () => {
  const runs = runsOf({ a: '1', b: '2' });
  const name = screen.getAllByRole('textbox', { name: 'Property name' })[1]!;
  await user.clear(name);
  await user.type(name, 'a{Control>}{Enter}{/Control}');
  expect(screen.getByText('a already exists')).toBeTruthy();
  expect(runs).toEqual([]);
});
