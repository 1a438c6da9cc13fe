import { MantineProvider } from '@mantine/core';
import { act, render, screen, waitFor } from '@testing-library/react';
import { SearchQuery, findNext, openSearchPanel, setSearchQuery } from '@codemirror/search';
import { EditorView } from '@codemirror/view';
import { beforeEach, expect, it } from 'vitest';
import type { BodyId, TextBody } from '../../contract/generated';
import { ScriptedHost } from '../../host/scripted';
import { ModelProvider, createModel } from '../../model/workspace/context';
import { CodeView } from './CodeView';

beforeEach(() => {
  // CodeMirror measures text, which jsdom cannot.
  Range.prototype.getClientRects = () => [] as unknown as DOMRectList;
  Range.prototype.getBoundingClientRect = () => new DOMRect();
});

function show(host: ScriptedHost, body: TextBody, form: 'pretty' | 'raw') {
  return render(
    <MantineProvider>
      <ModelProvider model={createModel(host)}>
        <CodeView body={body} form={form} label="Answer" />
      </ModelProvider>
    </MantineProvider>,
  );
}

/** The whole text in the view, drawn or not. */
async function shown(): Promise<string> {
  const view = EditorView.findFromDOM(await screen.findByRole('textbox', { name: 'Answer' }));
  return view?.state.doc.toString() ?? '';
}

const inline: TextBody = {
  inline: '{"a":1.10}',
  body: 'raw' as BodyId,
  size: 10,
  pretty: 'pretty' as BodyId,
};

it('shows an inline text without asking for it', async () => {
  show(new ScriptedHost(), inline, 'raw');
  expect(await shown()).toBe('{"a":1.10}');
});

it('pulls the indented form', async () => {
  const host = new ScriptedHost();
  host.setBody('pretty', '{\n  "a": 1.10\n}');
  show(host, inline, 'pretty');
  expect(await shown()).toBe('{\n  "a": 1.10\n}');
});

it('holds all of a large text, down to the last character, without parting what belongs together', async () => {
  const text = `${'ä😀\r\n'.repeat(300_000)}end`;
  const host = new ScriptedHost();
  host.setBody('raw', text);
  show(host, { ...inline, inline: null, pretty: null }, 'raw');
  await waitFor(async () => expect((await shown()).endsWith('end')).toBe(true));
  expect(await shown()).toBe(text.replaceAll('\r\n', '\n'));
});

it('finds what is looked for before the end of a large text is there', async () => {
  const host = new ScriptedHost();
  host.setBody('raw', `${'word '.repeat(200_000)}end`);
  show(host, { ...inline, inline: null, pretty: null }, 'raw');
  const view = EditorView.findFromDOM(await screen.findByRole('textbox', { name: 'Answer' }))!;
  openSearchPanel(view);
  view.dispatch({ effects: setSearchQuery.of(new SearchQuery({ search: 'end' })) });
  expect(findNext(view)).toBe(false);
  const selected = (): string =>
    view.state.sliceDoc(view.state.selection.main.from, view.state.selection.main.to);
  expect(selected()).toBe('');
  await waitFor(() => expect(selected()).toBe('end'));
});

it('says why a text cannot be shown', async () => {
  show(new ScriptedHost(), { ...inline, inline: null }, 'raw');
  await act(() => Promise.resolve());
  expect((await screen.findByRole('alert')).textContent).toBe('no body raw');
});
