import { useState } from 'react';
import type { RowSelection } from './useRowSelection';
import type { TrafficView } from './useTrafficView';
import { type RowMark, useMarkedRow } from './view/useMarkedRow';

/** Rows next to each other in a view of the log; both ends included. */
export interface RowRange {
  first: number;
  last: number;
}

/** The selected rows: from the one that was selected first to the one selected last, with Shift. */
export function useRowRange(view: TrafficView, selection: RowSelection) {
  const [start, setStart] = useState<RowMark | null>(null);
  const { index } = selection;
  // Among other rows, one row is selected.
  const at = useMarkedRow(view, start?.generation === view.generation ? start : null, setStart);
  const anchor = index === null ? null : at;
  const range: RowRange | null =
    index === null
      ? null
      : { first: Math.min(index, anchor ?? index), last: Math.max(index, anchor ?? index) };
  return {
    anchor,
    range,
    select: (next: number, extend: boolean): void => {
      const from = anchor !== null ? start : index !== null ? selection.mark : null;
      setStart(extend ? from : null);
      selection.select(next);
    },
  };
}
