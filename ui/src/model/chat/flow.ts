import type { ChatCall, ChatItem, ChatSeen } from '../../contract/generated';
import { idOf } from './conversation';

/** A part of an item that a server got in the arguments of a call. */
export interface Taken {
  server: string;
  alias: string;
  excerpt: string;
}

/** Who was sent an item. */
export interface SeenBy {
  /** Models got it as their requests have it: long results are cut, and some media are words. */
  models: readonly string[];
  /** Servers got what is quoted; of a call its own server got the arguments. */
  servers: readonly Taken[];
}

interface Places {
  places: ReadonlyMap<string, number>;
  taken: ReadonlyMap<string, readonly Taken[]>;
}

/** Whether its server was sent a call. */
export function wasSent({ state, requestSeq }: ChatCall): boolean {
  return requestSeq !== null && state !== 'waiting' && state !== 'denied' && state !== 'notRun';
}

const KNOWN = new WeakMap<readonly ChatItem[], Places>();

/** Where the items are and what servers got of them; once for the same items, because every badge asks. */
function placesOf(items: readonly ChatItem[]): Places {
  const known = KNOWN.get(items);
  if (known !== undefined) return known;
  const places = new Map<string, number>();
  const taken = new Map<string, Taken[]>();
  for (const [at, item] of items.entries()) {
    places.set(idOf(item), at);
    if (item.type !== 'call' || !wasSent(item.call)) continue;
    const { alias, serverName: server, carried } = item.call;
    for (const { item: id, excerpt } of carried) {
      const all = taken.get(id) ?? [];
      all.push({ server, alias, excerpt });
      taken.set(id, all);
    }
  }
  const made = { places, taken };
  KNOWN.set(items, made);
  return made;
}

/** Who was sent an item of a conversation. */
export function seenBy(id: string, items: readonly ChatItem[], seen: readonly ChatSeen[]): SeenBy {
  const { places, taken } = placesOf(items);
  const place = places.get(id);
  const models = seen.filter(({ upTo }) => {
    const last = places.get(upTo);
    return place !== undefined && last !== undefined && place <= last;
  });
  return { models: models.map(({ by }) => by), servers: taken.get(id) ?? [] };
}

/** The names in a badge: models, then servers, each once. */
export function namesOf({ models, servers }: SeenBy): string[] {
  return [...new Set([...models, ...servers.map(({ server }) => server)])];
}

/** What a request has of an item depends on limits and on the provider. */
const AS_SENT =
  'A request cuts long results and may have words in place of media: see “Request” at the answer.';

/** The whole of a badge in sentences; empty if nobody was sent anything. */
export function inWords({ models, servers }: SeenBy): string {
  const all = models.map((model) => `${model} received it.`);
  if (all.length > 0) all.push(AS_SENT);
  const parts = servers.map(
    ({ server, alias, excerpt }) => `${server} received “${excerpt}” in a call to ${alias}.`,
  );
  return [...all, ...parts].join('\n');
}
