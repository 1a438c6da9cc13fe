import type { Seq, ServerId } from '../../../contract/generated';
import type { Exchange } from '../../exchange/exchange';
import { type ExchangesState, exchangesOf } from '../../exchange/exchanges';
import { type ResourceRequest, resourceKey } from '../../exchange/request';
import type { Subscription } from '../subscriptions/subscriptions';

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
    const read = items.find(isRead)?.requestSeq ?? null;
    return read === null || isLater(seq, read) ? [uri] : [];
  });
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

/** The subscription that is open for a resource, or else the newest one that ended. */
export function subscriptionTo(
  subscriptions: readonly Subscription[],
  uri: string,
): Subscription | undefined {
  const about = subscriptions.filter(({ filter }) => filter.resourceUris.includes(uri));
  return about.find(({ ended }) => ended === null) ?? about[0];
}
