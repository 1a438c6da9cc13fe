import { MantineProvider } from '@mantine/core';
import { act, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import type { ServerId, VaultState } from '../../contract/generated';
import { CommandFailure } from '../../host/host';
import { ScriptedHost } from '../../host/scripted';
import { connection, server } from '../../model/servers/servers.fixture';
import { ModelProvider, createModel } from '../../model/workspace/context';
import { ServerDialog } from './ServerDialog';

const refused = (code: 'vaultNeeded' | 'invalidParams'): CommandFailure =>
  new CommandFailure({ code, message: code, detail: null });

/** The dialog in which a, b and c were pasted, of which b has a secret; the vault is locked. */
async function openLocked() {
  const now: { vault: VaultState } = { vault: { type: 'locked' } };
  const names: string[] = [];
  const host = new ScriptedHost({
    server_list: () => ({ items: [] }),
    server_parse: () => ({
      drafts: ['a', 'b', 'c'].map((name) => server(name, connection({})).draft),
      problems: [],
      secrets: [],
    }),
    server_add: ({ draft: { name } }) => {
      if (names.includes(name)) return refused('invalidParams');
      if (name === 'b' && now.vault.type !== 'ready') return refused('vaultNeeded');
      names.push(name);
      return { serverId: name as ServerId };
    },
    connection_open: () => ({}),
    vault_get: () => ({ state: now.vault, file: '', count: 0 }),
    secret_find: () => ({ items: [] }),
  });
  const model = createModel(host);
  const onClose = vi.fn();
  render(
    <MantineProvider env="test">
      <ModelProvider model={model}>
        <ServerDialog server={null} pasted="{}" onClose={onClose} />
      </ModelProvider>
    </MantineProvider>,
  );
  const unlock = async (): Promise<void> => {
    now.vault = { type: 'ready', kept: 'memory' };
    await act(() => model.vault.refresh());
  };
  const connected = (): unknown[] =>
    host.calls.flatMap(({ name, params }) => (name === 'connection_open' ? [params] : []));
  return { names, onClose, unlock, connected };
}

const press = async (name: string): Promise<void> =>
  void fireEvent.click(await screen.findByRole('button', { name }));

it('adds the rest of several servers as soon as the vault is open, and connects all', async () => {
  const { names, onClose, unlock, connected } = await openLocked();
  await press('Add 3 and connect');
  await screen.findByRole('button', { name: 'Add 2 and connect' });
  expect(names).toEqual(['a']);
  expect(screen.getByRole<HTMLInputElement>('checkbox', { name: 'a' }).disabled).toBe(true);
  await unlock();
  await waitFor(() => expect(onClose).toHaveBeenCalledOnce());
  expect(names).toEqual(['a', 'b', 'c']);
  expect(connected()).toEqual(['a', 'b', 'c'].map((serverId) => ({ serverId })));
});

it('does not add again what was added when others are chosen then', async () => {
  const { names, onClose } = await openLocked();
  await press('Add 3');
  await screen.findByRole('button', { name: 'Add 2' });
  fireEvent.click(screen.getByRole('checkbox', { name: 'b' }));
  await press('Add 1');
  await waitFor(() => expect(onClose).toHaveBeenCalledOnce());
  expect(names).toEqual(['a', 'c']);
});
