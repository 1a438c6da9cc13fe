import type { ConnectionState, ServerId, ServerItem } from '../../contract/generated';

/** Whether there is a connection to close. */
export function isOpen(state: ConnectionState): boolean {
  switch (state) {
    case 'connecting':
    case 'authorizing':
    case 'negotiating':
    case 'ready':
      return true;
    case 'idle':
    case 'closing':
    case 'closed':
    case 'failed':
      return false;
  }
}

/** Whether a request to a server can be sent, and if not, why. */
export type Reach = 'ready' | 'connecting' | 'notConnected' | 'removed';

/** Whether a request can be sent to a server now. Of servers that are not loaded it is not known, and the engine decides. */
export function reachOf(items: readonly ServerItem[] | undefined, serverId: ServerId | null): Reach {
  if (items === undefined || serverId === null) return 'ready';
  const server = items.find(({ id }) => id === serverId);
  if (server === undefined) return 'removed';
  const { state } = server.connection;
  if (state === 'ready') return 'ready';
  return isOpen(state) ? 'connecting' : 'notConnected';
}
