import { useState } from 'react';
import type { RowSelection } from './useRowSelection';
import type { TrafficView } from './useTrafficView';

/** Rows next to each other in a view of the log; both ends included. */
export interface RowRange {
  first: number;
  last: number;
}

/** The selected rows: from the one that was selected first to the one selected last, with Shift. */
export function useRowRange(view: TrafficView, selection: RowSelection) {
  const [start, setStart] = useState<{ index: number; generation: string } | null>(null);
  const { index } = selection;
  const anchor =
    start !== null && start.generation === view.generation && index !== null ? start.index : null;
  const range: RowRange | null =
    index === null
      ? null
      : { first: Math.min(index, anchor ?? index), last: Math.max(index, anchor ?? index) };
  return {
    anchor,
    range,
    select: (next: number, extend: boolean): void => {
      const from = anchor ?? index;
      setStart(extend && from !== null ? { index: from, generation: view.generation } : null);
      selection.select(next);
    },
  };
}
