import { createStore, type StoreApi } from 'zustand/vanilla';
import type {
  ExchangeId,
  Seq,
  ServerId,
  SubscriptionEnd,
  SubscriptionEvent,
  SubscriptionFilter,
} from '../../contract/generated';
import type { Host, StreamHandle } from '../../host/host';

/** Subscriptions, kept apart from the panel that shows them: they go on whatever is looked at meanwhile. */

/** What was told of one thing. */
export interface Told {
  method: string;
  /** The resource or task; none of a list. */
  subject: string | null;
  count: number;
  /** The newest record of it. */
  seq: Seq;
}

export interface Subscription {
  id: number;
  filter: SubscriptionFilter;
  openedAtMs: number;
  exchangeId: ExchangeId | null;
  /** The request's record. */
  seq: Seq | null;
  /** None until it is acknowledged. */
  granted: SubscriptionFilter | null;
  acknowledgedSeq: Seq | null;
  /** What was asked for and will not be told. */
  refused: string[];
  told: Told[];
  /** How it ended; none while it goes on. */
  ended: { end: SubscriptionEnd; reason: string; seq: Seq | null } | null;
}

/** How many that ended are kept per server. */
const KEEP = 20;
/** So many different things are counted one by one. */
const MOST_TOLD = 200;

export const noSubscriptions: readonly Subscription[] = [];

export type SubscriptionsStore = StoreApi<Record<ServerId, readonly Subscription[]>> & {
  /** Opens one. Its events come into the store. */
  open(serverId: ServerId, filter: SubscriptionFilter): void;
  /** Ends one. */
  close(serverId: ServerId, id: number): void;
  /** Forgets those that ended. */
  forgetEnded(serverId: ServerId): void;
};

export function createSubscriptions(host: Host, now: () => number): SubscriptionsStore {
  const store = createStore<Record<ServerId, readonly Subscription[]>>(() => ({}));
  const handles = new Map<number, StreamHandle>();
  let lastId = 0;

  function of(serverId: ServerId): readonly Subscription[] {
    return store.getState()[serverId] ?? noSubscriptions;
  }

  function update(
    serverId: ServerId,
    id: number,
    change: (old: Subscription) => Partial<Subscription>,
  ): void {
    store.setState({
      [serverId]: of(serverId).map((each) => (each.id === id ? { ...each, ...change(each) } : each)),
    });
  }

  function open(serverId: ServerId, filter: SubscriptionFilter): void {
    lastId += 1;
    const id = lastId;
    const opened: Subscription = {
      id,
      filter,
      openedAtMs: now(),
      exchangeId: null,
      seq: null,
      granted: null,
      acknowledgedSeq: null,
      refused: [],
      told: [],
      ended: null,
    };
    store.setState({ [serverId]: keepNewest([opened, ...of(serverId)]) });
    const handle = host.openStream(
      'subscription_open',
      { serverId, filter },
      {
        onEvent: (event) => update(serverId, id, (old) => fromEvent(event, old)),
        onEnd: (error) => {
          handles.delete(id);
          update(serverId, id, (old) => ({
            ended: old.ended ?? {
              end: error === undefined ? 'abrupt' : 'refused',
              reason: error?.message ?? 'The engine ended it without saying how.',
              seq: null,
            },
          }));
        },
      },
    );
    handles.set(id, handle);
  }

  function close(serverId: ServerId, id: number): void {
    handles.get(id)?.close();
    handles.delete(id);
    update(serverId, id, (old) => ({
      ended: old.ended ?? { end: 'cancelled', reason: 'You ended it.', seq: null },
    }));
  }

  function forgetEnded(serverId: ServerId): void {
    store.setState({ [serverId]: of(serverId).filter(({ ended }) => ended === null) });
  }

  return Object.assign(store, { open, close, forgetEnded });
}

function fromEvent(event: SubscriptionEvent, old: Subscription): Partial<Subscription> {
  switch (event.type) {
    case 'opened':
      return { exchangeId: event.exchangeId, seq: event.seq };
    case 'acknowledged':
      return { granted: event.granted, refused: event.refused, acknowledgedSeq: event.seq };
    case 'notified':
      return { told: withTold(old.told, event) };
    case 'ended':
      return { ended: { end: event.end, reason: event.reason, seq: event.seq } };
  }
}

function withTold(told: Told[], { method, subject, count, seq }: Told): Told[] {
  const known = told.find((each) => each.method === method && each.subject === subject);
  if (known === undefined) return [...told, { method, subject, count, seq }].slice(-MOST_TOLD);
  return told.map((each) => (each === known ? { ...each, count: each.count + count, seq } : each));
}

function keepNewest(all: Subscription[]): Subscription[] {
  let over = 0;
  return all.filter(({ ended }) => {
    if (ended === null) return true;
    over += 1;
    return over <= KEEP;
  });
}

/** A filter in words: `tools, file:///a, task 7`. */
export function filterInWords(filter: SubscriptionFilter): string {
  const words = [
    filter.toolsListChanged && 'list of tools',
    filter.promptsListChanged && 'list of prompts',
    filter.resourcesListChanged && 'list of resources',
    ...filter.resourceUris,
    ...filter.taskIds.map((id) => `task ${id}`),
  ].filter((word) => word !== false);
  return words.length === 0 ? 'nothing' : words.join(', ');
}

/** How a subscription stands, in a word. */
export function subscriptionWord({ granted, ended }: Subscription): string {
  if (ended === null) return granted === null ? 'Opening' : 'Open';
  switch (ended.end) {
    case 'graceful':
      return 'Ended by the server';
    case 'abrupt':
      return 'Broken off';
    case 'refused':
      return 'Refused';
    case 'cancelled':
      return 'Ended by you';
  }
}
