import { useEffect, useState } from 'react';
import type { FileWatchGetResponse, ServerId } from '../../../contract/generated';
import { coalesce } from '../../store/coalesce';
import { useModel } from '../../workspace/context';

/** A build prints more often than anybody reads, in ms. */
const PACE_MS = 100;

/** What is watched for a server, with its last build, pulled again whenever that changes; undefined until it is known. */
export function useFileWatch(serverId: ServerId): FileWatchGetResponse | undefined {
  const { host, servers } = useModel();
  const [loaded, setLoaded] = useState<{ of: ServerId; response: FileWatchGetResponse } | null>(null);
  useEffect(() => {
    let isWanted = true;
    const pull = coalesce(async () => {
      if (!isWanted) return;
      // A server that was removed meanwhile has none; what is shown of it goes with it.
      const response = await host.call('file_watch_get', { serverId }).catch(() => null);
      if (isWanted && response !== null) setLoaded({ of: serverId, response });
    }, PACE_MS);
    void pull();
    const stop = servers.subscribe(({ revisions }, before) => {
      if (revisions[serverId] !== before.revisions[serverId]) void pull();
    });
    return () => {
      isWanted = false;
      stop();
    };
  }, [host, servers, serverId]);
  return loaded?.of === serverId ? loaded.response : undefined;
}
