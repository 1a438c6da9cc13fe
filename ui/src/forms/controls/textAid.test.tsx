import { MantineProvider } from '@mantine/core';
import { fireEvent, render, screen, waitFor } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, expect, it, vi } from 'vitest';
import { readArguments } from '../../model/form/arguments';
import { prepareSchema } from '../../model/form/schema';
import { SchemaForm } from '../SchemaForm';

/** A form for one property `x`, and the text it has last written. */
function formOf(schema: object): { text: () => string } {
  let last = '{}';
  function Form() {
    const [text, setText] = useState('{}');
    const form = prepareSchema(JSON.stringify({ type: 'object', properties: { x: schema } }));
    const state = readArguments(text);
    const write = (written: string) => {
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

/** The file that the person chooses in the dialog of the system. */
function willChoose(file: File): void {
  vi.spyOn(HTMLInputElement.prototype, 'click').mockImplementation(function choose(this: HTMLInputElement) {
    Object.defineProperty(this, 'files', { value: [file] });
    this.dispatchEvent(new Event('change'));
  });
}

afterEach(() => vi.restoreAllMocks());

it('a field for a moment writes the current one', () => {
  const { text } = formOf({ type: 'string', format: 'date-time' });
  fireEvent.click(screen.getByRole('button', { name: 'Now in x' }));
  const { x } = JSON.parse(text()) as { x: string };
  expect(x).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
  expect(Math.abs(Date.parse(x) - Date.now())).toBeLessThan(60_000);
});

it('a field for base64 takes the bytes of a file', async () => {
  const { text } = formOf({ type: 'string', contentEncoding: 'base64' });
  willChoose(new File([new Uint8Array([0, 255, 16])], 'a.bin'));
  fireEvent.click(screen.getByRole('button', { name: 'Choose a file for x' }));
  await waitFor(() => expect(text()).toBe('{"x":"AP8Q"}'));
});

it('a field for a data URL takes a file with its type; an empty file is an empty text', async () => {
  const { text } = formOf({ type: 'string', format: 'data-url' });
  willChoose(new File(['hi'], 'a.txt', { type: 'text/plain' }));
  fireEvent.click(screen.getByRole('button', { name: 'Choose a file for x' }));
  await waitFor(() => expect(text()).toBe('{"x":"data:text/plain;base64,aGk="}'));
});

it('a file that is too large is refused, and the field keeps its text', () => {
  const { text } = formOf({ type: 'string', contentEncoding: 'base64' });
  const file = new File(['x'], 'film.mp4');
  Object.defineProperty(file, 'size', { value: 17 * 1024 * 1024 });
  willChoose(file);
  fireEvent.click(screen.getByRole('button', { name: 'Choose a file for x' }));
  expect(screen.getByText(/^film\.mp4 is .*; a form accepts at most .*$/)).toBeDefined();
  expect(text()).toBe('{}');
});

it('any text may be typed into a field for a colour, and no other style is made of it', () => {
  const { text } = formOf({ type: 'string', format: 'color' });
  const field = screen.getByRole('textbox', { name: 'x' });
  fireEvent.change(field, { target: { value: 'url(https://a.invalid)' } });
  expect(text()).toBe('{"x":"url(https://a.invalid)"}');
  expect(document.body.innerHTML).not.toContain('background-color: url');
  expect(screen.getByRole('button', { name: 'Choose x' })).toBeDefined();
});
