import { useEffect, useMemo, useState } from 'react';
import { useStore } from 'zustand';
import type { Seq, TrafficRow } from '../../contract/generated';
import { type TrafficView, useRowCount, useTrafficView } from '../traffic/useTrafficView';
import { useHost } from '../workspace/context';
import type { ConversationStore } from './conversation';
import { recordsOf } from './operations';

/** The records of so many turns are shown, the newest: a term of the filter is at most 4,096 bytes. */
export const MOST_TURNS = 200;
/** The requests of so many records are shown in the tree, the oldest first. */
export const MOST_REQUESTS = 1_000;

/** Shows no record: none has two kinds. */
const NONE = 'kind:request kind:gap';

/** The term of the traffic filter that selects the records of a conversation: those of the operations of its turns. */
export function useTurnTerm(conversation: ConversationStore): string {
  const host = useHost();
  const items = useStore(conversation, (state) => state.items);
  const seqs = useMemo(() => recordsOf(items, MOST_TURNS), [items]);
  const [operations, setOperations] = useState<ReadonlyMap<Seq, string | null>>(new Map());
  const missing = seqs.filter((seq) => !operations.has(seq)).join(' ');
  useEffect(() => {
    if (missing === '') return;
    let current = true;
    const found = missing.split(' ').map(async (text): Promise<[Seq, string | null]> => {
      const seq = text as Seq;
      // A record that was cleared from the log has no operation.
      return [
        seq,
        await host.call('traffic_record', { seq }).then(
          ({ row }) => row.operation,
          () => null,
        ),
      ];
    });
    void Promise.all(found).then((all) => {
      if (current) setOperations((old) => new Map([...old, ...all]));
    });
    return () => {
      current = false;
    };
  }, [host, missing]);
  const known = [...new Set(seqs.flatMap((seq) => operations.get(seq) ?? []))];
  return known.length === 0 ? NONE : `op:${known.toSorted().join(',')}`;
}

/** The requests in the log that a conversation caused, in both directions. */
export function useTurnRequests(conversation: ConversationStore): readonly TrafficRow[] {
  const term = useTurnTerm(conversation);
  const view = useTrafficView({ text: '', serverId: null, terms: [term, 'kind:request'] });
  return useRows(view);
}

function useRows(view: TrafficView): readonly TrafficRow[] {
  const { log } = view;
  const { total, version } = useRowCount(view);
  const count = Math.min(total, MOST_REQUESTS);
  useEffect(() => log.want(0, count - 1), [log, count, version]);
  return useMemo(
    () => Array.from({ length: count }, (_, at) => log.row(at)).filter((row) => row !== undefined),
    // oxlint-disable-next-line react/exhaustive-deps -- a version is another state of the log
    [log, count, version],
  );
}
