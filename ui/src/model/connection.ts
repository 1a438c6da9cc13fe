import { useEffect, useState } from 'react';
import type {
  CommandError,
  ConnectionGetResponse,
  ConnectionState,
  ServerId,
} from '../contract/generated/contract';
import { useHost, useServers } from './context';
import { commandError } from './errors';

/** Whether there is something to disconnect. */
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

export interface LoadedConnection {
  connection: ConnectionGetResponse | undefined;
  error: CommandError | null;
}

/** A server's connection in full, pulled again each time the engine says that it changed. */
export function useConnection(serverId: ServerId): LoadedConnection {
  const host = useHost();
  const revision = useServers(({ revisions }) => revisions[serverId] ?? 0);
  const [loaded, setLoaded] = useState<LoadedConnection & { of: ServerId | null }>({
    connection: undefined,
    error: null,
    of: null,
  });

  useEffect(() => {
    let current = true;
    host
      .call('connection_get', { serverId })
      .then((connection) => {
        if (current) setLoaded({ connection, error: null, of: serverId });
      })
      .catch((thrown: unknown) => {
        if (current) setLoaded({ connection: undefined, error: commandError(thrown), of: serverId });
      });
    return () => {
      current = false;
    };
  }, [host, serverId, revision]);

  return loaded.of === serverId ? loaded : { connection: undefined, error: null };
}
