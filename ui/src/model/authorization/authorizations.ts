import { createStore, type StoreApi } from 'zustand/vanilla';
import type {
  AuthorizationAnswer,
  AuthorizationGetResponse,
  AuthorizationStep,
  CommandError,
  RunId,
  RunItem,
  ServerId,
} from '../../contract/generated';
import type { Host } from '../../host/host';
import type { AppEvents } from '../workspace/appEvents';
import { coalesce } from '../store/coalesce';
import { commandError } from '../store/errors';
import { keepSame } from '../store/keepSame';
import type { ServersStore } from '../servers/servers';
import { isUnderWay } from './authorizationWords';

/** The authorization of a server: its token, its latest run, and the run shown. */
export interface Authorization {
  /** As last received; undefined until loaded. */
  data: AuthorizationGetResponse | undefined;
  /** An earlier run, shown instead of the latest. */
  earlier: RunItem | null;
  /** Why the last load or command failed. */
  error: CommandError | null;
  /** Whether a command of the user is running. It may last as long as its run, which may ask the user. */
  busy: boolean;
  /** Whether an answer to the run, or its cancellation, is on its way. */
  replying: boolean;
}

export const noAuthorization: Authorization = {
  data: undefined,
  earlier: null,
  error: null,
  busy: false,
  replying: false,
};

/** The shortest interval between two loads, in ms. */
const PULL_EVERY_MS = 50;

export type AuthorizationsStore = StoreApi<Record<ServerId, Authorization>> & {
  /** Loads it now. */
  refresh(serverId: ServerId): Promise<void>;
  /** Loads it after an error, which stays until that succeeds. */
  retry(serverId: ServerId): Promise<void>;
  /** Resolves when every load that has begun, or was requested, is done. */
  settled(): Promise<void>;
  /** Starts a run and cancels a running one. */
  start(serverId: ServerId, from?: AuthorizationStep | null, scopes?: string[] | null): Promise<void>;
  /** Answers the question of a run. Resolves to whether it was accepted. The answer is not stored. */
  answer(serverId: ServerId, runId: RunId, answer: AuthorizationAnswer): Promise<boolean>;
  cancel(serverId: ServerId): Promise<void>;
  refreshToken(serverId: ServerId): Promise<void>;
  expireToken(serverId: ServerId): Promise<void>;
  /** Revokes the tokens and forgets them. Resolves to whether that succeeded. */
  forget(serverId: ServerId): Promise<boolean>;
  /** Shows an earlier run, or the latest again. */
  look(serverId: ServerId, runId: RunId | null): Promise<void>;
  dismissError(serverId: ServerId): void;
};

