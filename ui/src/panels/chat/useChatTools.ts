import { useEffect, useState } from 'react';
import { useStore } from 'zustand';
import type { AppEvent, ChatItem, ChatToolsResponse, CommandError } from '../../contract/generated';
import { type ConversationStore, idOf } from '../../model/chat/conversation';
import { coalesce } from '../../model/store/coalesce';
import { commandError } from '../../model/store/errors';
import { useModel, useServers } from '../../model/workspace/context';

/** A server may report changes without end. */
const PULL_EVERY_MS = 250;

/**
 * What the model gets now: pulled again when the settings, a connection, a list of tools or what is accepted of it changes, and
 * when the model has searched for tools.
 */
export function useChatTools(conversation: ConversationStore): {
  data: ChatToolsResponse | undefined;
  error: CommandError | null;
} {
  const { host, events } = useModel();
  const { chatId } = conversation;
  const settings = useStore(conversation, (state) => state.settings);
  const searched = useStore(conversation, ({ items }) => lastSearch(items));
  const states = useServers(({ items }) =>
    (items ?? [])
      .filter(({ id }) => settings?.servers.includes(id) === true)
      .map(({ id, connection }) => `${id} ${connection.state}`)
      .join(' '),
  );
  const [data, setData] = useState<ChatToolsResponse>();
  const [error, setError] = useState<CommandError | null>(null);
  useEffect(() => {
    let current = true;
    const pull = coalesce(async () => {
      if (!current) return;
      try {
        const response = await host.call('chat_tools', { chatId });
        if (!current) return;
        setData(response);
        setError(null);
      } catch (thrown) {
        if (current) setError(commandError(thrown));
      }
    }, PULL_EVERY_MS);
    void pull();
    const onChange = ({ serverId }: AppEvent): void => {
      if (serverId !== null && settings?.servers.includes(serverId) === true) void pull();
    };
    const stops = [
      events.subscribe('tools', onChange),
      events.subscribe('toolDefinitions', onChange),
      events.onResync(() => void pull()),
    ];
    return () => {
      current = false;
      for (const stop of stops) stop();
    };
  }, [host, events, chatId, settings, states, searched]);
  return { data, error };
}

/** The last call that has a result and was sent to no server: a search of the model for tools. */
function lastSearch(items: readonly ChatItem[]): string | undefined {
  const search = items.findLast(
    (item) => item.type === 'call' && item.call.serverId === null && item.call.state === 'done',
  );
  return search && idOf(search);
}
