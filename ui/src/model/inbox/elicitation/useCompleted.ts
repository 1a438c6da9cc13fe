import { useEffect, useState } from 'react';
import type { ServerId } from '../../../contract/generated';
import { wireFilter } from '../../traffic/filterText';
import { useHost } from '../../workspace/context';

const NONE: ReadonlySet<string> = new Set();
/** More are not kept. */
const MOST = 200;

/** The ids of elicitations that a server reported as complete, from the log; none while `isWanted` is false. */
export function useCompleted(serverId: ServerId, isWanted: boolean): ReadonlySet<string> {
  const host = useHost();
  const [completed, setCompleted] = useState(NONE);
  useEffect(() => {
    if (!isWanted) return undefined;
    const filter = wireFilter({ text: 'method:notifications/elicitation/complete', serverId });
    const stream = host.openStream(
      'traffic_tail',
      { filter },
      {
        onEvent: ({ added }) => {
          // The summary of such a record is its `elicitationId`.
          const ids = added.flatMap(({ summary }) => (summary === null ? [] : [summary]));
          if (ids.length > 0) setCompleted((known) => new Set([...known, ...ids].slice(-MOST)));
        },
        // Without the log, only the marks are missing.
        onEnd: () => {},
      },
    );
    return () => stream.close();
  }, [host, serverId, isWanted]);
  return completed;
}
