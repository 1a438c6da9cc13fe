import { createStore, type StoreApi } from 'zustand/vanilla';
import type {
  ExchangeId,
  Seq,
  ServerId,
  SubscriptionEnd,
  SubscriptionEvent,
  SubscriptionFilter,
} from '../../../contract/generated';
import type { Host, StreamHandle } from '../../../host/host';

/** The subscriptions of all servers. They stay open whichever panel is shown. */

/** The notifications about one subject. */
export interface NotificationCount {
  method: string;
  /** The resource or task; null for a list. */
  subject: string | null;
  count: number;
  /** The newest record. */
  seq: Seq;
}

export interface Subscription {
  id: number;
  filter: SubscriptionFilter;
  openedAtMs: number;
  exchangeId: ExchangeId | null;
  /** The record of the request. */
  seq: Seq | null;
  /** Null until the server has acknowledged it. */
  granted: SubscriptionFilter | null;
  acknowledgedSeq: Seq | null;
  /** What was requested but not granted. */
  refused: string[];
  notifications: NotificationCount[];
  /** How it ended; null while it is open. */
  ended: { end: SubscriptionEnd; reason: string; seq: Seq | null } | null;
}

/** How many ended subscriptions are kept per server. */
const KEEP = 20;
/** How many subjects are counted separately. */
const MAX_SUBJECTS = 200;

export const noSubscriptions: readonly Subscription[] = [];

export type SubscriptionsStore = StoreApi<Record<ServerId, readonly Subscription[]>> & {
  /** Opens a subscription; its events arrive in the store. */
  open(serverId: ServerId, filter: SubscriptionFilter): void;
  /** Ends a subscription. */
  close(serverId: ServerId, id: number): void;
  /** Ends a subscription to a resource; what it is for besides goes on with another subscription. */
  leave(serverId: ServerId, id: number, uri: string): void;
  /** Removes ended subscriptions. */
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
      notifications: [],
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
              // What was granted cannot be refused any more.
              end: old.granted === null && error !== undefined ? 'refused' : 'abrupt',
              reason: error?.message ?? 'Patchbay closed the stream without a reason.',
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

  function leave(serverId: ServerId, id: number, uri: string): void {
    const left = of(serverId).find((each) => each.id === id);
    if (left === undefined) return;
    const rest = withoutResource(left.filter, uri);
    // The other one is opened first, so that the server need not end what goes on.
    if (!isNothing(rest)) open(serverId, rest);
    close(serverId, id);
  }

  function forgetEnded(serverId: ServerId): void {
    store.setState({ [serverId]: of(serverId).filter(({ ended }) => ended === null) });
  }

  return Object.assign(store, { open, close, leave, forgetEnded });
}

function fromEvent(event: SubscriptionEvent, old: Subscription): Partial<Subscription> {
  switch (event.type) {
    case 'opened':
      return { exchangeId: event.exchangeId, seq: event.seq };
    case 'acknowledged':
      return { granted: event.granted, refused: event.refused, acknowledgedSeq: event.seq };
    case 'notified':
      return { notifications: counted(old.notifications, event) };
    case 'ended':
      return { ended: { end: event.end, reason: event.reason, seq: event.seq } };
  }
}

function counted(
  before: NotificationCount[],
  { method, subject, count, seq }: NotificationCount,
): NotificationCount[] {
  const known = before.find((each) => each.method === method && each.subject === subject);
  if (known === undefined) return [...before, { method, subject, count, seq }].slice(-MAX_SUBJECTS);
  return before.map((each) => (each === known ? { ...each, count: each.count + count, seq } : each));
}

function keepNewest(all: Subscription[]): Subscription[] {
  let over = 0;
  return all.filter(({ ended }) => {
    if (ended === null) return true;
    over += 1;
    return over <= KEEP;
  });
}

function withoutResource(filter: SubscriptionFilter, uri: string): SubscriptionFilter {
  return { ...filter, resourceUris: filter.resourceUris.filter((each) => each !== uri) };
}

/** Whether a subscription is for one resource and nothing else. */
export function isAlone({ filter }: Subscription, uri: string): boolean {
  return filter.resourceUris.includes(uri) && isNothing(withoutResource(filter, uri));
}

function isNothing(filter: SubscriptionFilter): boolean {
  const { resourceUris, taskIds } = filter;
  const hasList = filter.toolsListChanged || filter.promptsListChanged || filter.resourcesListChanged;
  return !hasList && resourceUris.length === 0 && taskIds.length === 0;
}

/** Whether an open subscription tells about a resource: granted, or not answered yet. */
export function tellsAbout(subscription: Subscription, uri: string): boolean {
  return toldUris(subscription).includes(uri);
}

/** The resources that an open subscription tells about. */
export function toldUris({ filter, granted, ended }: Subscription): readonly string[] {
  return ended === null ? (granted ?? filter).resourceUris : [];
}

/** A filter in words: `tools, file:///a, task 7`. */
export function filterInWords(filter: SubscriptionFilter): string {
  const words = [
    filter.toolsListChanged && 'tool list',
    filter.promptsListChanged && 'prompt list',
    filter.resourcesListChanged && 'resource list',
    ...filter.resourceUris,
    ...filter.taskIds.map((id) => `task ${id}`),
  ].filter((word) => word !== false);
  return words.length === 0 ? 'nothing' : words.join(', ');
}

/** The state of a subscription in a word. */
export function subscriptionWord({ granted, ended }: Subscription): string {
  if (ended === null) return granted === null ? 'Opening' : 'Open';
  switch (ended.end) {
    case 'graceful':
      return 'Ended by the server';
    case 'abrupt':
      return 'Interrupted';
    case 'refused':
      return 'Rejected';
    case 'cancelled':
      return 'Ended by you';
  }
}
