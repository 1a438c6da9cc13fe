import { useEffect, useMemo, useState } from 'react';
import type { CommandError } from '../../../contract/generated';
import { commandError } from '../../store/errors';
import { useHost } from '../../workspace/context';
import type { TrafficView } from '../useTrafficView';
import { type FollowedRows, SortedRows, followRows } from './sortedRows';
import { type Sort, sortRows } from './sorting';

/** A view of the log in another order than that of time. */
export interface Sorted {
  sort: Sort;
  /** The records in that order; while they are read, the log as it is. */
  view: TrafficView;
  /** How many records are sorted; null while they are read. */
  count: number | null;
  /** How many the filter had then; more than `count` if only the newest are sorted. */
  of: number;
  error: CommandError | null;
  /** Reads the records again, with those that came since. */
  refresh: () => void;
}

interface Read extends FollowedRows {
  /** What was read: the filter and its generation, and the request. */
  of: string;
}

/** Sorts what a view shows; null without an order. */
export function useSorted(view: TrafficView, sort: Sort | null): Sorted | null {
  const host = useHost();
  const [attempt, setAttempt] = useState(0);
  const [read, setRead] = useState<Read | null>(null);
  const [failed, setFailed] = useState<{ of: string; error: CommandError } | null>(null);
  const { filter, generation, log } = view;
  const isOn = sort !== null;
  const key = `${generation} ${attempt}`;

  useEffect(() => {
    if (!isOn) return;
    const stop = new AbortController();
    followRows(host, filter, log, stop.signal, (next) => setRead({ of: key, ...next })).catch(
      (thrown: unknown) => {
        if (!stop.signal.aborted) setFailed({ of: key, error: commandError(thrown) });
      },
    );
    return () => {
      stop.abort();
      // What is read is as old as the order is.
      setRead(null);
    };
  }, [host, filter, log, key, isOn]);

  const current = read?.of === key ? read : null;
  const rows = useMemo(
    () =>
      current === null || sort === null
        ? null
        : new SortedRows(sortRows(current.rows, sort), log, current.newer),
    [current, sort, log],
  );

  if (sort === null) return null;
  const refresh = (): void => setAttempt((now) => now + 1);
  const error = failed?.of === key ? failed.error : null;
  if (current === null || rows === null) return { sort, view, count: null, of: 0, error, refresh };
  const sorted: TrafficView = {
    ...view,
    log: rows,
    frozen: null,
    generation: `${key} ${sort.by} ${sort.descending}`,
    locate: (seq) => Promise.resolve(rows.indexOf(seq) ?? null),
  };
  return { sort, view: sorted, count: current.rows.length, of: current.total, error, refresh };
}
