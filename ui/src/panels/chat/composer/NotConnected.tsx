import { useStore } from 'zustand';
import type { ConversationStore } from '../../../model/chat/conversation';
import { shownName } from '../../../model/connection/serverName';
import { useServers } from '../../../model/workspace/context';
import classes from '../chat.module.css';

/** The chosen servers that are not connected; nothing if all are. A turn runs without their tools. */
export function NotConnected({ conversation }: { conversation: ConversationStore }) {
  const chosen = useStore(conversation, (state) => state.settings?.servers) ?? [];
  const names = useServers(({ items }) =>
    chosen
      .map((id) => items?.find((item) => item.id === id))
      .filter((server) => items !== undefined && server?.connection.state !== 'ready')
      .map((server) => (server === undefined ? 'a removed server' : shownName(server)))
      .join(', '),
  );
  if (names === '') return null;
  return (
    <div className={classes.warn} role="note">
      Not connected: {names}. The model gets tools only from servers that are connected.
    </div>
  );
}
