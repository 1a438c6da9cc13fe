import { type StoreApi, createStore } from 'zustand';
import type { TrafficRow } from '../../../contract/generated';

/** A range of time, in ms since the Unix epoch. */
export interface TimeRange {
  fromMs: number;
  toMs: number;
}

/** The time that the rows in view took, from the first start to the last end; null while none is shown. */
export type Timeline = StoreApi<TimeRange | null>;

export function createTimeline(): Timeline {
  return createStore<TimeRange | null>(() => null);
}

/** A request or an exchange lasts until it is answered; everything else is an instant. Null as an end: it is not answered yet. */
export function timeRangeOf({ kind, atMs, latencyMs, status }: TrafficRow): {
  fromMs: number;
  toMs: number | null;
} {
  if (kind !== 'request' && kind !== 'http') return { fromMs: atMs, toMs: atMs };
  if (status === 'pending') return { fromMs: atMs, toMs: null };
  return { fromMs: atMs, toMs: atMs + (latencyMs ?? 0) };
}

/** The time of some rows. What is not answered yet has no end of its own. */
export function timeRangeOfAll(rows: Iterable<TrafficRow>): TimeRange | null {
  let fromMs = Infinity;
  let toMs = -Infinity;
  for (const row of rows) {
    const range = timeRangeOf(row);
    fromMs = Math.min(fromMs, range.fromMs);
    toMs = Math.max(toMs, range.toMs ?? range.fromMs);
  }
  return fromMs > toMs ? null : { fromMs, toMs };
}

/** Where a row lies within the time of all, in percent. What is not answered yet lasts to the end. */
export function barWithin(row: TrafficRow, all: TimeRange): { left: number; width: number } {
  const { fromMs, toMs } = timeRangeOf(row);
  const span = Math.max(all.toMs - all.fromMs, 0.001);
  const at = (ms: number): number => Math.min(100, Math.max(0, ((ms - all.fromMs) / span) * 100));
  const left = at(fromMs);
  return { left, width: at(toMs ?? all.toMs) - left };
}

/** Sets the timeline to the rows from `first` to `last`, those that are loaded. */
export function updateTimeline(
  timeline: Timeline,
  log: { row: (index: number) => TrafficRow | undefined },
  first: number,
  last: number,
): void {
  const rows: TrafficRow[] = [];
  for (let index = Math.max(0, first); index <= last; index++) {
    const row = log.row(index);
    if (row !== undefined) rows.push(row);
  }
  const next = timeRangeOfAll(rows);
  const now = timeline.getState();
  if (now?.fromMs !== next?.fromMs || now?.toMs !== next?.toMs) timeline.setState(next, true);
}
