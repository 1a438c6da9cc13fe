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

/** How the vault stands, and which secrets are not in it. Holds no secret. */
export interface Vault {
  /** As the engine last said; undefined until first known. */
  known: VaultGetResponse | undefined;
  /** Secrets that stand readable in the settings. */
  plain: PlainSecretItem[];
  /** Why the last command was not carried out. */
  error: CommandError | null;
  busy: boolean;
}

/** How often it is pulled at most, in ms. */
const PULL_EVERY_MS = 50;

export type VaultStore = StoreApi<Vault> & {
  /** Pulls it now. */
  refresh(): Promise<void>;
  /** Chooses how to go on. Whether that was done. What was chosen is not kept here. */
  choose(choice: VaultChoice): Promise<boolean>;
  /** Opens it with the passphrase. Whether it was the right one. */
  unlock(passphrase: string): Promise<boolean>;
  /** Moves what stands readable in the settings of these servers into it. Whether that was done. */
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
      // Whatever is wrong with the engine shows where its work is asked for.
    }
  }

  const refresh = coalesce(pull, PULL_EVERY_MS);

  async function attempt(command: () => Promise<unknown>): Promise<boolean> {
    store.setState({ busy: true, error: null });
    let done = true;
    try {
      await command();
    } catch (thrown) {
      done = false;
      store.setState({ error: commandError(thrown) });
    }
    await refresh();
    store.setState({ busy: false });
    return done;
  }

  events.subscribe((event) => {
    if (event.type === 'vaultChanged') void refresh();
  });
  // Secrets stand in the settings of servers; how these are connected says nothing of them.
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

/** What stands in a setting in place of a secret that the vault holds. */
const REFERENCE = /^\$\{vault:[0-9a-f]{32}\}$/;

/** Whether a value is not itself a secret but says that the vault holds it. */
export function isInVault(value: string): boolean {
  return REFERENCE.test(value);
}

/** Whether the vault waits for the user. */
export function needsUser(state: VaultState | undefined): boolean {
  return state?.type === 'locked' || state?.type === 'choice' || state?.type === 'broken';
}

const KEPT: Record<VaultKept, string> = {
  keychain: 'encrypted in the vault, whose key the system’s keychain keeps',
  passphrase: 'encrypted in the vault with your passphrase',
  memory: 'in memory only: they are gone when Patchbay ends',
};

/** How secrets are kept, to be said after “are kept”. */
export function keptWords(state: VaultState | undefined): string {
  switch (state?.type) {
    case 'ready':
      return KEPT[state.kept];
    case 'locked':
      return 'encrypted in the vault, which is locked: it asks for your passphrase when they are saved';
    case 'choice':
      return 'in the vault; how its key is kept is asked when they are saved';
    case 'broken':
      return 'in the vault, which cannot be read at present';
    case 'unopened':
    case 'opening':
    case undefined:
      return KEPT.keychain;
  }
}

const PLACES: Record<SecretPlace, string> = {
  header: 'header',
  env: 'environment variable',
  argument: 'argument',
  address: 'address, parameter',
  proxy: 'proxy',
  authorization: 'authorization',
};

export function placeWord(place: SecretPlace): string {
  return PLACES[place];
}

/** What tells a readable secret from another, without its value. */
export function plainKey({ serverId, place, name }: PlainSecretItem): string {
  return `${serverId ?? ''} ${place} ${name}`;
}
