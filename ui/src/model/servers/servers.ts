import { createStore, type StoreApi } from 'zustand/vanilla';
import type { CommandError, ServerId, ServerItem } from '../../contract/generated';
import type { Host } from '../../host/host';
import type { AppEvents } from '../workspace/appEvents';
import { commandError } from '../store/errors';
import { coalesce } from '../store/coalesce';
import { keepSame } from '../store/keepSame';

/** The configured servers and their connections, as last received. */
export interface ServersState {
  /** In the user's order; undefined until loaded. */
  items: ServerItem[] | undefined;
  /** The names of all groups, in the user's order. */
  groups: readonly string[];
  /** Why the list could not be loaded. */
  error: CommandError | null;
  /** Grows with each change of a server's connection: what shows its details pulls them again. */
  revisions: Record<ServerId, number>;
}

export type ServersStore = StoreApi<ServersState> & {
  /** Loads the list now. */
  refresh(): Promise<void>;
};

export function createServers(host: Host, events: AppEvents): ServersStore {
  const store = createStore<ServersState>(() => ({
    items: undefined,
    groups: [],
    error: null,
    revisions: {},
  }));

  async function pull(): Promise<void> {
    try {
      const { items, groups = [] } = await host.call('server_list', {});
      store.setState(({ items: known, groups: knownGroups, error }) => {
        const kept = keepEqual(known, items);
        const keptGroups = keepSame(knownGroups, groups);
        if (kept === known && keptGroups === knownGroups && error === null) return {};
        return { items: kept, groups: keptGroups, error: null };
      });
    } catch (thrown) {
      store.setState({ error: commandError(thrown) });
    }
  }

  // Events are at most one per frame; a timer would wait longer than that on a busy page.
  const refresh = coalesce(pull);

  function touch(serverId: ServerId): void {
    store.setState(({ revisions }) => ({
      revisions: { ...revisions, [serverId]: (revisions[serverId] ?? 0) + 1 },
    }));
  }

  events.subscribe('servers', () => void refresh());
  events.subscribe('connection', ({ serverId }) => {
    // The first call comes before the first render.
    void refresh();
    if (serverId !== null) touch(serverId);
  });
  events.onResync(() => {
    for (const item of store.getState().items ?? []) touch(item.id);
    void refresh();
  });

  return Object.assign(store, { refresh });
}

/** The new list, with the old objects where nothing changed, so that components that show them do not render again. */
function keepEqual(known: ServerItem[] | undefined, items: ServerItem[]): ServerItem[] {
  if (known === undefined) return items;
  const byId = new Map(known.map((item) => [item.id, item]));
  const kept = items.map((item) => keepSame(byId.get(item.id), item));
  return kept.length === known.length && kept.every((item, i) => item === known[i]) ? known : kept;
}
