import { useEffect, useEffectEvent, useState } from 'react';
import type {
  CommandError,
  ConnectionGetResponse,
  ConnectionState,
  ServerId,
  ServerItem,
} from '../../contract/generated';
import { coalesce } from '../store/coalesce';
import { useModel } from '../workspace/context';
import { commandError } from '../store/errors';
import { isOpen } from './isOpen';

export { isOpen };

/** A shorter state is not shown, in ms: many programs are ready by then, and it would flicker. */
const BRIEF_MS = 100;

/** Whether this is a transient state on the way to ready. */
function isPassing(state: ConnectionState): boolean {
  return isOpen(state) && state !== 'ready';
}

/** A server as it is shown: connecting only once that has lasted. */
export function useUnlessBrief(server: ServerItem): ServerItem {
  const [shown, show] = useState(server);
  const isBrief = isPassing(server.connection.state) && !isPassing(shown.connection.state);
  const lasts = useEffectEvent(() => show(server));
  useEffect(() => {
    if (!isBrief) return undefined;
    const timer = setTimeout(lasts, BRIEF_MS);
    return () => clearTimeout(timer);
  }, [isBrief]);
  if (!isBrief && shown !== server) show(server);
  return isBrief ? shown : server;
}

export interface LoadedConnection {
  connection: ConnectionGetResponse | undefined;
  error: CommandError | null;
}

/**
 * A server's connection in full, pulled again when the engine says that it changed: at most once in `BRIEF_MS`, as one that
 * is being made changes several times within a blink.
 */
export function useConnection(serverId: ServerId): LoadedConnection {
  const { host, servers } = useModel();
  const [loaded, setLoaded] = useState<LoadedConnection & { of: ServerId | null }>({
    connection: undefined,
    error: null,
    of: null,
  });

  useEffect(() => {
    let current = true;
    const pull = coalesce(async () => {
      if (!current) return;
      const result = await host.call('connection_get', { serverId }).then(
        (connection) => ({ connection, error: null }),
        (thrown: unknown) => ({ connection: undefined, error: commandError(thrown) }),
      );
      if (current) setLoaded({ ...result, of: serverId });
    }, BRIEF_MS);
    void pull();
    const stop = servers.subscribe(({ revisions }, before) => {
      if (revisions[serverId] !== before.revisions[serverId]) void pull();
    });
    return () => {
      current = false;
      stop();
    };
  }, [host, servers, serverId]);

  return loaded.of === serverId ? loaded : { connection: undefined, error: null };
}
