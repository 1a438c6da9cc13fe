import { act, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import type { ServerId, ServerItem } from '../contract/generated';
import { Link } from '../host/link';
import { type Answers, ScriptedHost } from '../host/scripted';
import { connection, details, server } from '../model/servers/servers.fixture';
import { createActions } from '../model/workspace/actions';
import { createModel } from '../model/workspace/context';
import { App } from './App';
import { COMMANDS } from './registry/commands';

/** The window over a host that knows these servers. */
async function open(items: ServerItem[], script: Answers = {}) {
  const host = new ScriptedHost({
    ui_state_get: () => ({ stateJson: JSON.stringify({ selectedServer: items[0]?.id ?? null }) }),
    ui_state_set: () => ({}),
    server_list: () => ({ items }),
    connection_get: ({ serverId }) =>
      details(items.find(({ id }) => id === serverId)?.connection ?? connection({})),
    ...script,
  });
  const model = createModel(host, new Link());
  await Promise.all([model.ui.load(), model.servers.refresh()]);
  render(<App model={model} />);
  return { model, user: userEvent.setup() };
}

describe('the dialogs of the window', () => {
  it('opens the shortcuts with ? also after a click on one of several choices', async () => {
    const { user } = await open([server('a', connection({ state: 'ready' }))]);
    const [choice] = screen.getAllByRole('radio');
    act(() => choice?.focus());
    expect(document.activeElement).toBe(choice);
    await user.keyboard('?');
    expect(await screen.findByRole('dialog', { name: 'Shortcuts' })).toBeDefined();
  });

  it('says in the dialog of a server that it was removed elsewhere, and takes shortcuts after that', async () => {
    const items = [server('a', connection({ state: 'idle' }))];
    const { model, user } = await open(items);
    const remove = async (): Promise<void> => {
      items.length = 0;
      await act(() => model.servers.refresh());
    };
    act(() => model.workspace.setState({ dialog: { type: 'editServer', serverId: 'a' as ServerId } }));
    await screen.findByRole('dialog');
    await remove();
    const dialog = await screen.findByRole('dialog', { name: 'This server was removed' });
    await user.click(within(dialog).getByText('Close'));
    expect(model.workspace.getState().dialog).toBeNull();
  });

  it('shows why a command failed that has no place of its own for the error', async () => {
    const { model, user } = await open([]);
    const actions = createActions(model);
    act(() => void COMMANDS.find(({ id }) => id === 'demo')?.run({ model, actions }, 0));
    const demo = await screen.findByRole('dialog', { name: 'The demo server was not added' });
    expect(within(demo).getByRole('alert').textContent).toContain('server_add_demo');
    await user.click(within(demo).getByText('Close'));
    model.servers.setState({ groups: ['a', 'b'] });
    await act(() => actions.moveGroup('a', 1));
    const groups = await screen.findByRole('dialog', { name: 'The groups were not reordered' });
    expect(within(groups).getByRole('alert').textContent).toContain('group_reorder');
  });

  it('closes the question whether to remove a server that was removed elsewhere', async () => {
    const items = [server('a', connection({ state: 'idle' }))];
    const { model } = await open(items);
    act(() => model.workspace.setState({ dialog: { type: 'removeServer', serverId: 'a' as ServerId } }));
    await screen.findByRole('dialog', { name: 'Remove a?' });
    items.length = 0;
    await act(() => model.servers.refresh());
    await waitFor(() => expect(model.workspace.getState().dialog).toBeNull());
  });

  it('leaves the next dialog open when the work of one that was closed ends', async () => {
    let removed = (): void => {};
    const { model, user } = await open([server('a', connection({ state: 'idle' }))], {
      server_remove: () => new Promise((resolve) => (removed = () => resolve({}))),
    });
    act(() => model.workspace.setState({ dialog: { type: 'removeServer', serverId: 'a' as ServerId } }));
    const question = await screen.findByRole('dialog', { name: 'Remove a?' });
    await user.click(within(question).getByText('Remove'));
    await user.click(within(question).getByText('Cancel'));
    act(() => model.workspace.setState({ dialog: { type: 'addServer', pasted: '' } }));
    await act(async () => removed());
    expect(model.workspace.getState().dialog).toMatchObject({ type: 'addServer' });
  });

  it('saves what was changed in a dialog, and leaves what changed elsewhere meanwhile', async () => {
    const items = [server('a', connection({ state: 'idle' }))];
    const saved: unknown[] = [];
    const { model, user } = await open(items, {
      server_update: ({ draft }) => {
        saved.push(draft);
        return {};
      },
    });
    act(() => model.workspace.setState({ dialog: { type: 'editServer', serverId: 'a' as ServerId } }));
    const dialog = await screen.findByRole('dialog');
    fireEvent.change(within(dialog).getByLabelText('Name'), { target: { value: 'a2' } });
    const [{ draft }] = items as [ServerItem];
    const now = { ...draft, disabled: true, groups: ['Work'], definitionTrust: 'accept' as const };
    items.splice(0, 1, { ...items[0]!, draft: now });
    await act(() => model.servers.refresh());
    await user.click(within(dialog).getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(saved).toEqual([{ ...now, name: 'a2' }]));
  });

  it('moves nothing with shortcuts behind a dialog that a panel opens by itself', async () => {
    const { model, user } = await open([server('a', connection({ state: 'idle' }))]);
    act(() => model.workspace.setState({ providersOpen: true }));
    await screen.findByRole('dialog', { name: 'Model providers' });
    await user.keyboard('{Control>}j{/Control}{Control>}k{/Control}');
    expect(model.ui.getState().dockOpen).toBe(true);
    expect(screen.queryByLabelText('Command palette')).toBeNull();
  });
});
