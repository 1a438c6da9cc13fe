import type { Seq, TrafficRow } from '../../../contract/generated';
import type { Host } from '../../../host/host';
import type { TrafficLog } from '../trafficLog';

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

/** Records in an order of their own. Which they are is fixed; what they are is as new as in the live log. */
export class SortedRows implements RowSource {
  readonly #rows: readonly TrafficRow[];
  readonly #live: RowSource;
  readonly #places: ReadonlyMap<Seq, number>;
  /** No row comes or goes. */
  readonly appended = 0;
  readonly revision = 0;
  readonly revisionOf = (): number => 0;
  readonly want = (): void => {};

  constructor(rows: readonly TrafficRow[], live: RowSource) {
    this.#rows = rows;
    this.#live = live;
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

  row(index: number): TrafficRow | undefined {
    const row = this.#rows[index];
    const at = row === undefined ? undefined : this.#live.indexOf(row.seq);
    const live = at === undefined ? undefined : this.#live.row(at);
    // An index that the live log has given to another record since.
    return live !== undefined && live.seq === row?.seq ? live : row;
  }

  indexOf(seq: Seq): number | undefined {
    return this.#places.get(seq);
  }
}
