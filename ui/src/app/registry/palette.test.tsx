import { MantineProvider } from '@mantine/core';
import { act, render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it, onTestFinished } from 'vitest';
import type { ConnectionId } from '../../contract/generated';
import { ScriptedHost } from '../../host/scripted';
import { aPrompt } from '../../model/lists/prompts/prompts.fixture';
import { aResource } from '../../model/lists/resources/resources.fixture';
import { initialView } from '../../model/lists/resources/resourceViews';
import { connection, server } from '../../model/servers/servers.fixture';
import { aTool, toolPage } from '../../model/tools/tools.fixture';
import { ModelProvider, createModel } from '../../model/workspace/context';
import { Palette } from '../../panels/palette/Palette';
import { palette } from '../../panels/palette/paletteStore';
import { COMMANDS } from './commands';
import { SERVER_COMMANDS } from './serverCommands';

const one = server('one', connection({ state: 'ready', connectionId: '1' as ConnectionId }));
const two = server('two', connection({ state: 'ready', connectionId: '2' as ConnectionId }));
const off = server('off', connection({}));

const page = {
  nextCursor: null,
  pages: 1,
  hasMore: false,
  supported: true,
  stale: null,
  freshness: null,
  violations: [],
  revision: 1,
};

/** The palette over two connected servers and one that is not. `hasMore`: the second has more prompts than were requested. */
async function open(tools = 3, hasMore = false) {
  const host = new ScriptedHost({
    server_list: () => ({ items: [one, two, off] }),
    tool_list: ({ serverId }) =>
      toolPage(Array.from({ length: tools }, (_, n) => aTool(n, `${serverId}_tool_${n}`))),
    prompt_list: ({ serverId }) => ({
      ...page,
      hasMore: hasMore && serverId === two.id,
      total: 1,
      items: [aPrompt(0, `${serverId}_prompt`)],
    }),
    resource_list: ({ serverId }) => ({
      ...page,
      total: 1,
      items: [aResource(0, `file:///srv/${serverId}.txt`)],
    }),
    resource_template_list: () => ({ ...page, total: 0, items: [] }),
    skill_list: () => ({ ...page, total: 0, items: [] }),
  });
  const model = createModel(host);
  await model.servers.refresh();
  model.ui.setState({ selectedServer: one.id });
  render(
    <MantineProvider env="test">
      <ModelProvider model={model}>
        <button type="button">before</button>
        <Palette commands={COMMANDS} serverCommands={SERVER_COMMANDS} />
      </ModelProvider>
    </MantineProvider>,
  );
  onTestFinished(() => act(() => palette.close()));
  screen.getByRole('button', { name: 'before' }).focus();
  act(() => palette.open());
  const field = await screen.findByRole('combobox', { name: 'Command palette' });
  const options = (): string[] =>
    within(screen.getByRole('listbox', { name: 'Commands' }))
      .queryAllByRole('option')
      .map(({ textContent }) => textContent);
  return { host, model, user: userEvent.setup(), field, options };
}

it('finds tools, prompts and resources of all connected servers, and lists them only for a search', async () => {
  const { host, user, field, options } = await open();
  expect(host.calls.map(({ name }) => name)).not.toContain('tool_list');
  await user.type(field, 'two');
  expect(await screen.findByRole('option', { name: /two_tool_2/ })).toBeDefined();
  expect(options().join('\n')).toMatch(/two_prompt/);
  expect(options().join('\n')).toMatch(/file:\/\/\/srv\/two\.txt/);
  const listed = host.calls.filter(({ name }) => name === 'prompt_list').map(({ params }) => params);
  expect(listed.map((params) => (params as { serverId: string }).serverId)).toEqual(['one', 'two']);
});

