import { createStore, type StoreApi } from 'zustand/vanilla';
import type {
  CommandError,
  ExchangeEvent,
  ExchangeFollowParams,
  ServerId,
  TaskItem,
} from '../../contract/generated';
import type { Host, StreamHandle } from '../../host/host';
import { Link } from '../../host/link';
import { cancelCall } from './cancelCall';
import {
  type Exchange,
  applyEvent,
  newExchange,
  outcomeOfLostLink,
  outcomeOfLostStream,
  outcomeOfReload,
} from './exchange';
import { type ExchangeKey, type ExchangeRequest, type ToolRequest, keyOf, send, toolKey } from './request';

/**
 * Every request the user has sent, kept apart from the panels that show them: a request continues, and its result stays,
 * whichever server or tool is shown meanwhile.
 */

/** The exchanges about one tool, resource, prompt, task or method of one server. */
export interface ExchangeList<R extends ExchangeRequest = ExchangeRequest> {
  /** Newest first; all that are running and at most 20 that have ended. */
  items: Exchange<R>[];
  /** The exchange whose result is shown, by `id`. */
  shown: number | null;
  /** The exchange with which the shown one is compared, by `id`; null shows its result. */
  compared: number | null;
}

/** How many exchanges that have ended are kept per key. */
const KEPT = 20;

const NO_EXCHANGES: ExchangeList = { items: [], shown: null, compared: null };

export type ExchangesState = Record<ExchangeKey, ExchangeList>;

export type ExchangesStore = StoreApi<ExchangesState> & {
  /** Sends a request; its events arrive in the store. */
  start(serverId: ServerId, request: ExchangeRequest): void;
  /** Asks the server to stop. */
  cancel(exchange: Exchange): Promise<void>;
  /** Stops waiting and forgets the exchange. */
  discard(exchange: Exchange): void;
  /** Takes over the exchanges of a page that was reloaded, and waits for the end of those that are running. */
  restore(lists: ExchangesState): void;
  /** Shows the result of another exchange. */
  show(key: ExchangeKey, id: number): void;
  /** Compares the shown exchange with another; null shows its result again. */
  compare(key: ExchangeKey, id: number | null): void;
};

/** `onTask` is called with every task that carries out one of these requests. */
export function createExchanges(
  host: Host,
  now: () => number,
  onTask: (serverId: ServerId, task: TaskItem) => void,
  link: Link = new Link(),
): ExchangesStore {
  const store = createStore<ExchangesState>(() => ({}));
  const handles = new Map<number, StreamHandle>();
  /** What is running while Patchbay cannot be reached, by id. */
  const interrupted = new Map<number, ExchangeKey>();
  let lastId = 0;

  const set = (key: ExchangeKey, change: Partial<ExchangeList>): void =>
    store.setState((lists) => ({ [key]: { ...(lists[key] ?? NO_EXCHANGES), ...change } }));
  const find = (key: ExchangeKey, id: number): Exchange | undefined =>
    store.getState()[key]?.items.find((each) => each.id === id);

  function update(key: ExchangeKey, id: number, change: Partial<Exchange>): void {
    const items = store.getState()[key]?.items;
    if (items !== undefined)
      set(key, { items: items.map((each) => (each.id === id ? { ...each, ...change } : each)) });
  }

  function start(serverId: ServerId, request: ExchangeRequest): void {
    const key = keyOf(serverId, request);
    lastId += 1;
    const id = lastId;
    const startedAtMs = now();
    const exchange = newExchange(id, serverId, request, startedAtMs);
    const items = withoutOldest([exchange, ...exchangesOf(store.getState(), key).items]);
    set(key, { items, shown: id, compared: null });
    handles.set(id, send(host, serverId, request, receiver(exchange, outcomeOfLostStream)));
  }

  /** Puts the events of an exchange into the store; `lost` is its outcome if they end without one. */
  function receiver({ id, serverId, request, startedAtMs }: Exchange, lost: typeof outcomeOfLostStream) {
    const key = keyOf(serverId, request);
    return {
      onEvent: (event: ExchangeEvent): void => {
        const before = find(key, id);
        if (before === undefined) return;
        update(key, id, applyEvent(before, event));
        if (event.type === 'task') onTask(serverId, event.task);
      },
      onEnd: (error?: CommandError): void => {
        handles.delete(id);
        const before = find(key, id);
        if (before === undefined || before.outcome !== null) return;
        if (link.status !== 'up' && followed(before) !== null) {
          interrupted.set(id, key);
          return;
        }
        update(key, id, { outcome: lost(before, error), durationMs: now() - startedAtMs });
      },
    };
  }

  /** Waits for the end of an exchange that began on another page or another connection; `lost` is its outcome if that fails. */
  function follow(exchange: Exchange, lost: typeof outcomeOfLostStream): void {
    const { id, serverId, request } = exchange;
    const params = followed(exchange);
    if (params === null) update(keyOf(serverId, request), id, { outcome: lost(exchange) });
    else handles.set(id, host.openStream('exchange_follow', params, receiver(exchange, lost)));
  }

  link.subscribe((status) => {
    if (status !== 'up') return;
    const all = [...interrupted];
    interrupted.clear();
    for (const [id, key] of all) {
      const exchange = find(key, id);
      if (exchange?.outcome === null) follow(exchange, outcomeOfLostLink);
    }
  });

  async function cancel({ id, serverId, request, exchangeId }: Exchange): Promise<void> {
    if (exchangeId === null) return;
    const key = keyOf(serverId, request);
    update(key, id, { cancelling: true });
    try {
      await cancelCall(host, exchangeId);
    } catch {
      // The user can try again.
      update(key, id, { cancelling: false });
    }
  }

  function discard({ id, serverId, request }: Exchange): void {
    handles.get(id)?.close();
    handles.delete(id);
    const key = keyOf(serverId, request);
    const items = exchangesOf(store.getState(), key).items.filter((each) => each.id !== id);
    set(key, { items, shown: items[0]?.id ?? null });
  }

  function restore(lists: ExchangesState): void {
    const ids = Object.values(lists).flatMap(({ items }) => items.map((each) => each.id));
    lastId = Math.max(lastId, ...ids);
    store.setState(lists);
    const all = Object.values(lists).flatMap(({ items }) => items);
    for (const exchange of all.filter(({ outcome }) => outcome === null)) follow(exchange, outcomeOfReload);
  }

  return Object.assign(store, {
    start,
    cancel,
    discard,
    restore,
    show: (key: ExchangeKey, id: number) => set(key, { shown: id }),
    compare: (key: ExchangeKey, id: number | null) => set(key, { compared: id }),
  });
}

