import { createStore, type StoreApi } from 'zustand/vanilla';
import type {
  CommandError,
  RootSetId,
  RootSetItem,
  RootSetSaveParams,
  RootsGetResponse,
  ServerId,
} from '../../../contract/generated';
import type { Host } from '../../../host/host';
import { coalesce } from '../../store/coalesce';
import { commandError } from '../../store/errors';
import { keepSame } from '../../store/keepSame';
import type { AppEvents } from '../../workspace/appEvents';

/** The roots of servers and the shared sets. */
export interface Roots {
  /** By name; undefined until loaded. */
  sets: RootSetItem[] | undefined;
  /** Why the sets could not be loaded. */
  setsError: CommandError | null;
  /** What each server gets, as last received. */
  servers: Partial<Record<ServerId, RootsGetResponse>>;
  /** Why that could not be loaded. */
  errors: Partial<Record<ServerId, CommandError>>;
}

export type RootsStore = StoreApi<Roots> & {
  /** Loads the shared sets now. */
  refreshSets(): Promise<void>;
  /** Adds or replaces a shared set. Rejects with a `CommandFailure`. */
  save(params: RootSetSaveParams): Promise<RootSetId>;
  /** Removes a shared set, also from the servers that use it. Rejects with a `CommandFailure`. */
  remove(rootSetId: RootSetId): Promise<void>;
  /** Keeps the roots of a server current, until the returned function is called. Checks its folders. */
  watch(serverId: ServerId): () => void;
  /** Decides whether a server gets folders. Rejects with a `CommandFailure`. */
  decide(serverId: ServerId, paths: string[], isAllowed: boolean): Promise<void>;
};

const PULL_EVERY_MS = 50;

export function createRoots(host: Host, events: AppEvents): RootsStore {
  const store = createStore<Roots>(() => ({ sets: undefined, setsError: null, servers: {}, errors: {} }));
  const watched = new Map<ServerId, { count: number; pull: () => Promise<void> }>();

  const refreshSets = coalesce(async () => {
    try {
      const { items } = await host.call('root_set_list', {});
      store.setState(({ sets }) => ({ sets: keepSame(sets, items), setsError: null }));
    } catch (thrown) {
      store.setState({ setsError: commandError(thrown) });
    }
  }, PULL_EVERY_MS);

  async function pull(serverId: ServerId): Promise<void> {
    try {
      const fresh = await host.call('roots_get', { serverId });
      store.setState(({ servers, errors }) => ({
        servers: { ...servers, [serverId]: keepSame(servers[serverId], fresh) },
        errors: { ...errors, [serverId]: undefined },
      }));
    } catch (thrown) {
      store.setState(({ errors }) => ({ errors: { ...errors, [serverId]: commandError(thrown) } }));
    }
  }

  function refresh(): void {
    if (store.getState().sets !== undefined) void refreshSets();
    for (const { pull: again } of watched.values()) void again();
  }

  events.subscribe('roots', refresh);
  events.onResync(refresh);

  return Object.assign(store, {
    refreshSets,
    async save(params: RootSetSaveParams): Promise<RootSetId> {
      const { rootSetId } = await host.call('root_set_save', params);
      await refreshSets();
      return rootSetId;
    },
    async remove(rootSetId: RootSetId): Promise<void> {
      await host.call('root_set_remove', { rootSetId, despiteUse: true });
      await refreshSets();
    },
    watch(serverId: ServerId): () => void {
      const known = watched.get(serverId);
      const entry = known ?? { count: 0, pull: coalesce(() => pull(serverId), PULL_EVERY_MS) };
      entry.count += 1;
      watched.set(serverId, entry);
      void entry.pull();
      return () => {
        entry.count -= 1;
        if (entry.count === 0) watched.delete(serverId);
      };
    },
    async decide(serverId: ServerId, paths: string[], isAllowed: boolean): Promise<void> {
      await host.call('roots_decide', { serverId, paths, isAllowed });
      await pull(serverId);
    },
  });
}