it('shows a tool of another server and gives its panel the focus', async () => {
  const { model, user, field } = await open();
  await user.type(field, 'two_tool_1');
  await screen.findByRole('option', { name: /two_tool_1/ });
  await user.keyboard('{Enter}');
  expect(screen.queryByRole('combobox', { name: 'Command palette' })).toBeNull();
  expect(model.ui.getState()).toMatchObject({
    selectedServer: 'two',
    exploreTab: 'tools',
    selectedTools: { two: '1:two_tool_1' },
    recentEntries: ['Tool two two_tool_1'],
  });
  expect(model.workspace.getState().focusRequest).toMatchObject({ place: 'tools', serverId: 'two' });
});

it('shows a prompt and a resource in their tabs', async () => {
  const { model, user, field } = await open();
  await user.type(field, 'one_prompt');
  await screen.findByRole('option', { name: /one_prompt/ });
  await user.keyboard('{Enter}');
  expect(model.ui.getState().exploreTab).toBe('prompts');
  expect(model.promptViews.getState()[one.id]?.selection).toEqual({ name: 'one_prompt', index: 0 });
  act(() => palette.open());
  await user.type(await screen.findByRole('combobox', { name: 'Command palette' }), 'one.txt');
  await screen.findByRole('option', { name: /one\.txt/ });
  await user.keyboard('{Enter}');
  expect((model.resourceViews.getState()[one.id] ?? initialView).shown).toEqual({
    type: 'resource',
    uri: 'file:///srv/one.txt',
    index: 0,
  });
});

it('names the active entry to a screen reader, and moves it with the arrows', async () => {
  const { user, field } = await open();
  const active = (): HTMLElement | null =>
    document.getElementById(field.getAttribute('aria-activedescendant') ?? '');
  const [first, second] = screen.getAllByRole('option');
  expect(active()).toBe(first);
  await user.keyboard('{ArrowDown}');
  expect(active()).toBe(second);
  expect(active()?.getAttribute('aria-selected')).toBe('true');
  await user.keyboard('{ArrowUp}{ArrowUp}');
  expect(active()).toBe(screen.getAllByRole('option').at(-1));
});

it('begins with the entries chosen last', async () => {
  const { model, user, field, options } = await open();
  await user.type(field, 'dark theme{Enter}');
  expect(model.ui.getState().theme).toBe('dark');
  act(() => palette.open());
  await screen.findByRole('combobox', { name: 'Command palette' });
  expect(within(screen.getByRole('group', { name: 'Recent' })).getByRole('option').textContent).toMatch(
    /Dark theme/,
  );
  expect(options().filter((text) => text.includes('Dark theme'))).toHaveLength(1);
});

it('shows sixty of many thousands and says how many more there are', async () => {
  const { user, field, options } = await open(10_000);
  await user.type(field, 'tool_');
  expect(await screen.findByText('20,000 matches · 19,940 more: keep typing')).toBeDefined();
  expect(options()).toHaveLength(60);
});

it('gives the focus back when nothing was chosen, and when a command has no place of its own', async () => {
  const { user, field } = await open();
  const before = screen.getByRole('button', { name: 'before' });
  await user.keyboard('{Escape}');
  expect(document.activeElement).toBe(before);
  expect(field.isConnected).toBe(false);
  act(() => palette.open());
  await user.type(await screen.findByRole('combobox', { name: 'Command palette' }), 'light theme{Enter}');
  expect(document.activeElement).toBe(before);
});

it('says whose lists are not whole, and that nothing more will come', async () => {
  const { user, field } = await open(3, true);
  await user.type(field, 'xyzzy');
  expect(await screen.findByText('Incomplete: two')).toBeDefined();
  expect(screen.getByText('No matches')).toBeDefined();
});

it('leads to each setting, and to those that have commands of their own by these', async () => {
  const { model, user, field, options } = await open();
  await user.type(field, 'socks5');
  await user.keyboard('{Enter}');
  expect(model.workspace.getState().dialog).toEqual({ type: 'settings', search: 'Proxy' });
  act(() => palette.open());
  await user.type(await screen.findByRole('combobox', { name: 'Command palette' }), 'keychain');
  expect(options()).toEqual([expect.stringMatching(/^Vault: where secrets are stored/)]);
});
