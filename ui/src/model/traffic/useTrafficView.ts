import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import type { CommandError, Seq, TrafficRow } from '../../contract/generated';
import { useModel } from '../workspace/context';
import { type FilterProblem, type LogQuery, filterProblem, wireFilter } from './filterText';
import { TrafficLog } from './trafficLog';
import type { RowSource } from './view/sortedRows';

/**
 * A view of the traffic log, without what changes with every record: that is `useRowCount` and `useRow`, for the parts
 * that show it. So twenty changes a second do not render a whole panel.
 */
export interface TrafficView {
  log: RowSource;
  /** The filter of the rows: until the first rows of a new one arrive, still the old one. */
  filter: string;
  /** Why the text is not a filter; the rows are still those of the last one that was. */
  problem: FilterProblem | null;
  paused: boolean;
  /** What is shown while paused; null if all rows are. */
  frozen: FrozenRows | null;
  setPaused: (paused: boolean) => void;
  ready: boolean;
  /** Whether the rows are not yet those of the filter that was requested. */
  isLoading: boolean;
  error: CommandError | null;
  storeProblem: string | null;
  /** Changes when all earlier indices become invalid. */
  generation: string;
  /** Tries again after an error. */
  retry: () => void;
  /** The index of a record; null if the view does not show it. */
  locate: (seq: Seq) => Promise<number | null>;
}

/** The rows of a log when it was paused. What comes at their end later is not shown; older ones that a search finds are. */
interface FrozenRows {
  /** Null before the first rows of the log. */
  logId: number | null;
  generation: string;
  total: number;
  /** Of the log's counter of appended rows. */
  appended: number;
}

let logs = 0;

interface Shown {
  id: number;
  log: TrafficLog;
  filter: string;
}

/** Watches the log through a filter. The old rows stay until the first of the new ones arrive. */
export function useTrafficView(query: LogQuery): TrafficView {
  const { host, link } = useModel();
  const filter = wireFilter(query);
  const [refused, setRefused] = useState<{ filter: string; problem: FilterProblem } | null>(null);
  const [shown, setShown] = useState<Shown>(() => ({ id: 0, log: new TrafficLog(host, filter), filter }));
  const [frozen, setFrozen] = useState<FrozenRows | null>(null);
  /** The log that is shown. It stays open until another one is shown: the next filter may be refused. */
  const shownLog = useRef<TrafficLog>(null);

  useEffect(() => {
    const next: Shown = { id: ++logs, log: new TrafficLog(host, filter), filter };
    const stop = next.log.subscribe(() => {
      const problem = next.log.error === null ? null : filterProblem(next.log.error);
      if (problem !== null) setRefused({ filter, problem });
      else if (shownLog.current !== next.log && (next.log.ready || next.log.error !== null)) {
        shownLog.current?.close();
        shownLog.current = next.log;
        setShown(next);
      }
    });
    next.log.open();
    const stopLink = link.subscribe((status) => {
      if (status !== 'up') return;
      if (shownLog.current !== next.log) shownLog.current?.open();
      next.log.open();
    });
    return () => {
      stop();
      stopLink();
      if (shownLog.current !== next.log) next.log.close();
    };
  }, [host, link, filter]);
  useEffect(
    () => () => {
      shownLog.current?.close();
      shownLog.current = null;
    },
    [],
  );

  const { log } = shown;
  const ready = useSyncExternalStore(log.subscribe, () => log.ready);
  const error = useSyncExternalStore(log.subscribe, () => log.error);
  const storeProblem = useSyncExternalStore(log.subscribe, () => log.storeProblem);
  const generation = useSyncExternalStore(log.subscribe, () => `${shown.id}.${log.generation}`);

  const logId = ready ? shown.id : null;
  const freeze = (arrived: number): void =>
    setFrozen({ logId, generation, total: log.total - arrived, appended: log.appended - arrived });
  // With another filter, the rows that there are instead are held. After a reset of the same log, such as a clear, what came
  // since it was paused is still not shown.
  if (frozen !== null && frozen.generation !== generation)
    freeze(frozen.logId === logId ? Math.min(log.total, log.appended - frozen.appended) : 0);

  const problem = refused?.filter === filter ? refused.problem : null;

  return {
    log,
    filter: shown.filter,
    problem,
    paused: frozen !== null,
    frozen,
    setPaused: (pause) => (pause ? freeze(0) : setFrozen(null)),
    ready,
    isLoading: problem === null && error === null && (!ready || shown.filter !== filter),
    // A lost engine is reported once, for the whole window.
    error: link.status === 'up' ? error : null,
    storeProblem,
    generation,
    retry: () => log.open(),
    locate: async (seq) => (await host.call('traffic_locate', { filter: shown.filter, seq })).index,
  };
}

/**
 * How many rows a view shows, how many of them have come at its end, and how many came since it was paused. `version` grows
 * with any change of the rows.
 */
export function useRowCount({ log, frozen }: TrafficView): {
  total: number;
  appended: number;
  arrived: number;
  version: number;
} {
  const version = useSyncExternalStore(log.subscribe, log.version);
  if (frozen === null) return { total: log.total, appended: log.appended, arrived: 0, version };
  // Rows that came may have left again, so no more have arrived than the log has grown.
  const grown = Math.max(0, log.total - frozen.total);
  const arrived = Math.min(grown, log.appended - frozen.appended);
  return { total: log.total - arrived, appended: frozen.appended, arrived, version };
}

/** One row of a view as it is now, if it is known. */
export function useRow({ log }: TrafficView, index: number | null): TrafficRow | undefined {
  return useSyncExternalStore(log.subscribe, () => (index === null ? undefined : log.row(index)));
}

/** Whether the log of a view has rows, also ones that came since it was paused. */
export function useHasRows({ log }: TrafficView): boolean {
  return useSyncExternalStore(log.subscribe, () => log.total > 0);
}

/** Whether older records are still being searched, so that rows may be missing. */
export function useSearching({ log }: TrafficView): boolean {
  return useSyncExternalStore(log.subscribe, () => log.searching);
}
