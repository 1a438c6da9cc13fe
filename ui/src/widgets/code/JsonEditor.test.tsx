import { EditorView } from '@codemirror/view';
import { render, screen, waitFor } from '@testing-library/react';
import { beforeEach, expect, it } from 'vitest';
import { JsonEditor } from './JsonEditor';
import type { JsonMark } from './jsonMarks';

beforeEach(() => {
  // CodeMirror measures text, which jsdom cannot.
  Range.prototype.getClientRects = () => [] as unknown as DOMRectList;
  Range.prototype.getBoundingClientRect = () => new DOMRect();
});

function editor(value: string, marks: readonly JsonMark[] = []) {
  return <JsonEditor value={value} onChange={() => {}} label="Arguments" marks={marks} />;
}

const marked = (): (string | null)[] =>
  [...document.querySelectorAll('.cm-lintRange-error')].map(({ textContent }) => textContent);

it('marks that come long after the text are drawn, and drawn again when they change', async () => {
  const { rerender } = render(editor('{"a":"x",'));
  // The text has been checked once its own error is marked.
  await waitFor(() => expect(marked()).not.toEqual([]));
  rerender(editor('{"a":"x","b":1}'));
  const view = EditorView.findFromDOM(screen.getByRole('textbox', { name: 'Arguments' }));
  expect(view?.state.doc.toString()).toBe('{"a":"x","b":1}');
  await waitFor(() => expect(marked()).toEqual([]));
  rerender(editor('{"a":"x","b":1}', [{ pointer: '/a', message: 'must be a number' }]));
  await waitFor(() => expect(marked()).toEqual(['"x"']));
  rerender(editor('{"a":"x","b":1}', [{ pointer: '/b', message: 'must be a text' }]));
  await waitFor(() => expect(marked()).toEqual(['1']));
  rerender(editor('{"a":"x","b":1}'));
  await waitFor(() => expect(marked()).toEqual([]));
});
