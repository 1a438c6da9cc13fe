import { act, fireEvent, render, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect, it } from 'vitest';
import { App } from '../App';
import type { ServerItem } from '../../contract/generated';
import { Link } from '../../host/link';
import { ScriptedHost } from '../../host/scripted';
import { HELP_PAGES, parseContents, searchPages } from '../../model/workspace/helpPage';
import { connection, server } from '../../model/servers/servers.fixture';
import { createModel } from '../../model/workspace/context';
import { PAGES } from '../../panels/welcome/help/pages';

async function open(items: ServerItem[]) {
  const host = new ScriptedHost({
    ui_state_get: () => ({ stateJson: JSON.stringify({ selectedServer: items[0]?.id ?? null }) }),
    ui_state_set: () => ({}),
    server_list: () => ({ items }),
  });
  const model = createModel(host, new Link());
  await Promise.all([model.ui.load(), model.servers.refresh()]);
  render(<App model={model} />);
  return { model, user: userEvent.setup() };
}

// By their selectors: looking for roles in the whole window takes seconds.
const found = (selector: string): Promise<HTMLElement> =>
  waitFor(() => {
    const element = document.querySelector<HTMLElement>(selector);
    if (element === null) throw new Error(`no ${selector}`);
    return element;
  });
const shown = async (title: string): Promise<void> => {
  await found('article[aria-label="Page"] [data-depth="1"]');
  await waitFor(() =>
    expect(document.querySelector('article[aria-label="Page"] [data-depth="1"]')?.textContent).toBe(title),
  );
};

it('F1 opens the page about what is on screen', async () => {
  const { model, user } = await open([]);
  await user.keyboard('{F1}');
  await shown('A tour in ten minutes');
  await user.keyboard('{Escape}');
  await waitFor(() => expect(model.workspace.getState().helpPage).toBeNull());
});

it('F1 opens above a dialog, from its field, and Escape leaves the dialog', async () => {
  const { model, user } = await open([]);
  const dialog = { type: 'addServer', pasted: '' } as const;
  act(() => model.workspace.setState({ dialog }));
  (await found('[role="dialog"] textarea')).focus();
  await user.keyboard('{F1}');
  await shown('Add a server');
  await user.keyboard('{Escape}');
  await waitFor(() => expect(model.workspace.getState().helpPage).toBeNull());
  expect(model.workspace.getState().dialog).toEqual(dialog);
});

it('a server that failed leads to the page about connecting, and a link of it to another page', async () => {
  const { user } = await open([server('alpha', connection({ state: 'failed' }))]);
  await user.click(await found('button[aria-label="Help"]'));
  await shown('My server does not connect');
  await user.click(await found('article[aria-label="Page"] a[href="authorize.md"]'));
  await shown('Authorize against a protected server');
  await user.click(await found('button[aria-label="Back"]'));
  await shown('My server does not connect');
});

it('the search finds pages by their words, also those of rules, and says when there is none', async () => {
  const { user } = await open([]);
  await user.keyboard('{F1}');
  const search = await found('[aria-label="Search the documentation"]');
  fireEvent.change(search, { target: { value: 'not-json' } });
  const pages = await found('nav[aria-label="Pages"]');
  await user.click(within(pages).getAllByText('not-json')[0] ?? document.body);
  await shown('not-json');
  fireEvent.change(search, { target: { value: 'xyzzy' } });
  expect(within(pages).getByText('No results for “xyzzy”.')).toBeTruthy();
});

it('every page that is opened from somewhere exists, and so does every page of the contents', () => {
  const contents = parseContents(PAGES['SUMMARY.md'] ?? '');
  expect(contents.length).toBeGreaterThan(100);
  const missing = [...HELP_PAGES, ...contents.map(({ path }) => path)].filter((path) => !PAGES[path]);
  expect(missing).toEqual([]);
});

it('a page with the words in its title comes first', () => {
  const contents = [
    { path: 'a.md', title: 'Other', depth: 0 },
    { path: 'b.md', title: 'Roots', depth: 0 },
  ];
  const matches = searchPages(contents, { 'a.md': 'about roots', 'b.md': 'folders' }, ' ROOTS ');
  expect(matches.map(({ path }) => path)).toEqual(['b.md', 'a.md']);
  expect(searchPages(contents, {}, '  ')).toEqual([]);
});