export function createAuthorizations(
  host: Host,
  events: AppEvents,
  servers: ServersStore,
): AuthorizationsStore {
  const store = createStore<Record<ServerId, Authorization>>(() => ({}));
  const pulls = new Map<ServerId, () => Promise<void>>();
  const loading = new Set<Promise<void>>();
  /** The servers whose error is over when a load succeeds. That of a command stays, unless the user tries again. */
  /** The earlier run that the user chose last: an answer about another one comes too late. */
  const wanted = new Map<ServerId, RunId>();
  const clearedByLoad = new Set<ServerId>();

  function of(serverId: ServerId): Authorization {
    return store.getState()[serverId] ?? noAuthorization;
  }

  function set(serverId: ServerId, change: Partial<Authorization>): void {
    store.setState({ [serverId]: { ...of(serverId), ...change } });
  }

  async function pull(serverId: ServerId): Promise<void> {
    try {
      const fresh = await host.call('authorization_get', { serverId, runId: null });
      const before = of(serverId);
      const isNewRun = fresh.run?.id !== before.data?.run?.id;
      set(serverId, {
        data: keepSame(before.data, fresh),
        // A new run is shown.
        earlier: isNewRun ? null : before.earlier,
        error: clearedByLoad.delete(serverId) ? null : before.error,
      });
    } catch (thrown) {
      const error = commandError(thrown);
      if (error.code === 'notFound' && isGone(serverId)) {
        forgetAll(new Set([serverId]));
        return;
      }
      clearedByLoad.add(serverId);
      set(serverId, { error });
    }
  }

  /** Whether the servers are known and this one is not among them. */
  function isGone(serverId: ServerId): boolean {
    const { items } = servers.getState();
    return items !== undefined && !items.some(({ id }) => id === serverId);
  }

  /** Drops what is known of servers that were removed: a run of theirs does not wait for the user any more. */
  function forgetAll(gone: ReadonlySet<string>): void {
    const all = Object.entries(store.getState());
    const left = all.filter(([id]) => !gone.has(id));
    if (left.length < all.length) store.setState(Object.fromEntries(left), true);
  }

  function refresh(serverId: ServerId): Promise<void> {
    let run = pulls.get(serverId);
    if (run === undefined) {
      run = coalesce(() => pull(serverId), PULL_EVERY_MS);
      pulls.set(serverId, run);
    }
    const loaded = run().finally(() => loading.delete(loaded));
    loading.add(loaded);
    return loaded;
  }

  /** Shows why a command failed, or no error. */
  function setCommandError(serverId: ServerId, error: CommandError | null): void {
    clearedByLoad.delete(serverId);
    set(serverId, { error });
  }

  /** Runs a command; an error is shown with the authorization. */
  async function attempt(
    serverId: ServerId,
    command: () => Promise<unknown>,
    state: 'busy' | 'replying' = 'busy',
  ): Promise<boolean> {
    set(serverId, { [state]: true });
    setCommandError(serverId, null);
    let done = true;
    try {
      await command();
    } catch (thrown) {
      done = false;
      setCommandError(serverId, commandError(thrown));
    }
    await refresh(serverId);
    // Only now: until then, what is shown may be out of date, such as a question that is answered.
    if (store.getState()[serverId] !== undefined) set(serverId, { [state]: false });
    return done;
  }

  /** Runs that wait for the user must be known although no panel shows them. */
  function refreshThoseUnderWay(): void {
    const { items } = servers.getState();
    for (const { id, connection } of items ?? []) {
      if (store.getState()[id] !== undefined || connection.state === 'authorizing') void refresh(id);
    }
  }

  events.subscribe('authorization', ({ serverId }) => {
    if (serverId !== null) void refresh(serverId);
  });
  events.onResync(refreshThoseUnderWay);
  // Once: what is running when the window opens.
  const stop = servers.subscribe(({ items }) => {
    if (items === undefined) return;
    stop();
    refreshThoseUnderWay();
  });

  servers.subscribe(({ items }, before) => {
    if (items === undefined || items === before.items) return;
    forgetAll(new Set((before.items ?? []).map(({ id }) => id).filter(isGone)));
  });

  return Object.assign(store, {
    refresh,
    retry(serverId: ServerId) {
      clearedByLoad.add(serverId);
      return refresh(serverId);
    },
    settled: async () => void (await Promise.all(loading)),
    async start(serverId: ServerId, from: AuthorizationStep | null = null, scopes: string[] | null = null) {
      wanted.delete(serverId);
      set(serverId, { earlier: null });
      await attempt(serverId, () => host.call('authorization_start', { serverId, from, scopes }));
    },
    answer: (serverId: ServerId, runId: RunId, answer: AuthorizationAnswer) =>
      attempt(serverId, () => host.call('authorization_answer', { serverId, runId, answer }), 'replying'),
    async cancel(serverId: ServerId) {
      await attempt(serverId, () => host.call('authorization_cancel', { serverId }), 'replying');
    },
    async refreshToken(serverId: ServerId) {
      await attempt(serverId, () => host.call('authorization_refresh', { serverId }));
    },
    async expireToken(serverId: ServerId) {
      await attempt(serverId, () => host.call('authorization_expire', { serverId }));
    },
    forget: (serverId: ServerId) => attempt(serverId, () => host.call('authorization_forget', { serverId })),
    async look(serverId: ServerId, runId: RunId | null) {
      if (runId === null || runId === of(serverId).data?.run?.id) {
        wanted.delete(serverId);
        set(serverId, { earlier: null });
        return;
      }
      wanted.set(serverId, runId);
      const isWanted = (): boolean => wanted.get(serverId) === runId;
      try {
        const { run } = await host.call('authorization_get', { serverId, runId });
        if (!isWanted()) return;
        set(serverId, { earlier: run });
        setCommandError(serverId, null);
      } catch (thrown) {
        if (isWanted()) setCommandError(serverId, commandError(thrown));
      }
    },
    dismissError: (serverId: ServerId) => setCommandError(serverId, null),
  });
}

/** The run shown: an earlier one if the user chose it. */
export function shownRun({ data, earlier }: Authorization): RunItem | null {
  return earlier ?? data?.run ?? null;
}

/** Whether a run of any server is under way. */
export function isAnyUnderWay(all: Record<ServerId, Authorization>): boolean {
  return Object.values(all).some(({ data }) => isUnderWay(data?.run ?? null));
}

/** The servers whose run waits for the user. */
export function waitingRuns(all: Record<ServerId, Authorization>): { serverId: ServerId; run: RunItem }[] {
  return Object.entries(all)
    .flatMap(([serverId, { data }]) => {
      const run = data?.run ?? null;
      return run?.state === 'waiting' ? [{ serverId: serverId as ServerId, run }] : [];
    })
    .toSorted((a, b) => a.run.startedAtMs - b.run.startedAtMs);
}
