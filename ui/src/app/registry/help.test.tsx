import { render, screen, waitFor, within } from '@testing-library/react';
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

const help = (): Promise<HTMLElement> => screen.findByRole('dialog', { name: 'Help' });
const shown = async (title: string): Promise<void> => {
  const page = await within(await help()).findByRole('article', { name: 'Page' });
  await waitFor(() => expect(page.querySelector('h1')?.textContent).toBe(title));
};

it('F1 opens the page about what is on screen, from anywhere', async () => {
  const { model, user } = await open([]);
  await user.keyboard('{F1}');
  await shown('A tour in ten minutes');
  await user.keyboard('{Escape}');
  await waitFor(() => expect(model.workspace.getState().helpPage).toBeNull());

  model.workspace.setState({ dialog: { type: 'addServer', pasted: '' } });
  const dialog = await screen.findByRole('dialog', { name: 'Add a server' });
  await user.click(within(dialog).getByLabelText('Paste anything'));
  await user.keyboard('{F1}');
  await shown('Add a server');
  await user.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Help' })).toBeNull());
  expect(model.workspace.getState().dialog).toEqual({ type: 'addServer', pasted: '' });
});

it('a server that failed leads to the page about connecting, and a link of it to another page', async () => {
  const { user } = await open([server('alpha', connection({ state: 'failed' }))]);
  await user.click(screen.getByRole('button', { name: 'Help' }));
  await shown('My server does not connect');
  const link = within(await help()).getAllByRole('link', { name: /Authorize against/ })[0];
  await user.click(link ?? document.body);
  await shown('Authorize against a protected server');
  await user.click(within(await help()).getByRole('button', { name: 'Back' }));
  await shown('My server does not connect');
});

it('the search finds pages by their words, also those of rules, and says when there is none', async () => {
  const { user } = await open([]);
  await user.keyboard('{F1}');
  const search = await within(await help()).findByLabelText('Search the documentation');
  // The dialog takes the focus when it opens.
  await waitFor(async () => expect((await help()).contains(document.activeElement)).toBe(true));
  await user.type(search, 'not-json');
  const pages = within(await help()).getByRole('navigation', { name: 'Pages' });
  await user.click(within(pages).getAllByRole('button', { name: /^not-json/ })[0] ?? document.body);
  await shown('not-json');
  await user.clear(search);
  await user.type(search, 'xyzzy');
  expect(within(pages).getByText('No page has “xyzzy”.')).toBeTruthy();
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
  const found = searchPages(contents, { 'a.md': 'about roots', 'b.md': 'folders' }, ' ROOTS ');
  expect(found.map(({ path }) => path)).toEqual(['b.md', 'a.md']);
  expect(searchPages(contents, {}, '  ')).toEqual([]);
});
