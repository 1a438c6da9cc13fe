import type { ServerId, ServerItem } from '../../../contract/generated';
import { isOpen } from '../../connection/isOpen';
import type { ServersStore } from '../servers';

/** How many servers are connected at the same time: each may be a program that starts. */
const AT_ONCE = 8;

/** Servers that wait to be connected. */
export interface ConnectQueue {
  /** Connects servers one after the other, a few at a time. */
  add(serverIds: readonly ServerId[], connect: (serverId: ServerId) => Promise<void>): void;
  /** Leaves out those that have not begun. */
  drop(serverIds: readonly ServerId[]): void;
}

interface Waiting {
  serverId: ServerId;
  connect: (serverId: ServerId) => Promise<void>;
}

export function createConnectQueue(servers: ServersStore): ConnectQueue {
  let waiting: Waiting[] = [];
  const running = new Set<ServerId>();

  async function run({ serverId, connect }: Waiting): Promise<void> {
    try {
      // Meanwhile the user may have disabled or connected it.
      if (connectable(servers.getState().items ?? [], [serverId]).length === 0) return;
      await connect(serverId);
      await settled(servers, serverId);
    } finally {
      running.delete(serverId);
      next();
    }
  }

  function next(): void {
    while (running.size < AT_ONCE) {
      const first = waiting.shift();
      if (first === undefined) return;
      running.add(first.serverId);
      void run(first);
    }
  }

  return {
    add(serverIds, connect) {
      for (const serverId of serverIds) {
        if (running.has(serverId) || waiting.some((each) => each.serverId === serverId)) continue;
        waiting.push({ serverId, connect });
      }
      next();
    },
    drop(serverIds) {
      const dropped = new Set(serverIds);
      waiting = waiting.filter(({ serverId }) => !dropped.has(serverId));
    },
  };
}

/** Waits until a server is no longer on its way: ready, failed, gone, or waiting for the user. */
function settled(servers: ServersStore, serverId: ServerId): Promise<void> {
  const isOnItsWay = (): boolean => {
    const state = servers.getState().items?.find(({ id }) => id === serverId)?.connection.state;
    return state === 'connecting' || state === 'negotiating';
  };
  return new Promise((resolve) => {
    if (!isOnItsWay()) {
      resolve();
      return;
    }
    const stop = servers.subscribe(() => {
      if (isOnItsWay()) return;
      stop();
      resolve();
    });
  });
}

/** Those of these servers that can be connected now, in their order. */
export function connectable(items: readonly ServerItem[], serverIds: readonly ServerId[]): ServerId[] {
  const wanted = new Set(serverIds);
  return items
    .filter(({ id, draft, connection }) => wanted.has(id) && !draft.disabled && !isOpen(connection.state))
    .map(({ id }) => id);
}

/** Those of these servers that are connected or connecting, and among them those with pending requests. */
export function affected(
  items: readonly ServerItem[],
  serverIds: readonly ServerId[],
): { open: ServerItem[]; pending: ServerItem[] } {
  const wanted = new Set(serverIds);
  const open = items.filter(({ id, connection }) => wanted.has(id) && isOpen(connection.state));
  return { open, pending: open.filter(({ connection }) => connection.pendingCount > 0) };
}
