import { createStore, type StoreApi } from 'zustand/vanilla';
import type {
  AppTopic,
  CommandError,
  ConnectionId,
  Freshness,
  ServerId,
  Staleness,
  ViolationItem,
} from '../../contract/generated';
import { commandError } from '../store/errors';
import { keepSame } from '../store/keepSame';
import type { AppEvents } from '../workspace/appEvents';

/**
 * A list of a server (tools, resources, prompts, tasks …) as pulled from the engine: pages, refusal, freshness, changes.
 * What is particular to one kind of list is its `ListSource`.
 */

/** An item with the text a search looks at, in lower case. */
export interface ListRow<T> {
  item: T;
  text: string;
}

export interface ServerList<T> {
  rows: ListRow<T>[];
  total: number;
  /** How many pages the server has returned. */
  pages: number;
  /** Whether the server has a further page that was not requested. */
  hasMore: boolean;
  /** The cursor of the next page; null if all pages have been pulled. */
  nextCursor: string | null;
  /** Whether the server declares the capability. */
  supported: boolean;
  /** Why the list may be out of date. It is requested again only when the user refreshes it, or has not used it yet. */
  stale: Staleness | null;
  /** How long the server says the list is fresh (2026-07-28). */
  freshness: Freshness | null;
  violations: ViolationItem[];
  /** The revision of the nudge that announced this list. */
  revision: number;
  loading: boolean;
  /** Why the last pull failed; `rows` are then those of the pull before. */
  error: CommandError | null;
  /** False until the first pull has ended; `rows` may be the first ones until then. */
  known: boolean;
}

/** One page, as every list command of the engine returns it. */
export type ListPage<T> = Omit<ServerList<T>, 'rows' | 'loading' | 'error' | 'known'> & { items: T[] };

export interface ListParams {
  serverId: ServerId;
  /** Request the list from the server again instead of returning the one already known. */
  refresh: boolean;
  cursor: string | null;
}

/** What distinguishes one kind of list from the others. */
export interface ListSource<T> {
  pull(params: ListParams): Promise<ListPage<T>>;
  /** Requests the next page of the server, or all further pages. None if pages are never requested one by one. */
  requestMore?(serverId: ServerId, all: boolean): Promise<{ hasMore: boolean }>;
  /** Ends the request for the list that is in progress. The pull then ends, with what was received. */
  cancel(serverId: ServerId): Promise<unknown>;
  /** The topic of the events that announce a change; null if nothing does. */
  topic: AppTopic | null;
  idOf(item: T): string | number;
  /** The text a search looks at; its first line is the name. */
  textOf(item: T): string;
}

const EMPTY: ServerList<never> = {
  rows: [],
  total: 0,
  pages: 0,
  hasMore: false,
  nextCursor: null,
  supported: true,
  stale: null,
  freshness: null,
  violations: [],
  revision: 0,
  loading: false,
  error: null,
  known: false,
};

/** The list of a server that has not been pulled. */
export function emptyList<T>(): ServerList<T> {
  return EMPTY;
}

/** Whether it is known how many rows a list has: one that failed to load is not empty. */
export function isCounted({
  known,
  error,
  rows,
}: Pick<ServerList<unknown>, 'known' | 'error' | 'rows'>): boolean {
  return rows.length > 0 || (known && error === null);
}

/** How long a change waits while the list is being pulled, in ms. */
const RELOAD_AFTER_MS = 250;
/** How many pages are pulled at most. */
const MAX_PAGES = 500;
/** How often a list is refreshed automatically per connection: a server may announce a change after every listing. */
const MAX_SILENT_REFRESHES = 3;

export type ServerListStore<T> = StoreApi<Record<ServerId, ServerList<T>>> & {
  /** Pulls the list; `refresh` requests it from the server again. */
  load(serverId: ServerId, refresh: boolean): Promise<void>;
  /** Requests the next page of the server, or all further pages, and pulls the longer list. */
  requestMore(serverId: ServerId, all: boolean): Promise<void>;
  /** Cancels what is being requested of the list. What was received is shown. */
  cancelLoad(serverId: ServerId): Promise<void>;
  /** Pulls the list of a connection unless it has been pulled already: each connection has its own list. */
  ensure(serverId: ServerId, connectionId: ConnectionId): void;
  /** The user has begun to work with the list: from now on it does not change automatically. */
  setInUse(serverId: ServerId): void;
  /** Replaces an item, or adds it. */
  put(serverId: ServerId, item: T): void;
  patch(serverId: ServerId, change: Partial<ServerList<T>>): void;
};

