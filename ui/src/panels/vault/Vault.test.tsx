import { MantineProvider } from '@mantine/core';
import { act, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { describe, expect, it, vi } from 'vitest';
import type { PlainSecretItem, ServerId, VaultState, VaultStored } from '../../contract/generated';
import { CommandFailure } from '../../host/host';
import { ScriptedHost } from '../../host/scripted';
import { ModelProvider, createModel } from '../../model/workspace/context';
import { PlainSecretsDialog } from './PlainSecretsDialog';
import { VaultDialog } from './VaultDialog';

const plain = (serverId: string, place: PlainSecretItem['place'], name: string): PlainSecretItem => ({
  serverId: serverId as ServerId,
  serverName: serverId,
  place,
  name,
});

/** The vault's dialog, or the one of readable secrets, over a host with this state of the vault. */
async function open(
  state: VaultState,
  answers: ConstructorParameters<typeof ScriptedHost>[0] = {},
  items: PlainSecretItem[] | null = null,
  stored?: VaultStored,
) {
  const host = new ScriptedHost({
    vault_get: () => ({ state, file: '/data/vault.json', count: 3, ...(stored && { stored }) }),
    secret_find: () => ({ items: items ?? [] }),
    vault_choose: () => ({}),
    vault_unlock: () => ({}),
    secret_move: () => ({ moved: 2 }),
    ...answers,
  });
  const model = createModel(host);
  await model.vault.refresh();
  model.workspace.setState({ vaultOpen: items === null });
  const onClose = vi.fn();
  render(
    <MantineProvider env="test">
      <ModelProvider model={model}>
        <VaultDialog />
        {items !== null && <PlainSecretsDialog onClose={onClose} />}
      </ModelProvider>
    </MantineProvider>,
  );
  const called = (name: string): unknown[] =>
    host.calls.filter((call) => call.name === name).map(({ params }) => params);
  return { model, onClose, called, user: userEvent.setup() };
}

const type = (label: string, value: string): void =>
  void fireEvent.change(screen.getByLabelText(label), { target: { value } });
const button = (name: string): HTMLButtonElement => screen.getByRole<HTMLButtonElement>('button', { name });

describe('the vault’s dialog', () => {
  const NO_KEYCHAIN: VaultState = {
    type: 'choice',
    cause: 'No keychain answers.',
    next: 'Choose how secrets are kept.',
    offers: ['passphrase', 'memory', 'keychain'],
  };

  it('lets the user choose where there is no keychain; a passphrase is typed twice and kept nowhere', async () => {
    const { model, called, user } = await open(NO_KEYCHAIN);
    const dialog = await screen.findByRole('dialog', { name: 'Where should secrets be stored?' });
    expect(within(dialog).getByRole('alert').textContent).toContain('No keychain answers.');
    expect(within(dialog).getAllByRole('radio').length).toBe(3);
    expect(button('Continue').disabled).toBe(true);
    type('New passphrase', 'short');
    expect(screen.getByText('At least 8 characters.')).toBeDefined();
    type('New passphrase', 'open sesame');
    type('Repeat passphrase', 'open sesam');
    expect(screen.getByText('The passphrases differ.')).toBeDefined();
    expect(button('Continue').disabled).toBe(true);
    type('Repeat passphrase', 'open sesame');
    await user.click(button('Continue'));
    await waitFor(() => expect(model.workspace.getState().vaultOpen).toBe(false));
    expect(called('vault_choose')).toEqual([{ choice: { type: 'passphrase', text: 'open sesame' } }]);
    const { ui, workspace, vault } = model;
    for (const store of [ui, workspace, vault]) {
      expect(JSON.stringify(store.getState())).not.toContain('sesame');
    }
  });

  it('gives the focus to Close when it is open, not to a choice that is not shown', async () => {
    await open({ type: 'ready', kept: 'keychain' });
    const dialog = within(await screen.findByRole('dialog'));
    // The cross in the header has the same name.
    const close = dialog.getAllByRole('button', { name: 'Close' }).at(-1);
    await waitFor(() => expect(document.activeElement).toBe(close));
  });

  it('has the best choice chosen, also when another is offered while it is looked at', async () => {
    const now: { state: VaultState } = { state: { type: 'unopened' } };
    const { model } = await open(now.state, {
      vault_get: () => ({ state: now.state, file: '/data/vault.json', count: 0 }),
    });
    const chosen = (): string | undefined =>
      screen.getByRole<HTMLInputElement>('radio', { checked: true }).value;
    await screen.findByRole('dialog', { name: 'Vault' });
    expect(chosen()).toBe('keychain');
    now.state = NO_KEYCHAIN;
    await act(() => model.vault.refresh());
    expect(chosen()).toBe('passphrase');
  });

  it('keeps secrets in memory only where that was chosen', async () => {
    const { called, user } = await open(NO_KEYCHAIN);
    await user.click(await screen.findByLabelText('In memory only'));
    expect(screen.queryByLabelText('New passphrase')).toBeNull();
    await user.click(button('Continue'));
    await waitFor(() => expect(called('vault_choose')).toEqual([{ choice: { type: 'memory' } }]));
  });

  it('stays open with the reason when a choice cannot be carried out', async () => {
    const { model, user } = await open(NO_KEYCHAIN, {
      vault_choose: () => new CommandFailure({ code: 'storage', message: 'The disk is full.', detail: null }),
    });
    await user.click(await screen.findByLabelText('In memory only'));
    await user.click(button('Continue'));
    expect(await screen.findByText('The disk is full.')).toBeDefined();
    expect(model.workspace.getState().vaultOpen).toBe(true);
  });

  it('is unlocked with its passphrase', async () => {
    let tries = 0;
    const wrong = new CommandFailure({
      code: 'invalidParams',
      message: 'The passphrases differ.',
      detail: null,
    });
    const { model, called, user } = await open(
      { type: 'locked' },
      { vault_unlock: () => (++tries === 1 ? wrong : {}) },
    );
    await screen.findByRole('dialog', { name: 'Unlock the vault' });
    type('Passphrase', 'nope');
    await user.click(button('Unlock'));
    expect(await screen.findByText('The passphrases differ.')).toBeDefined();
    expect(screen.getByLabelText<HTMLInputElement>('Passphrase').value).toBe('');
    type('Passphrase', 'open sesame');
    await user.click(button('Unlock'));
    await waitFor(() => expect(model.workspace.getState().vaultOpen).toBe(false));
    expect(called('vault_unlock')).toEqual([{ passphrase: 'nope' }, { passphrase: 'open sesame' }]);
  });

  it('offers what can be done without the passphrase', async () => {
    const { called, user } = await open({ type: 'locked' }, {}, null, 'passphrase');
    const dialog = await screen.findByRole('dialog', { name: 'Unlock the vault' });
    expect(dialog.textContent).toContain('/data/vault.json');
    await user.click(screen.getByText('Forgot the passphrase?'));
    expect(screen.getAllByRole('button', { name: 'Later' })).toHaveLength(1);
    await user.click(screen.getByLabelText('Start a new vault'));
    await user.click(button('Continue'));
    await waitFor(() => expect(called('vault_choose')).toEqual([{ choice: { type: 'setAside' } }]));
  });

  it.each<[VaultStored | undefined, string, string[]]>([
    [undefined, 'Vault', ['keychain', 'passphrase', 'memory']],
    ['keychain', 'Vault', ['keychain', 'memory']],
    ['passphrase', 'Unlock the vault', ['memory', 'setAside']],
  ])('offers what fits the file before it is opened: %s', async (stored, name, offers) => {
    await open({ type: 'unopened' }, {}, null, stored);
    await screen.findByRole('dialog', { name });
    const radios = screen.getAllByRole<HTMLInputElement>('radio', { hidden: true });
    expect(radios.map(({ value }) => value)).toEqual(offers);
    expect(screen.queryAllByRole('button', { name: 'Unlock' })).toHaveLength(stored === 'passphrase' ? 1 : 0);
  });

  it.each<[VaultStored, string[]]>([
    ['keychain', ['keychain', 'setAside']],
    ['passphrase', ['setAside']],
    ['unreadable', ['setAside']],
  ])('leads from memory back to the vault in the file: %s', async (stored, offers) => {
    const { model, called, user } = await open({ type: 'ready', kept: 'memory' }, {}, null, stored);
    const dialog = await screen.findByRole('dialog', { name: 'Vault' });
    expect(dialog.textContent).toContain('/data/vault.json');
    const radios = screen.getAllByRole<HTMLInputElement>('radio', { hidden: true });
    expect(radios.map(({ value }) => value)).toEqual(offers);
    await user.click(screen.getByText(/^(Forgot the passphrase\?|Store the key elsewhere)$/));
    await user.click(screen.getByLabelText('Start a new vault'));
    await user.click(button('Continue'));
    await waitFor(() => expect(called('vault_choose')).toEqual([{ choice: { type: 'setAside' } }]));
    // Where the secrets in memory go then is chosen next.
    expect(model.workspace.getState().vaultOpen).toBe(true);
    if (stored !== 'passphrase') return;
    type('Passphrase', 'open sesame');
    await user.click(button('Unlock'));
    await waitFor(() => expect(called('vault_unlock')).toEqual([{ passphrase: 'open sesame' }]));
  });

  it('names the file that cannot be read, and sets it aside only when that was chosen', async () => {
    const { called, user } = await open({
      type: 'broken',
      cause: 'The key is another.',
      next: 'Bring the keychain back.',
      file: '/data/vault.json',
      offers: ['keychain', 'setAside'],
    });
    const dialog = await screen.findByRole('dialog', { name: 'The vault cannot be read' });
    for (const text of ['The key is another.', 'Bring the keychain back.', '/data/vault.json']) {
      expect(dialog.textContent).toContain(text);
    }
    await user.click(screen.getByLabelText('Start a new vault'));
    await user.click(button('Continue'));
    await waitFor(() => expect(called('vault_choose')).toEqual([{ choice: { type: 'setAside' } }]));
  });

  it('says where its key is', async () => {
    await open({ type: 'ready', kept: 'keychain' });
    const dialog = await screen.findByRole('dialog', { name: 'Vault' });
    expect(dialog.textContent).toContain('The key is in the system keychain.');
    expect(dialog.textContent).toContain('3 secrets');
  });
});

describe('the dialog of readable secrets', () => {
  const ITEMS = [
    plain('github', 'header', 'Authorization'),
    plain('everything', 'env', 'OPENAI_API_KEY'),
    plain('github', 'argument', '--token'),
  ];

  it('lists them by server and moves those of the chosen ones', async () => {
    const { called, onClose, user } = await open({ type: 'ready', kept: 'keychain' }, {}, ITEMS);
    const dialog = await screen.findByRole('dialog', { name: 'Plaintext secrets in the settings' });
    expect(dialog.textContent).toContain('header Authorization');
    expect(dialog.textContent).toContain('environment variable OPENAI_API_KEY');
    await user.click(screen.getByLabelText('everything'));
    await user.click(button('Move 2 secrets to the vault'));
    await waitFor(() => expect(onClose).toHaveBeenCalledOnce());
    expect(called('secret_move')).toEqual([{ serverIds: ['github'] }]);
  });

  it('asks for the vault where it is not open', async () => {
    const { model, user, onClose } = await open(
      { type: 'locked' },
      {
        secret_move: () =>
          new CommandFailure({ code: 'vaultNeeded', message: 'It is locked.', detail: null }),
      },
      ITEMS,
    );
    await user.click(await screen.findByRole('button', { name: 'Move 3 secrets to the vault' }));
    await user.click(await screen.findByRole('button', { name: 'Open the vault…' }));
    expect(model.workspace.getState().vaultOpen).toBe(true);
    expect(await screen.findByRole('dialog', { name: 'Unlock the vault' })).toBeDefined();
    expect(onClose).not.toHaveBeenCalled();
    act(() => model.workspace.setState({ vaultOpen: false }));
  });
});
