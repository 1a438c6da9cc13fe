import { describe, expect, it } from 'vitest';
import type { PlainSecretItem, ServerId, ServerItem, VaultState } from '../../contract/generated';
import { CommandFailure } from '../../host/host';
import { Link } from '../../host/link';
import { ScriptedHost } from '../../host/scripted';
import { createAppEvents } from '../workspace/appEvents';
import { draftOf, emptyForm } from '../servers/serverForm';
import { createServers } from '../servers/servers';
import { connection, server } from '../servers/servers.fixture';
import { createVault, isInVault, keptWords, needsUser, plainKey } from './vault';

const PLAIN: PlainSecretItem = {
  serverId: 'gh' as ServerId,
  serverName: 'github',
  place: 'header',
  name: 'Authorization',
};

function setUp(answers: ConstructorParameters<typeof ScriptedHost>[0] = {}) {
  const now: { state: VaultState; items: PlainSecretItem[]; servers: ServerItem[] } = {
    state: { type: 'locked' },
    items: [PLAIN],
    servers: [],
  };
  const host = new ScriptedHost({
    vault_get: () => ({ state: now.state, file: '/vault', count: 1 }),
    secret_find: () => ({ items: now.items }),
    server_list: () => ({ items: now.servers }),
    vault_unlock: ({ passphrase }) => {
      if (passphrase !== 'open sesame') {
        return new CommandFailure({
          code: 'invalidParams',
          message: 'The passphrases differ.',
          detail: null,
        });
      }
      now.state = { type: 'ready', kept: 'passphrase' };
      return {};
    },
    ...answers,
  });
  const events = createAppEvents(host, new Link());
  const servers = createServers(host, events);
  return { host, vault: createVault(host, events, servers), now, servers };
}

describe('createVault', () => {
  it('pulls its state when the engine reports a change', async () => {
    const { host, vault } = setUp();
    host.stream('app_watch').emit({ topic: 'vault', serverId: null, revision: 1 });
    await expect.poll(() => vault.getState().known?.state.type).toBe('locked');
    expect(vault.getState().plain).toEqual([PLAIN]);
  });

  it('looks for readable secrets again when the settings of a server changed, not when it connects', async () => {
    const { host, vault, now, servers } = setUp();
    const looked = () => host.calls.filter(({ name }) => name === 'secret_find').length;
    now.servers = [server('gh', connection({}))];
    host.stream('app_watch').emit({ topic: 'servers', serverId: null, revision: 1 });
    await expect.poll(() => vault.getState().plain).toEqual([PLAIN]);
    now.servers = [server('gh', connection({ state: 'ready' }))];
    await servers.refresh();
    expect(servers.getState().items?.[0]?.connection.state).toBe('ready');
    expect(looked()).toBe(1);
    now.items = [];
    now.servers = [
      server('gh', connection({ state: 'ready' }), { draft: draftOf({ ...emptyForm(), name: 'gh' }) }),
    ];
    await servers.refresh();
    await expect.poll(() => vault.getState().plain).toEqual([]);
    expect(looked()).toBe(2);
  });

  it('opens with the right passphrase only, and keeps none', async () => {
    const { vault } = setUp();
    expect(await vault.unlock('something else')).toBe(false);
    expect(vault.getState().error?.message).toBe('The passphrases differ.');
    expect(await vault.unlock('open sesame')).toBe(true);
    expect(vault.getState()).toMatchObject({ error: null, busy: false, known: { state: { type: 'ready' } } });
    expect(JSON.stringify(vault.getState())).not.toMatch(/sesame|something else/);
  });

  it('passes on what was chosen, and which servers’ secrets are moved', async () => {
    const { host, vault } = setUp({ vault_choose: () => ({}), secret_move: () => ({ moved: 1 }) });
    await vault.choose({ type: 'passphrase', text: 'open sesame' });
    await vault.move(['gh' as ServerId]);
    const sent = host.calls.filter(({ name }) => name === 'vault_choose' || name === 'secret_move');
    expect(sent.map(({ params }) => params)).toEqual([
      { choice: { type: 'passphrase', text: 'open sesame' } },
      { serverIds: ['gh'] },
    ]);
    expect(JSON.stringify(vault.getState())).not.toContain('sesame');
  });

  it('stays as it was while the engine cannot be asked', async () => {
    const { host, vault } = setUp();
    await vault.refresh();
    delete host.answers.vault_get;
    await vault.refresh();
    expect(vault.getState().known?.state.type).toBe('locked');
  });
});

it('tells a reference from a secret', () => {
  expect(isInVault(`\${vault:${'0a'.repeat(16)}}`)).toBe(true);
  for (const text of ['', 'secret', '${vault:12}', `Bearer \${vault:${'0a'.repeat(16)}}`]) {
    expect(isInVault(text)).toBe(false);
  }
});

it('knows when it waits for the user', () => {
  const why = { cause: '', next: '', offers: [] };
  const states: [VaultState, boolean][] = [
    [{ type: 'unopened' }, false],
    [{ type: 'opening' }, false],
    [{ type: 'ready', kept: 'memory' }, false],
    [{ type: 'locked' }, true],
    [{ type: 'choice', ...why }, true],
    [{ type: 'broken', ...why, file: '' }, true],
  ];
  for (const [state, expected] of states) expect(needsUser(state)).toBe(expected);
  expect(needsUser(undefined)).toBe(false);
});

it('says how secrets are kept', () => {
  expect(keptWords({ type: 'ready', kept: 'memory' })).toContain('until Patchbay quits');
  expect(keptWords({ type: 'locked' })).toContain('passphrase');
  expect(keptWords({ type: 'ready', kept: 'keychain' })).toContain('the key is in the system keychain');
  // Whether there is a keychain is not known before the vault is opened.
  expect(keptWords({ type: 'unopened' })).toContain('keychain if there is one');
  expect(keptWords(undefined)).toContain('keychain if there is one');
});

it('tells readable secrets apart without their values', () => {
  expect(plainKey(PLAIN)).toBe('gh header Authorization');
});
