import { useRef, useState, useSyncExternalStore } from 'react';
import type { Seq, TrafficRow } from '../../contract/generated';
import type { TrafficView } from './useTrafficView';
import { useFirstRow } from './view/useFirstRow';
import { type RowMark, markRow, useMarkedRow } from './view/useMarkedRow';

/** The selected row of a view of the log, and whether the view follows its end. The selection is a record: it survives another filter. */
export interface RowSelection {
  /** Null if nothing is selected, the filter hides it, or it has left the rows. */
  index: number | null;
  /** Null if nothing is selected, or the filter hides it. A record that has left the rows by itself stays. */
  seq: Seq | null;
  mark: RowMark | null;
  /** A row to scroll to, to keep in its place in view, or to have at the top; each new object is a new request. */
  reveal: { index: number; from?: number; isFirst?: boolean } | null;
  /** Whether the newest row is kept in view. */
  follow: boolean;
  setFollow: (follow: boolean) => void;
  select: (index: number | null) => void;
  /** Selects a record and scrolls to it. False if the filter hides it; null if something else was selected meanwhile. */
  selectSeq: (seq: Seq) => Promise<boolean | null>;
  /** For what takes a while: whether nothing else was selected since this was called. */
  watch: () => () => boolean;
  /** Says which row is the first in view: it stays there when records are removed from the log. */
  noteFirst: (index: number) => void;
}

export function useRowSelection(view: TrafficView): RowSelection {
  const { generation, log } = view;
  const [selected, setSelected] = useState<RowMark | null>(null);
  const [reveal, setReveal] = useState<RowSelection['reveal']>(null);
  const [follow, setFollow] = useState(true);
  /** The generation in which the filter hides the selected record. */
  const [hiddenIn, setHiddenIn] = useState<string | null>(null);
  const [placed, setPlaced] = useState({ generation, log });
  /** How many times something was selected, or is to be: an answer to an earlier request is late. */
  const requests = useRef(0);
  // Other rows, and nothing to keep in view among them: the newest are what matters.
  if (placed.generation !== generation) {
    setPlaced({ generation, log });
    if (placed.log === log ? log.total === 0 : selected === null) setFollow(true);
    // A row that a key went to and that never came, such as the first one: the same place among the other rows.
    if (selected !== null && selected.seq === null)
      setSelected(follow || selected.index === null ? null : markRow(view, selected.index));
  }

  const index = useMarkedRow(view, selected, (mark) => {
    const before = selected?.index ?? null;
    // Records were removed from the log: the list stays where it is.
    const isReset = selected?.log === log;
    setSelected(mark);
    if (selected?.generation === generation) {
      // A list that is not followed stays where it is, with the record.
      if (!follow && before !== null && mark.index !== null && mark.index !== before)
        setReveal({ index: mark.index, from: before });
    } else if (mark.index === null) {
      setHiddenIn(generation);
      if (!isReset) setFollow(true);
    } else if (!isReset && (before === null || !follow)) {
      setFollow(false);
      setReveal({ index: mark.index });
    }
  });

  const noteFirst = useFirstRow(view, follow && !view.paused, (first) =>
    setReveal({ index: first, isFirst: true }),
  );

  function watch(): () => boolean {
    const at = requests.current;
    return () => requests.current === at;
  }

  const isHidden = selected?.index === null && hiddenIn === generation;
  return {
    index,
    mark: selected,
    seq: isHidden ? null : (selected?.seq ?? null),
    reveal,
    follow,
    setFollow,
    watch,
    noteFirst,
    select(at) {
      requests.current++;
      setSelected(at === null ? null : markRow(view, at));
    },
    async selectSeq(seq) {
      const { revision } = log;
      requests.current++;
      const isLatest = watch();
      const located = await view.locate(seq).catch((thrown: unknown) => {
        if (isLatest()) throw thrown;
        return null;
      });
      if (!isLatest()) return null;
      if (located === null) return false;
      setFollow(false);
      setSelected({ index: located, seq, generation, log, revision });
      setReveal({ index: located });
      return true;
    },
  };
}

/** The row of the selected record as it is now, if it is known. */
export function useSelectedRow({ log }: TrafficView, { index, seq }: RowSelection): TrafficRow | undefined {
  return useSyncExternalStore(log.subscribe, () => {
    if (index === null || seq === null) return undefined;
    const row = log.row(index);
    if (row?.seq === seq) return row;
    // Until the rows at the index are pulled again, they are those of other records.
    const known = log.indexOf(seq);
    const before = known === undefined ? undefined : log.row(known);
    return before?.seq === seq ? before : undefined;
  });
}
