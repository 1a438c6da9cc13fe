import { useCallback, useEffect, useState } from 'react';
import { useStore } from 'zustand';
import type { ChatToolsResponse, CommandError } from '../../contract/generated';
import type { ConversationStore } from '../../model/chat/conversation';
import { commandError } from '../../model/store/errors';
import { useHost, useServers } from '../../model/workspace/context';

/** What the model gets now: pulled again when the settings, a connection or a list of tools changes. */
export function useChatTools(conversation: ConversationStore): {
  data: ChatToolsResponse | undefined;
  error: CommandError | null;
  refresh: () => void;
} {
  const host = useHost();
  const { chatId } = conversation;
  const settings = useStore(conversation, (state) => state.settings);
  const states = useServers(({ items }) =>
    (items ?? [])
      .filter(({ id }) => settings?.servers.includes(id) === true)
      .map(({ id, connection }) => `${id} ${connection.state}`)
      .join(' '),
  );
  const [data, setData] = useState<ChatToolsResponse>();
  const [error, setError] = useState<CommandError | null>(null);
  const [asked, setAsked] = useState(0);
  useEffect(() => {
    let current = true;
    host
      .call('chat_tools', { chatId })
      .then((response) => {
        if (!current) return;
        setData(response);
        setError(null);
      })
      .catch((thrown: unknown) => current && setError(commandError(thrown)));
    return () => void (current = false);
  }, [host, chatId, settings, states, asked]);
  return { data, error, refresh: useCallback(() => setAsked((before) => before + 1), []) };
}
