import type { ServerId } from '../../contract/generated';
import { isOpen } from '../connection/connection';
import type { ServersState, ServersStore } from '../servers/servers';

/** Waits for a server that is being connected. False if that failed, was given up, or the server is gone. */
export function untilReady(servers: ServersStore, serverId: ServerId): Promise<boolean> {
  const settled = ({ items }: ServersState): boolean | null => {
    const state = items?.find(({ id }) => id === serverId)?.connection.state;
    if (state === 'ready') return true;
    return state !== undefined && isOpen(state) ? null : false;
  };
  return new Promise((resolve) => {
    const now = settled(servers.getState());
    if (now !== null) {
      resolve(now);
      return;
    }
    const unsubscribe = servers.subscribe((state) => {
      const then = settled(state);
      if (then === null) return;
      unsubscribe();
      resolve(then);
    });
  });
}
