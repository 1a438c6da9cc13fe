import { useEffect, useState } from 'react';
import { useStore } from 'zustand';
import type { CommandError, ServerId } from '../../../contract/generated';
import type { ConversationStore } from '../../../model/chat/conversation';
import { commandError } from '../../../model/store/errors';
import { useModel, useServers } from '../../../model/workspace/context';

/** What a server offers. */
export interface Offer<T> {
  serverId: ServerId;
  serverName: string;
  item: T;
}

/** One page of what a server offers. */
interface Page<T> {
  items: readonly T[];
  nextCursor: string | null;
}

/** More pages of a server are not listed: what they have cannot be found here, which is said. */
const MAX_PAGES = 40;

interface Offers<T> {
  offers: readonly Offer<T>[] | undefined;
  /** Why servers could not be listed; each names its server. The others are offered. */
  errors: readonly CommandError[];
  /** The servers that have more than is listed, by name. */
  cut: readonly string[];
}

/** Says of which servers not everything is listed, and where the rest is. */
export function cutWords(cut: readonly string[]): string {
  return `Only the first ${MAX_PAGES} pages of ${cut.join(', ')} are listed. Explore has the others.`;
}

/** What the chosen servers that are connected offer, listed when this is first shown. */
export function useOffers<T>(
  conversation: ConversationStore,
  list: (serverId: ServerId, cursor: string | null) => Promise<Page<T>>,
): Offers<T> {
  const { servers } = useModel();
  const chosen = useStore(conversation, (state) => state.settings?.servers);
  const ready = useServers(({ items }) =>
    (items ?? [])
      .filter(({ id, connection }) => chosen?.includes(id) === true && connection.state === 'ready')
      .map(({ id }) => id)
      .join(' '),
  );
  const [offers, setOffers] = useState<Offers<T>>({ offers: undefined, errors: [], cut: [] });
  useEffect(() => {
    let current = true;
    const all = (servers.getState().items ?? []).filter(({ id }) => ready.split(' ').includes(id));
    void Promise.all(
      all.map(async ({ id, draft: { name } }): Promise<Offers<T>> => {
        try {
          const { items, isCut } = await allOf((cursor) => list(id, cursor));
          const found = items.map((item) => ({ serverId: id, serverName: name, item }));
          return { offers: found, errors: [], cut: isCut ? [name] : [] };
        } catch (thrown) {
          const error = commandError(thrown);
          return { offers: [], errors: [{ ...error, message: `${name}: ${error.message}` }], cut: [] };
        }
      }),
    ).then((found) => {
      if (!current) return;
      setOffers({
        offers: found.flatMap((each) => each.offers ?? []),
        errors: found.flatMap(({ errors }) => errors),
        cut: found.flatMap(({ cut }) => cut),
      });
    });
    return () => void (current = false);
    // `list` is the same function in each render, with another identity.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [ready, servers]);
  return offers;
}

async function allOf<T>(
  list: (cursor: string | null) => Promise<Page<T>>,
): Promise<{ items: T[]; isCut: boolean }> {
  const items: T[] = [];
  let cursor: string | null = null;
  for (let page = 0; page < MAX_PAGES && (page === 0 || cursor !== null); page += 1) {
    // Each page names the next one.
    // oxlint-disable-next-line no-await-in-loop
    const next: Page<T> = await list(cursor);
    items.push(...next.items);
    cursor = next.nextCursor;
  }
  return { items, isCut: cursor !== null };
}
