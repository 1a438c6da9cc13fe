import { useEffect, useState } from 'react';
import type { Seq } from '../../contract/generated/contract';
import { useHost } from '../workspace/context';
import { type TrafficView, useRow } from './useTrafficView';

/** The selected row of a view of the log. It stays the same record when rows move under another filter. */
export interface RowSelection {
  index: number | null;
  seq: Seq | null;
  /** A row to bring into view; a new object is a new wish. */
  reveal: { index: number } | null;
  select: (index: number | null) => void;
  /** Selects a record and brings it into view. False if the filter hides it. */
  selectSeq: (seq: Seq) => Promise<boolean>;
}

interface Selected {
  seq: Seq | null;
  /** Null while it is being found. */
  index: number | null;
  /** To which rows the index belongs. */
  era: string;
}

export function useRowSelection(view: TrafficView): RowSelection {
  const host = useHost();
  const [selected, setSelected] = useState<Selected | null>(null);
  const [reveal, setReveal] = useState<{ index: number } | null>(null);
  const { era, filter, log } = view;

  // A row that was not known when it was selected.
  const isUnknown = selected !== null && selected.seq === null && selected.era === era;
  const known = useRow(view, isUnknown ? selected.index : null);
  useEffect(() => {
    if (known === undefined) return;
    setSelected((now) => (now !== null && now.seq === null ? { ...now, seq: known.seq } : now));
  }, [known]);

  // Other rows: find the record among them.
  const lostSeq = selected !== null && selected.era !== era ? selected.seq : null;
  useEffect(() => {
    if (selected !== null && selected.era !== era && selected.seq === null) setSelected(null);
    if (lostSeq === null) return;
    let current = true;
    host
      .call('traffic_locate', { filter, seq: lostSeq })
      .then(({ index }) => {
        if (current) setSelected(index === null ? null : { seq: lostSeq, index, era });
      })
      .catch(() => {
        if (current) setSelected(null);
      });
    return () => {
      current = false;
    };
  }, [host, filter, era, lostSeq, selected]);

  return {
    index: selected?.era === era ? selected.index : null,
    seq: selected?.seq ?? null,
    reveal,
    select(index) {
      setSelected(index === null ? null : { index, seq: log.row(index)?.seq ?? null, era });
    },
    async selectSeq(seq) {
      const { index } = await host.call('traffic_locate', { filter, seq });
      if (index === null) return false;
      setSelected({ index, seq, era });
      setReveal({ index });
      return true;
    },
  };
}