/** One kind of list, for all servers. */
export function createServerList<T>(source: ListSource<T>, events: AppEvents): ServerListStore<T> {
  const store = createStore<Record<ServerId, ServerList<T>>>(() => ({}));
  const runs = new Map<ServerId, number>();
  /** The newest change of each server that waits for the end of a pull. */
  const waiting = new Map<ServerId, number>();
  const pulledFor = new Map<ServerId, ConnectionId>();
  const inUse = new Set<ServerId>();
  const silentRefreshes = new Map<ServerId, number>();

  const get = (serverId: ServerId): ServerList<T> => store.getState()[serverId] ?? emptyList();
  const patch = (serverId: ServerId, change: Partial<ServerList<T>>): void =>
    store.setState({ [serverId]: { ...get(serverId), ...change } });

  async function run(
    serverId: ServerId,
    pull: (isCurrent: () => boolean) => Promise<Partial<ServerList<T>> & { stale: Staleness | null }>,
  ): Promise<void> {
    const id = (runs.get(serverId) ?? 0) + 1;
    runs.set(serverId, id);
    patch(serverId, { loading: true });
    try {
      const pulled = await pull(() => runs.get(serverId) === id);
      if (runs.get(serverId) !== id) return;
      const again = pulled.stale === 'changed' && mayRefresh(serverId);
      patch(serverId, {
        ...pulled,
        stale: again ? null : pulled.stale,
        loading: again,
        error: pulled.error ?? null,
        known: true,
      });
      if (again) await load(serverId, true);
    } catch (thrown) {
      if (runs.get(serverId) === id)
        patch(serverId, { loading: false, error: commandError(thrown), known: true });
    }
  }

  /** Whether a changed list is requested again without asking the user; counts it if so. */
  function mayRefresh(serverId: ServerId): boolean {
    const count = silentRefreshes.get(serverId) ?? 0;
    if (inUse.has(serverId) || count >= MAX_SILENT_REFRESHES) return false;
    silentRefreshes.set(serverId, count + 1);
    return true;
  }

  const load = (serverId: ServerId, refresh: boolean): Promise<void> =>
    run(serverId, (isCurrent) => {
      const { known, rows: before } = get(serverId);
      // Instead of nothing: a list that is shown changes only as a whole.
      const begin = (rows: ListRow<T>[], { total }: ListPage<T>): void => {
        if (!known && isCurrent()) patch(serverId, { rows, total });
      };
      return pullPages(source, { serverId, refresh, cursor: null }, before, begin);
    });

  const requestMore = (serverId: ServerId, all: boolean): Promise<void> =>
    run(serverId, async () => {
      await source.requestMore?.(serverId, all);
      return pullPages(source, { serverId, refresh: false, cursor: null }, get(serverId).rows);
    });

  async function cancelLoad(serverId: ServerId): Promise<void> {
    try {
      await source.cancel(serverId);
    } catch (thrown) {
      patch(serverId, { error: commandError(thrown) });
    }
  }

  /** Pulls the list of a new connection, with as many pages as were shown of the last one: what is selected may be in any. */
  const loadAsBefore = (serverId: ServerId, { pages, hasMore, rows }: ServerList<T>): Promise<void> =>
    run(serverId, async () => {
      const pull = () => pullPages(source, { serverId, refresh: false, cursor: null }, rows);
      const first = await pull();
      if (!first.hasMore || first.pages >= pages) return first;
      try {
        await requestPages(source, serverId, hasMore ? pages - first.pages : Infinity);
      } catch (thrown) {
        return { ...(await pull()), error: commandError(thrown) };
      }
      return pull();
    });

  function ensure(serverId: ServerId, connectionId: ConnectionId): void {
    const before = get(serverId);
    const isNew = pulledFor.get(serverId) !== connectionId;
    if (!isNew && !hasExpired(before)) return;
    if (isNew) {
      inUse.delete(serverId);
      silentRefreshes.delete(serverId);
    }
    pulledFor.set(serverId, connectionId);
    void (isNew && before.pages > 1 ? loadAsBefore(serverId, before) : load(serverId, false));
  }

  function put(serverId: ServerId, item: T): void {
    const { rows } = get(serverId);
    const id = source.idOf(item);
    const row = toRow(source, item);
    const isKnown = rows.some((each) => source.idOf(each.item) === id);
    patch(serverId, {
      rows: isKnown ? rows.map((each) => (source.idOf(each.item) === id ? row : each)) : [...rows, row],
    });
  }

  /** A list that is being pulled may be the one announced; pulling it twice would only delay it. */
  function onChange(serverId: ServerId, revision: number): void {
    const list = store.getState()[serverId];
    if (list === undefined || list.revision >= revision) return;
    if (!list.loading) {
      void load(serverId, false);
      return;
    }
    const isWaiting = waiting.has(serverId);
    waiting.set(serverId, revision);
    if (isWaiting) return;
    setTimeout(() => {
      const newest = waiting.get(serverId) ?? revision;
      waiting.delete(serverId);
      onChange(serverId, newest);
    }, RELOAD_AFTER_MS);
  }

  if (source.topic !== null) {
    events.subscribe(source.topic, ({ serverId, revision }) => {
      if (serverId !== null) onChange(serverId, revision);
    });
  }
  events.onResync(() => {
    for (const serverId of Object.keys(store.getState()) as ServerId[]) void load(serverId, false);
  });

  return Object.assign(store, {
    load,
    requestMore,
    cancelLoad,
    ensure,
    setInUse: (serverId: ServerId) => void inUse.add(serverId),
    put,
    patch,
  });
}

