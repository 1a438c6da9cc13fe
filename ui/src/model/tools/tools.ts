import { createStore, type StoreApi } from 'zustand/vanilla';
import type {
  CommandError,
  ConnectionId,
  Freshness,
  ServerId,
  Staleness,
  ToolItem,
  ToolListResponse,
  ViolationItem,
} from '../../contract/generated';
import type { Host } from '../../host/host';
import type { AppEvents } from '../workspace/appEvents';
import { commandError } from '../store/errors';
import { keepSame } from '../store/keepSame';

/** A tool with what a search looks at, made lower-case once. */
export interface ToolRow {
  item: ToolItem;
  key: string;
}

/** The tools of one server, as far as known. */
export interface ToolList {
  rows: ToolRow[];
  total: number;
  supported: boolean;
  /** Why the list may no longer be right; it is asked for anew only when somebody wants it. */
  stale: Staleness | null;
  /** How long the server says it is fresh (2026-07-28). */
  freshness: Freshness | null;
  violations: ViolationItem[];
  /** Of the nudge that told of it. */
  revision: number;
  /** Being pulled for the first time or anew. */
  loading: boolean;
  /** Why it could not be pulled; rows are then those from before. */
  error: CommandError | null;
  /** False until an answer came. */
  known: boolean;
}

export const noTools: ToolList = {
  rows: [],
  total: 0,
  supported: true,
  stale: null,
  freshness: null,
  violations: [],
  revision: 0,
  loading: false,
  error: null,
  known: false,
};

/** How long a change waits while the list is being pulled, in ms. */
const RELOAD_AFTER_MS = 250;
/** More pages than this are not asked for. */
const MAX_PAGES = 500;

export type ToolsStore = StoreApi<Record<ServerId, ToolList>> & {
  /** Pulls the list; `ask`: from the server again, instead of what was listed last. */
  load(serverId: ServerId, ask: boolean): Promise<void>;
  /** Pulls the list of a connection, unless it is here already: each connection has its own. */
  ensure(serverId: ServerId, connectionId: ConnectionId): void;
};

/** The tool lists of all servers. */
export function createTools(host: Host, events: AppEvents): ToolsStore {
  const store = createStore<Record<ServerId, ToolList>>(() => ({}));
  const runs = new Map<ServerId, number>();
  /** Changes that wait for the end of a pull: the newest of each server. */
  const waiting = new Map<ServerId, number>();
  const pulledFor = new Map<ServerId, ConnectionId>();

  function set(serverId: ServerId, change: Partial<ToolList>): void {
    store.setState((lists) => ({ [serverId]: { ...(lists[serverId] ?? noTools), ...change } }));
  }

  async function load(serverId: ServerId, ask: boolean): Promise<void> {
    const run = (runs.get(serverId) ?? 0) + 1;
    runs.set(serverId, run);
    set(serverId, { loading: true });
    try {
      const pages = await pull(serverId, ask);
      if (runs.get(serverId) !== run) return;
      const last = pages.at(-1);
      set(serverId, {
        rows: rowsOf(pages, store.getState()[serverId]?.rows ?? []),
        total: last?.total ?? 0,
        supported: last?.supported ?? true,
        stale: last?.stale ?? null,
        freshness: last?.freshness ?? null,
        violations: pages[0]?.violations ?? [],
        // Of pages from two lists the older one: what came after it is pulled.
        revision: Math.min(...pages.map((page) => page.revision)),
        loading: false,
        error: null,
        known: true,
      });
    } catch (thrown) {
      if (runs.get(serverId) === run)
        set(serverId, { loading: false, error: commandError(thrown), known: true });
    }
  }

  async function pull(serverId: ServerId, ask: boolean): Promise<ToolListResponse[]> {
    const pages: ToolListResponse[] = [];
    let cursor: string | null = null;
    do {
      // Each page names the next one.
      // oxlint-disable-next-line no-await-in-loop
      const page: ToolListResponse = await host.call('tool_list', {
        serverId,
        refresh: ask && cursor === null,
        cursor,
      });
      pages.push(page);
      cursor = page.nextCursor;
    } while (cursor !== null && pages.length < MAX_PAGES);
    return pages;
  }

  function ensure(serverId: ServerId, connectionId: ConnectionId): void {
    if (pulledFor.get(serverId) === connectionId && !hasExpired(store.getState()[serverId])) return;
    pulledFor.set(serverId, connectionId);
    void load(serverId, false);
  }

  /** Pulls a list that changed. One that is being pulled may be just that list: pulled twice, it would come later. */
  function reload(serverId: ServerId, revision: number): void {
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
      reload(serverId, newest);
    }, RELOAD_AFTER_MS);
  }

  events.subscribe((event) => {
    if (event.type === 'toolsChanged') reload(event.serverId, event.revision);
  });
  events.onResync(() => {
    for (const serverId of Object.keys(store.getState()) as ServerId[]) void load(serverId, false);
  });

  return Object.assign(store, { load, ensure });
}

/** Whether a list is older than its server wants it kept, and not marked yet. */
function hasExpired(list: ToolList | undefined): boolean {
  const freshness = list?.stale === null ? list.freshness : null;
  // 0 ms: never to be kept, which is shown and no news later.
  return freshness !== null && freshness.ttlMs > 0 && Date.now() > freshness.sinceAtMs + freshness.ttlMs;
}

/** The rows of these pages; those of `before` that are the same, so that they are not drawn anew. */
function rowsOf(pages: ToolListResponse[], before: ToolRow[]): ToolRow[] {
  const items = pages.flatMap((page) => page.items);
  return items.map((item, at) => {
    const old = before[at];
    return old !== undefined && keepSame(old.item, item) === old.item ? old : toRow(item);
  });
}

export function toRow(item: ToolItem): ToolRow {
  return { item, key: `${item.name}\n${item.title ?? ''}\n${item.description ?? ''}`.toLowerCase() };
}

/** The rows that hold every word of the query; those with all of them in the name come first. */
export function filterTools(rows: ToolRow[], query: string): ToolRow[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return rows;
  const named: ToolRow[] = [];
  const described: ToolRow[] = [];
  for (const row of rows) {
    if (!words.every((word) => row.key.includes(word))) continue;
    const nameEnd = row.key.indexOf('\n');
    const inName = words.every((word) => {
      const at = row.key.indexOf(word);
      return at >= 0 && at < nameEnd;
    });
    (inName ? named : described).push(row);
  }
  return [...named, ...described];
}
