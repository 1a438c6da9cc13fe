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

/** What the chosen servers that are connected offer, listed when this is first shown. */
export function useOffers<T>(
  conversation: ConversationStore,
  list: (serverId: ServerId) => Promise<readonly T[]>,
): { offers: readonly Offer<T>[] | undefined; error: CommandError | null } {
  const { servers } = useModel();
  const chosen = useStore(conversation, (state) => state.settings?.servers);
  const ready = useServers(({ items }) =>
    (items ?? [])
      .filter(({ id, connection }) => chosen?.includes(id) === true && connection.state === 'ready')
      .map(({ id }) => id)
      .join(' '),
  );
  const [offers, setOffers] = useState<readonly Offer<T>[]>();
  const [error, setError] = useState<CommandError | null>(null);
  useEffect(() => {
    let current = true;
    const all = (servers.getState().items ?? []).filter(({ id }) => ready.split(' ').includes(id));
    Promise.all(
      all.map(async ({ id, draft }) => {
        const items = await list(id);
        return items.map((item) => ({ serverId: id, serverName: draft.name, item }));
      }),
    )
      .then((found) => current && setOffers(found.flat()))
      .catch((thrown: unknown) => current && setError(commandError(thrown)));
    return () => void (current = false);
    // `list` is the same function in each render, with another identity.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [ready, servers]);
  return { offers, error };
}
