import type { Seq, ServerId } from '../../../contract/generated';
import type { Exchange } from '../../exchange/exchange';
import { type ExchangesState, exchangesOf } from '../../exchange/exchanges';
import { type ResourceRequest, resourceKey } from '../../exchange/request';
import { type Subscription, tellsAbout } from '../subscriptions/subscriptions';

/** Which resources have changed since they were read, and their earlier reads. */

/** The newest notification about each resource. */
export function newestUpdates(subscriptions: readonly Subscription[]): Map<string, Seq> {
  const newest = new Map<string, Seq>();
  for (const { notifications } of subscriptions) {
    for (const { method, subject, seq } of notifications) {
      if (method !== 'notifications/resources/updated' || subject === null) continue;
      const known = newest.get(subject);
      if (known === undefined || isLater(seq, known)) newest.set(subject, seq);
    }
  }
  return newest;
}

/** The URIs of the resources that have changed since they were last requested, or that were never read. */
export function changedUris(
  updates: ReadonlyMap<string, Seq>,
  exchanges: ExchangesState,
  serverId: ServerId,
): string[] {
  return [...updates].flatMap(([uri, seq]) => {
    const { items } = exchangesOf(exchanges, resourceKey(serverId, uri));
    const read = items.find(isRead);
    const isKnown = read !== undefined && read.requestSeq !== null;
    return isKnown && !hasChangedSince(read, seq) ? [] : [uri];
  });
}

/** Whether a resource has changed after a read returned its contents; `update`: the newest notification about it. */
export function hasChangedSince(read: Exchange, update: Seq | undefined): boolean {
  const { requestSeq } = read;
  return isRead(read) && requestSeq !== null && update !== undefined && isLater(update, requestSeq);
}

/** The reads of a resource that returned contents, newest first. */
export function successfulReads(items: readonly Exchange<ResourceRequest>[]): Exchange<ResourceRequest>[] {
  return items.filter(isRead);
}

function isRead({ outcome }: Exchange): boolean {
  return outcome?.type === 'result' && outcome.view.type === 'resource';
}

/** Whether a record comes after another. */
function isLater(a: Seq, b: Seq): boolean {
  return BigInt(a) > BigInt(b);
}

/** The subscription that tells about a resource; else one that is open but does not, or the newest one that ended. */
export function subscriptionTo(
  subscriptions: readonly Subscription[],
  uri: string,
): Subscription | undefined {
  const about = subscriptions.filter(({ filter }) => filter.resourceUris.includes(uri));
  return about.find((each) => tellsAbout(each, uri)) ?? about.find(({ ended }) => ended === null) ?? about[0];
}

/** Why the server does not tell about a resource that an open subscription asks for; null if it does, or has not answered. */
export function refusalOf({ granted, refused, ended }: Subscription, uri: string): string | null {
  if (ended !== null || granted === null || granted.resourceUris.includes(uri)) return null;
  const about = `the resource ${uri}`;
  return refused.find((each) => each === about || each.startsWith(`${about}: `)) ?? about;
}
