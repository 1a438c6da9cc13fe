import { useEffect, useEffectEvent, useState } from 'react';
import type { Seq } from '../../contract/generated';
import { type TrafficView, useRow } from './useTrafficView';

/** The selected row of a view of the log, and whether the view follows its end. The selection is a record: it survives another filter. */
export interface RowSelection {
  /** Null if nothing is selected, or the filter hides it. */
  index: number | null;
  seq: Seq | null;
  /** A row to scroll to; each new object is a new request. */
  reveal: { index: number } | null;
  /** Whether the newest row is kept in view. */
  follow: boolean;
  setFollow: (follow: boolean) => void;
  select: (index: number | null) => void;
  /** Selects a record and scrolls to it. False if the filter hides it. */
  selectSeq: (seq: Seq) => Promise<boolean>;
}

interface Selected {
  /** Null while the row is not loaded. */
  seq: Seq | null;
  /** Null if the filter hides the record. */
  index: number | null;
  /** Which rows the index belongs to. */
  generation: string;
}

export function useRowSelection(view: TrafficView): RowSelection {
  const { generation, log } = view;
  const [selected, setSelected] = useState<Selected | null>(null);
  const [reveal, setReveal] = useState<{ index: number } | null>(null);
  const [follow, setFollow] = useState(true);
  const [placedIn, setPlacedIn] = useState(generation);
  // Other rows, and nothing to keep in view among them: the newest are what matters.
  if (placedIn !== generation) {
    setPlacedIn(generation);
    if (selected === null) setFollow(true);
    // A row that a key went to and that never came, such as the first one: the same place among the other rows.
    else if (selected.seq === null) setSelected(follow ? null : { ...selected, generation });
  }

  // A row that was not loaded when it was selected.
  const isUnknown = selected !== null && selected.seq === null && selected.generation === generation;
  const known = useRow(view, isUnknown ? selected.index : null);
  useEffect(() => {
    if (known === undefined) return;
    setSelected((now) => (now !== null && now.seq === null ? { ...now, seq: known.seq } : now));
  }, [known]);

  // Other rows: find the record among them.
  const movedSeq = selected !== null && selected.generation !== generation ? selected.seq : null;
  const locate = useEffectEvent(view.locate);
  const settle = useEffectEvent((seq: Seq, index: number | null): void => {
    const wasHidden = selected?.index === null;
    setSelected({ seq, index, generation });
    if (index === null) setFollow(true);
    else if (wasHidden || !follow) {
      setFollow(false);
      setReveal({ index });
    }
  });
  useEffect(() => {
    if (movedSeq === null) return;
    let current = true;
    locate(movedSeq).then(
      (index) => current && settle(movedSeq, index),
      () => current && settle(movedSeq, null),
    );
    return () => {
      current = false;
    };
  }, [generation, movedSeq]);

  const isHidden = selected?.index === null && selected.generation === generation;
  return {
    index: selected?.generation === generation ? selected.index : null,
    seq: isHidden ? null : (selected?.seq ?? null),
    reveal,
    follow,
    setFollow,
    select(index) {
      setSelected(index === null ? null : { index, seq: log.row(index)?.seq ?? null, generation });
    },
    async selectSeq(seq) {
      const index = await view.locate(seq);
      if (index === null) return false;
      setFollow(false);
      setSelected({ index, seq, generation });
      setReveal({ index });
      return true;
    },
  };
}
