import type { Seq, TrafficRow } from '../../../contract/generated';
import type { Host } from '../../../host/host';
import { type TrafficLog, settled } from '../trafficLog';

/** What a list of records shows: the live log, or records of it in another order. */
export type RowSource = Pick<
  TrafficLog,
  | 'total'
  | 'appended'
  | 'row'
  | 'indexOf'
  | 'want'
  | 'subscribe'
  | 'version'
  | 'watchRows'
  | 'searching'
  | 'revision'
  | 'revisionOf'
>;

/** How many records are sorted at most: the newest. */
export const MOST_SORTED = 20_000;
/** The largest page of rows that the engine returns, and how many are pulled at once. */
const PAGE = 500;
const AT_ONCE = 4;

/**
 * The newest records of a filter, or of a range of it, in order of time, and how many there are in all. Stops when the signal
 * aborts.
 */
export async function readRows(
  host: Host,
  filter: string,
  signal: AbortSignal,
  within = { first: 0, last: Infinity },
): Promise<{ rows: TrafficRow[]; total: number }> {
  const { total } = await host.call('traffic_rows', { filter, offset: 0, limit: 1 });
  const end = Math.min(total, within.last + 1);
  const first = Math.max(within.first, end - MOST_SORTED);
  const offsets = Array.from({ length: Math.ceil((end - first) / PAGE) }, (_, i) => first + i * PAGE);
  const rows = new Map<Seq, TrafficRow>();
  for (let at = 0; at < offsets.length; at += AT_ONCE) {
    signal.throwIfAborted();
    const pages = await Promise.all(
      offsets
        .slice(at, at + AT_ONCE)
        .map((offset) => host.call('traffic_rows', { filter, offset, limit: Math.min(PAGE, end - offset) })),
    );
    for (const page of pages) for (const row of page.rows) rows.set(row.seq, row);
  }
  return { rows: [...rows.values()], total: end - within.first };
}

/** The shortest time until rows that may have changed unseen are read again, in ms. */
const RENEW_AFTER_MS = 1_000;

/** Rows as they were read first, and what has become of them since. */
export interface FollowedRows {
  rows: TrafficRow[];
  /** How many the filter had. */
  total: number;
  newer: ReadonlyMap<Seq, TrafficRow>;
}

/**
 * Reads the newest records of a filter and follows what becomes of them, also of those that the live log has not loaded. `onRows`
 * is called when they are read, and when they are read again because changes were missed. Ends when the signal aborts.
 */
export async function followRows(
  host: Host,
  filter: string,
  live: RowSource,
  signal: AbortSignal,
  onRows: (rows: FollowedRows) => void,
): Promise<void> {
  const newer = new Map<Seq, TrafficRow>();
  let seqs: ReadonlySet<Seq> = new Set();
  let revision = live.revision;
  /** Changes that come while rows are read; what is read may be older. */
  let meanwhile: Map<Seq, TrafficRow> | null = null;
  const unwatch = live.watchRows((row) => {
    meanwhile?.set(row.seq, row);
    if (seqs.has(row.seq)) newer.set(row.seq, row);
  });
  signal.addEventListener('abort', unwatch);
  const read = async (): Promise<{ rows: TrafficRow[]; total: number }> => {
    const changed = new Map<Seq, TrafficRow>();
    meanwhile = changed;
    revision = live.revision;
    try {
      const { rows, total } = await readRows(host, filter, signal);
      signal.throwIfAborted();
      return { rows: rows.map((row) => settled(row, changed.get(row.seq))), total };
    } finally {
      meanwhile = null;
    }
  };

  const first = await read();
  seqs = new Set(first.rows.map(({ seq }) => seq));
  onRows({ ...first, newer });

  let timer: ReturnType<typeof setTimeout> | undefined;
  const renew = async (): Promise<void> => {
    try {
      const { rows } = await read();
      for (const row of rows) if (seqs.has(row.seq)) newer.set(row.seq, row);
      onRows({ ...first, newer });
    } catch {
      // They stay as they are until more changes are missed.
    }
    timer = undefined;
    renewSoon();
  };
  const renewSoon = (): void => {
    if (signal.aborted || timer !== undefined || live.searching || live.revision === revision) return;
    timer = setTimeout(() => void renew(), RENEW_AFTER_MS);
  };
  const unsubscribe = live.subscribe(renewSoon);
  signal.addEventListener('abort', () => {
    unsubscribe();
    clearTimeout(timer);
  });
  renewSoon();
}

/** Records in an order of their own. Which they are is fixed; what they are is as new as in the live log. */
export class SortedRows implements RowSource {
  readonly #rows: readonly TrafficRow[];
  readonly #live: RowSource;
  readonly #newer: ReadonlyMap<Seq, TrafficRow>;
  readonly #places: ReadonlyMap<Seq, number>;
  /** No row comes or goes. */
  readonly appended = 0;
  readonly revision = 0;
  readonly revisionOf = (): number => 0;
  readonly want = (): void => {};

  /** `newer`: what has become of rows since they were read. */
  constructor(rows: readonly TrafficRow[], live: RowSource, newer: ReadonlyMap<Seq, TrafficRow>) {
    this.#rows = rows;
    this.#live = live;
    this.#newer = newer;
    this.#places = new Map(rows.map(({ seq }, index) => [seq, index]));
  }

  get total(): number {
    return this.#rows.length;
  }

  get searching(): boolean {
    return this.#live.searching;
  }

  readonly version = (): number => this.#live.version();

  readonly subscribe = (listener: () => void): (() => void) => this.#live.subscribe(listener);

  readonly watchRows: RowSource['watchRows'] = (watcher) => this.#live.watchRows(watcher);

  row(index: number): TrafficRow | undefined {
    const row = this.#rows[index];
    return row && (this.#newer.get(row.seq) ?? row);
  }

  indexOf(seq: Seq): number | undefined {
    return this.#places.get(seq);
  }
}