/** What `exchange_follow` needs to wait for the end of an exchange; null if nothing can. */
function followed({ serverId, request, exchangeId, requestSeq }: Exchange): ExchangeFollowParams | null {
  if (exchangeId === null || requestSeq === null || request.type === 'task') return null;
  return { serverId, exchangeId, seq: requestSeq };
}

/** The exchanges of a key; the key says what they request. */
export function exchangesOf<R extends ExchangeRequest>(
  state: ExchangesState,
  key: ExchangeKey<R>,
): ExchangeList<R> {
  return (state[key] ?? NO_EXCHANGES) as ExchangeList<R>;
}

/** The exchange whose result is shown. */
export function shownExchange<R extends ExchangeRequest>(
  state: ExchangesState,
  key: ExchangeKey<R>,
): Exchange<R> | undefined {
  const { items, shown } = exchangesOf(state, key);
  return items.find(({ id }) => id === shown);
}

/** The exchange with which the shown one is compared, if it is. */
export function comparedExchange({ items, shown, compared }: ExchangeList): Exchange | undefined {
  if (compared === shown) return undefined;
  return items.find(({ id, outcome }) => id === compared && outcome !== null);
}

/** How close to the end of a connection a request was lost with it, in ms. */
const TOGETHER_MS = 3_000;

/** The requests to a server that were lost when its connection ended at this time, newest first. */
export function lostWith(state: ExchangesState, serverId: ServerId, endedAtMs: number): Exchange[] {
  return Object.values(state)
    .flatMap(({ items }) => items)
    .filter(({ outcome, startedAtMs, durationMs, serverId: asked }) => {
      if (asked !== serverId || outcome?.type !== 'connectionLost') return false;
      return Math.abs(startedAtMs + (durationMs ?? 0) - endedAtMs) < TOGETHER_MS;
    })
    .toSorted((a, b) => b.id - a.id)
    .slice(0, 5);
}

/** The names of the tools of a server that are running. */
export function runningTools(state: ExchangesState, serverId: ServerId): string[] {
  const start = toolKey(serverId, '');
  return (Object.keys(state) as ExchangeKey<ToolRequest>[])
    .filter((key) => key.startsWith(start) && state[key]?.items.some(({ outcome }) => outcome === null))
    .map((key) => key.slice(start.length));
}

function withoutOldest(items: Exchange[]): Exchange[] {
  let ended = 0;
  return items.filter(({ outcome }) => {
    if (outcome === null) return true;
    ended += 1;
    return ended < KEPT;
  });
}
