import type { RecordStatus, TrafficRow } from '../../../contract/generated';
import { kindWord } from '../kinds';

/** The columns of the log that it can be sorted by. */
export const SORT_COLUMNS = ['time', 'server', 'kind', 'method', 'status', 'latency', 'size'] as const;
export type SortColumn = (typeof SORT_COLUMNS)[number];

export interface Sort {
  by: SortColumn;
  descending: boolean;
}

/** Where the largest, the slowest or the newest is wanted first. */
const FROM_THE_END: readonly SortColumn[] = ['time', 'status', 'latency', 'size'];

/** The order after a click on a column: its first order, then the other, then again by time, as the records arrive (null). */
export function nextSort(now: Sort | null, by: SortColumn): Sort | null {
  const first = FROM_THE_END.includes(by);
  if (now?.by !== by) return { by, descending: first };
  // The log itself is in the other order of time.
  return now.descending === first && by !== 'time' ? { by, descending: !first } : null;
}

/** How a column is sorted, for `aria-sort`. */
export function ariaSort(now: Sort | null, by: SortColumn): 'ascending' | 'descending' | undefined {
  if (now === null) return by === 'time' ? 'ascending' : undefined;
  return now.by !== by ? undefined : now.descending ? 'descending' : 'ascending';
}

const WORDS: Record<SortColumn, [ascending: string, descending: string]> = {
  time: ['time, oldest first', 'time, newest first'],
  server: ['server, A to Z', 'server, Z to A'],
  kind: ['kind, A to Z', 'kind, Z to A'],
  method: ['method, A to Z', 'method, Z to A'],
  status: ['status, successes first', 'status, failures first'],
  latency: ['latency, fastest first', 'latency, slowest first'],
  size: ['size, smallest first', 'size, largest first'],
};

/** The order in words: `latency, slowest first`. */
export function sortWords({ by, descending }: Sort): string {
  return WORDS[by][descending ? 1 : 0];
}

/** From success to failure. */
const STATUSES: Record<RecordStatus, number> = {
  ok: 0,
  pending: 1,
  cancelled: 2,
  toolError: 3,
  error: 4,
  timedOut: 5,
  lost: 6,
};

/** What a row is sorted by; null: it has none. */
function valueOf(row: TrafficRow, by: SortColumn): number | string | null {
  switch (by) {
    case 'time':
      return row.atMs;
    case 'server':
      return row.serverName;
    case 'kind':
      return kindWord(row.kind);
    case 'method':
      return row.method;
    case 'status':
      return row.status === null ? null : STATUSES[row.status];
    case 'latency':
      return row.latencyMs;
    case 'size':
      return row.kind === 'lifecycle' || row.kind === 'gap' ? null : row.size;
  }
}

const collator = new Intl.Collator('en', { numeric: true });

/** The rows in this order; those without a value are the last, and equal ones stay in the order of time. */
export function sortRows(rows: readonly TrafficRow[], { by, descending }: Sort): TrafficRow[] {
  const keyed = rows.map((row) => ({ row, value: valueOf(row, by) }));
  const sign = descending ? -1 : 1;
  keyed.sort((one, other) => {
    if (one.value === null || other.value === null)
      return Number(one.value === null) - Number(other.value === null);
    if (typeof one.value === 'number' && typeof other.value === 'number')
      return sign * (one.value - other.value);
    return sign * collator.compare(String(one.value), String(other.value));
  });
  return keyed.map(({ row }) => row);
}
