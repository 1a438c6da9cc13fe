import { useEffect, useEffectEvent, useRef, useSyncExternalStore } from 'react';
import type { Seq } from '../../../contract/generated';
import { type TrafficView, useRow } from '../useTrafficView';
import type { RowSource } from './sortedRows';

/** The shortest interval between two requests for the place of a record while rows keep moving, in ms. */
const LOCATE_EVERY_MS = 250;

/** A record in a view of the log, and where it was found. */
export interface RowMark {
  /** Null while the row is not loaded. */
  seq: Seq | null;
  /** Null if the view does not have the record. */
  index: number | null;
  /** Which rows the index belongs to, and of which log they are. */
  generation: string;
  log: RowSource;
  /** Of these rows. */
  revision: number;
}

/** Marks the row at an index. */
export function markRow({ log, generation }: TrafficView, index: number): RowMark {
  return { seq: log.row(index)?.seq ?? null, index, generation, log, revision: log.revisionOf(index) };
}

/**
 * The index of a marked record; null if the view does not have it. When rows come or go among the others, or all rows are
 * others, the record is located again: `onMark` gets the mark to keep from then on.
 */
export function useMarkedRow(
  view: TrafficView,
  mark: RowMark | null,
  onMark: (mark: RowMark) => void,
): number | null {
  const { generation, log } = view;
  const seq = mark?.seq ?? null;
  const changed = useEffectEvent(onMark);

  // A row that was not loaded when it was marked.
  const isUnknown = mark !== null && seq === null && mark.generation === generation;
  const unknownIndex = isUnknown ? mark.index : null;
  const loaded = useRow(view, unknownIndex);
  const learn = useEffectEvent(() => {
    if (unknownIndex !== null) onMark(markRow(view, unknownIndex));
  });
  useEffect(() => {
    if (loaded !== undefined) learn();
  }, [loaded]);

  // While older records are searched, the engine locates a record among rows that are not here yet.
  const isOutdated = useSyncExternalStore(
    log.subscribe,
    () =>
      mark !== null && (mark.generation !== generation || mark.revision !== log.revision) && !log.searching,
  );
  const locate = useEffectEvent(view.locate);
  const locatedAtMs = useRef(-LOCATE_EVERY_MS);
  useEffect(() => {
    if (!isOutdated || seq === null) return;
    let current = true;
    const start = (): void => {
      locatedAtMs.current = performance.now();
      const { revision } = log;
      const settle = (index: number | null): void => {
        if (current) changed({ seq, index, generation, log, revision });
      };
      locate(seq).then(settle, () => settle(null));
    };
    // Among other rows, it is located at once.
    const waitMs =
      mark?.generation === generation ? locatedAtMs.current + LOCATE_EVERY_MS - performance.now() : 0;
    const timer = waitMs > 0 ? setTimeout(start, waitMs) : undefined;
    if (timer === undefined) start();
    return () => {
      current = false;
      clearTimeout(timer);
    };
  }, [isOutdated, mark, seq, generation, log]);

  return useSyncExternalStore(log.subscribe, () =>
    mark === null || mark.generation !== generation ? null : shownIndex(log, mark),
  );
}

/** Where a record is. Until it is located again, that is not at the row of another one. */
function shownIndex(log: RowSource, { seq, index, revision }: RowMark): number | null {
  if (seq === null || index === null) return index;
  const row = log.row(index);
  const loaded = log.revisionOf(index);
  if (row === undefined || row.seq === seq || loaded < revision) return index;
  const other = log.indexOf(seq);
  if (other === undefined || log.row(other)?.seq !== seq) return null;
  return log.revisionOf(other) < loaded ? null : other;
}
