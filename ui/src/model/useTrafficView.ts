import { useCallback, useEffect, useState, useSyncExternalStore } from 'react';
import type { CommandError, Seq, TrafficFilter, TrafficRow } from '../contract/generated/contract';
import { useModel } from './context';
import { TrafficLog } from './trafficLog';

/** A view of the traffic log as a list shows it. */
export interface TrafficView {
  /** The filter that the rows are of: while a new one is being asked, still the old one. */
  filter: TrafficFilter;
  /** How many rows to show. */
  total: number;
  /** Rows that came since the view was paused. */
  arrived: number;
  paused: boolean;
  setPaused: (paused: boolean) => void;
  ready: boolean;
  error: CommandError | null;
  storeProblem: string | null;
  /** Grows with any change of the rows. */
  version: number;
  /** Grows when all indices known before are void. */
  era: string;
  row: (index: number) => TrafficRow | undefined;
  indexOf: (seq: Seq) => number | undefined;
  /** Asks for the rows between two indices. */
  want: (first: number, last: number) => void;
  /** Tries again after an error. */
  retry: () => void;
}

let logs = 0;

interface Shown {
  id: number;
  log: TrafficLog;
  filter: TrafficFilter;
}

/** Watches the log through a filter. The old rows stay until the first of the new ones are there. */
export function useTrafficView(filter: TrafficFilter): TrafficView {
  const { host, link } = useModel();
  const key = JSON.stringify(filter);
  const [shown, setShown] = useState<Shown>(() => ({ id: 0, log: new TrafficLog(host, filter), filter }));
  const [frozen, setFrozen] = useState<{ era: string; total: number } | null>(null);

  useEffect(() => {
    const parsed = JSON.parse(key) as TrafficFilter;
    const next: Shown = { id: ++logs, log: new TrafficLog(host, parsed), filter: parsed };
    const stop = next.log.subscribe(() => {
      if (next.log.ready || next.log.error !== null) {
        setShown((now) => (now.id === next.id ? now : next));
      }
    });
    next.log.open();
    const stopLink = link.subscribe((status) => {
      if (status === 'up') next.log.open();
    });
    return () => {
      stop();
      stopLink();
      next.log.close();
    };
  }, [host, link, key]);

  const { log } = shown;
  const version = useSyncExternalStore(log.subscribe, log.version);
  const era = `${shown.id}.${log.era}`;
  const paused = frozen !== null;
  // A cleared log or another filter has nothing of what was frozen.
  const total = frozen !== null && frozen.era === era ? Math.min(frozen.total, log.total) : log.total;

  return {
    filter: shown.filter,
    total,
    arrived: log.total - total,
    paused,
    setPaused: (pause) => setFrozen(pause ? { era, total: log.total } : null),
    ready: log.ready,
    // That the engine is gone is said once, for the whole window.
    error: link.status === 'up' ? log.error : null,
    storeProblem: log.storeProblem,
    version,
    era,
    row: useCallback((index: number) => log.row(index), [log]),
    indexOf: useCallback((seq: Seq) => log.indexOf(seq), [log]),
    want: useCallback((first: number, last: number) => log.want(first, last), [log]),
    retry: () => log.open(),
  };
}
