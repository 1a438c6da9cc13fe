import { useEffect, useState } from 'react';
import type { Seq, ServerId } from '../../../contract/generated';
import { wireFilter } from '../../traffic/filterText';
import { useModel } from '../../workspace/context';

const NONE: ReadonlySet<string> = new Set();
/** More are not kept. */
const MOST = 200;

/**
 * The ids of elicitations that a server reported as complete, from the log after a record; none if that is null. A server may use an id
 * again, at the latest when it is started again.
 */
export function useCompleted(serverId: ServerId, after: Seq | null): ReadonlySet<string> {
  const { host, events } = useModel();
  const [completed, setCompleted] = useState(NONE);
  /** How often the connection to Patchbay came back: what was read over the earlier one has ended. */
  const [resyncs, setResyncs] = useState(0);
  useEffect(() => events.onResync(() => setResyncs((before) => before + 1)), [events]);
  useEffect(() => {
    if (after === null) return undefined;
    const terms = [`after:${after}`];
    const filter = wireFilter({ text: 'method:notifications/elicitation/complete', serverId, terms });
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
  }, [host, serverId, after, resyncs]);
  return completed;
}
