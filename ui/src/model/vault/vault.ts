import { createStore, type StoreApi } from 'zustand/vanilla';
import type {
  CommandError,
  PlainSecretItem,
  SecretPlace,
  ServerId,
  VaultChoice,
  VaultGetResponse,
  VaultKept,
  VaultState,
} from '../../contract/generated';
import type { Host } from '../../host/host';
import type { AppEvents } from '../workspace/appEvents';
import { coalesce } from '../store/coalesce';
import { commandError } from '../store/errors';
import { keepSame } from '../store/keepSame';
import type { ServersStore } from '../servers/servers';

/** The state of the vault, and which secrets are not in it. Holds no secret. */
export interface Vault {
  /** As last received; undefined until loaded. */
  known: VaultGetResponse | undefined;
  /** Plaintext secrets in the settings. */
  plain: PlainSecretItem[];
  /** Why the last command failed. */
  error: CommandError | null;
  busy: boolean;
}

/** The shortest interval between two loads, in ms. */
const PULL_EVERY_MS = 50;

export type VaultStore = StoreApi<Vault> & {
  /** Loads it now. */
  refresh(): Promise<void>;
  /** Applies a choice. Resolves to whether it succeeded. The passphrase is not stored. */
  choose(choice: VaultChoice): Promise<boolean>;
  /** Unlocks it. Resolves to whether the passphrase was right. */
  unlock(passphrase: string): Promise<boolean>;
  /** Moves the plaintext secrets of these servers into it. Resolves to whether that succeeded. */
  move(serverIds: ServerId[]): Promise<boolean>;
  dismissError(): void;
};

export function createVault(host: Host, events: AppEvents, servers: ServersStore): VaultStore {
  const store = createStore<Vault>(() => ({ known: undefined, plain: [], error: null, busy: false }));

  async function pull(): Promise<void> {
    try {
      const [known, { items }] = await Promise.all([
        host.call('vault_get', {}),
        host.call('secret_find', {}),
      ]);
      store.setState((old) => ({ known: keepSame(old.known, known), plain: keepSame(old.plain, items) }));
    } catch {
      // A problem of the engine is shown by the parts that call it.
    }
  }

  const refresh = coalesce(pull, PULL_EVERY_MS);

  async function attempt(command: () => Promise<unknown>): Promise<boolean> {
    store.setState({ busy: true, error: null });
    let error: CommandError | null = null;
    try {
      await command();
    } catch (thrown) {
      error = commandError(thrown);
    }
    await refresh();
    // Together: a user who sees the error can try again at once.
    store.setState({ busy: false, error });
    return error === null;
  }

  events.subscribe('vault', () => void refresh());
  // Secrets depend on the settings of servers, not on their connections.
  servers.subscribe(({ items }, { items: before }) => {
    const isSame =
      items?.length === before?.length && items?.every(({ draft }, at) => draft === before?.[at]?.draft);
    if (items !== before && isSame !== true) void refresh();
  });
  events.onResync(() => void refresh());

  return Object.assign(store, {
    refresh,
    choose: (choice: VaultChoice) => attempt(() => host.call('vault_choose', { choice })),
    unlock: (passphrase: string) => attempt(() => host.call('vault_unlock', { passphrase })),
    move: (serverIds: ServerId[]) => attempt(() => host.call('secret_move', { serverIds })),
    dismissError: () => store.setState({ error: null }),
  });
}

/** The placeholder in a setting for a secret in the vault. */
const REFERENCE = /^\$\{vault:[0-9a-f]{32}\}$/;

/** Whether a value is the placeholder for a secret in the vault. */
export function isInVault(value: string): boolean {
  return REFERENCE.test(value);
}

/** Whether the vault waits for the user. */
export function needsUser(state: VaultState | undefined): boolean {
  return state?.type === 'locked' || state?.type === 'choice' || state?.type === 'broken';
}

const KEPT: Record<VaultKept, string> = {
  keychain: 'encrypted; the key is in the system keychain',
  passphrase: 'encrypted with your passphrase',
  memory: 'in memory only, until Patchbay quits',
};

/** How secrets are stored, to follow “stored”. */
export function keptWords(state: VaultState | undefined): string {
  switch (state?.type) {
    case 'ready':
      return KEPT[state.kept];
    case 'locked':
      return 'encrypted with your passphrase, which you enter when they are saved';
    case 'choice':
      return 'in the vault; you choose how when they are saved';
    case 'broken':
      return 'in the vault, which cannot be read';
    case 'unopened':
    case 'opening':
    case undefined:
      return 'encrypted, with the key in the system keychain if there is one';
  }
}

const PLACES: Record<SecretPlace, string> = {
  header: 'header',
  env: 'environment variable',
  argument: 'argument',
  address: 'URL parameter',
  proxy: 'proxy',
  authorization: 'authorization',
};

export function placeWord(place: SecretPlace): string {
  return PLACES[place];
}

/** The key of a plaintext secret, without its value. */
export function plainKey({ serverId, place, name }: PlainSecretItem): string {
  return `${serverId ?? ''} ${place} ${name}`;
}