/**
 * Pulls the pages from `first` on. The rows of a page are made as soon as it is there, while the next one is under way: all
 * rows at the end would be one long task, with the engine waiting for it. `begin` gets the rows of the first page of several.
 */
async function pullPages<T>(
  source: ListSource<T>,
  first: ListParams,
  before: ListRow<T>[],
  begin?: (rows: ListRow<T>[], page: ListPage<T>) => void,
): Promise<Omit<ListPage<T>, 'items'> & { rows: ListRow<T>[] }> {
  const pages: ListPage<T>[] = [];
  const rows: ListRow<T>[] = [];
  let pending: Promise<ListPage<T>> | null = source.pull(first);
  while (pending !== null) {
    // Each page names the next one.
    // oxlint-disable-next-line no-await-in-loop
    const page: ListPage<T> = await pending;
    pages.push(page);
    const isLast = page.nextCursor === null || pages.length >= MAX_PAGES;
    pending = isLast ? null : source.pull({ ...first, refresh: false, cursor: page.nextCursor });
    for (const item of page.items) rows.push(toRow(source, item, before[rows.length]));
    if (pages.length === 1 && !isLast) begin?.([...rows], page);
  }
  return { ...lastOf(pages), rows };
}

/** Requests further pages of the server, one after the other; all of them if `count` is infinite. */
async function requestPages<T>(source: ListSource<T>, serverId: ServerId, count: number): Promise<void> {
  const all = count === Infinity;
  for (let left = count; left > 0; left -= all ? Infinity : 1) {
    // Each page has the cursor of the next one.
    // oxlint-disable-next-line no-await-in-loop
    const more = await source.requestMore?.(serverId, all);
    if (more?.hasMore !== true) return;
  }
}

/** What the pages say about the list as a whole. */
function lastOf<T>(pages: ListPage<T>[]): Omit<ListPage<T>, 'items'> {
  const { items: _, ...last } = pages.at(-1) ?? { ...EMPTY, items: [] };
  return {
    ...last,
    violations: pages[0]?.violations ?? [],
    // Of pages from two lists, the older one counts: the change after it is then pulled.
    revision: Math.min(...pages.map((page) => page.revision)),
  };
}

/** Whether a list is older than its server allows and has not been marked yet. */
function hasExpired({ stale, freshness }: ServerList<unknown>): boolean {
  // A lifetime of 0 ms is shown with the list, so its end is not reported.
  return (
    stale === null &&
    freshness !== null &&
    freshness.ttlMs > 0 &&
    Date.now() > freshness.sinceAtMs + freshness.ttlMs
  );
}

/** The row of an item; `before` if that is equal, so that it is not rendered again. */
function toRow<T>(source: ListSource<T>, item: T, before?: ListRow<T>): ListRow<T> {
  if (before !== undefined && keepSame(before.item, item) === before.item) return before;
  return { item, text: source.textOf(item).toLowerCase() };
}

/** The rows that contain every word of the query; those with all of them in the name come first. */
export function filterRows<T>(rows: ListRow<T>[], query: string): ListRow<T>[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return rows;
  const named: ListRow<T>[] = [];
  const described: ListRow<T>[] = [];
  for (const row of rows) {
    const place = find(row.text, words);
    if (place !== null) (place === 'name' ? named : described).push(row);
  }
  return described.length === 0 ? named : [...named, ...described];
}

/** Where the words are in a row's text. Without closures: the first key of a search looks through thousands of rows. */
function find(text: string, words: readonly string[]): 'name' | 'description' | null {
  let last = 0;
  for (const word of words) {
    const at = text.indexOf(word);
    if (at < 0) return null;
    if (at > last) last = at;
  }
  return last < text.indexOf('\n') ? 'name' : 'description';
}
