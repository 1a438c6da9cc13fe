import { EditorView } from '@codemirror/view';
import { act, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { useLayoutEffect, useState } from 'react';
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

function viewOf(label: string): EditorView {
  const view = EditorView.findFromDOM(screen.getByRole('textbox', { name: label }));
  if (view === null) throw new Error(`${label} is no editor`);
  return view;
}

/** Types at the end, as the editor itself does it. */
function type(view: EditorView, text: string): void {
  const end = view.state.doc.length;
  view.dispatch({
    changes: { from: end, insert: text },
    selection: { anchor: end + text.length },
    userEvent: 'input.type',
  });
}

const marked = (): (string | null)[] =>
  [...document.querySelectorAll('.cm-lintRange-error')].map(({ textContent }) => textContent);

it('marks that come long after the text are drawn, and drawn again when they change', async () => {
  const { rerender } = render(editor('{"a":"x",'));
  // The text has been checked once its own error is marked.
  await waitFor(() => expect(marked()).not.toEqual([]));
  rerender(editor('{"a":"x","b":1}'));
  expect(viewOf('Arguments').state.doc.toString()).toBe('{"a":"x","b":1}');
  await waitFor(() => expect(marked()).toEqual([]));
  rerender(editor('{"a":"x","b":1}', [{ pointer: '/a', message: 'must be a number' }]));
  await waitFor(() => expect(marked()).toEqual(['"x"']));
  rerender(editor('{"a":"x","b":1}', [{ pointer: '/b', message: 'must be a text' }]));
  await waitFor(() => expect(marked()).toEqual(['1']));
  rerender(editor('{"a":"x","b":1}'));
  await waitFor(() => expect(marked()).toEqual([]));
});

it('keeps a key that is typed right after its owner has drawn the key before', () => {
  function Owner() {
    const [text, setText] = useState('');
    useLayoutEffect(() => {
      if (text === '[') type(viewOf('Answer'), '1');
    }, [text]);
    return <JsonEditor value={text} onChange={setText} label="Answer" />;
  }
  render(<Owner />);
  act(() => type(viewOf('Answer'), '['));
  expect(viewOf('Answer').state.doc.toString()).toBe('[1');
});

it('accepts a suggestion with an Enter that follows the last letter at once', async () => {
  const suggestions = {
    names: () => [{ text: 'message' }, { text: 'method' }],
    values: () => [],
  };
  render(<JsonEditor value="" onChange={() => {}} label="Arguments" suggestions={suggestions} />);
  const view = viewOf('Arguments');
  type(view, '{"me');
  await waitFor(() => expect(document.querySelectorAll('.cm-completionLabel')).toHaveLength(2));
  // A list that has just come does not take an Enter that was meant for the text.
  await new Promise((resolve) => setTimeout(resolve, 100));
  type(view, 't');
  fireEvent.keyDown(view.contentDOM, { key: 'Enter' });
  expect(view.state.doc.toString()).toBe('{"method": ');
});
