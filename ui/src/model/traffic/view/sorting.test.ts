import { describe, expect, it } from 'vitest';
import type { TrafficRow } from '../../../contract/generated';
import { ScriptedHost } from '../../../host/scripted';
import { row, rows } from '../trafficRows.fixture';
import { MOST_SORTED, SortedRows, readRows } from './sortedRows';
import { SORT_COLUMNS, ariaSort, nextSort, sortRows, sortWords } from './sorting';

const seqs = (list: readonly TrafficRow[]): string => list.map(({ seq }) => seq).join('');

describe('the order of records', () => {
  it('goes from the first of a column to the other, then back to time', () => {
    const first = nextSort(null, 'latency');
    expect(first).toEqual({ by: 'latency', descending: true });
    expect(nextSort(first, 'latency')).toEqual({ by: 'latency', descending: false });
    expect(nextSort({ by: 'latency', descending: false }, 'latency')).toBeNull();
    expect(nextSort(first, 'method')).toEqual({ by: 'method', descending: false });
    expect(nextSort(nextSort(null, 'time'), 'time')).toBeNull();
    expect([ariaSort(null, 'time'), ariaSort(first, 'latency'), ariaSort(first, 'time')]).toEqual([
      'ascending',
      'descending',
      undefined,
    ]);
    for (const by of SORT_COLUMNS) {
      expect(sortWords({ by, descending: true })).not.toBe(sortWords({ by, descending: false }));
    }
  });

  it('has those without a value last, and equal ones in the order of time', () => {
    const list = [
      row(1, { latencyMs: null }),
      row(2, { latencyMs: 9 }),
      row(3, { latencyMs: 10 }),
      row(4, { latencyMs: 9 }),
    ];
    expect(seqs(sortRows(list, { by: 'latency', descending: true }))).toBe('3241');
    expect(seqs(sortRows(list, { by: 'latency', descending: false }))).toBe('2431');
    expect(seqs(sortRows(list, { by: 'time', descending: true }))).toBe('4321');
    const failed = [
      row(1, { status: 'ok' }),
      row(2),
      row(3, { status: 'lost' }),
      row(4, { status: 'error' }),
    ];
    expect(seqs(sortRows(failed, { by: 'status', descending: true }))).toBe('3412');
    const methods = [
      row(1, { method: 'b' }),
      row(2, { method: null }),
      row(3, { method: 'a10' }),
      row(4, { method: 'a9' }),
    ];
    expect(seqs(sortRows(methods, { by: 'method', descending: false }))).toBe('4312');
  });
});

describe('what is sorted', () => {
  it('is the newest of the filter, up to a limit', async () => {
    const stored = rows(1, MOST_SORTED + 700);
    const host = new ScriptedHost({
      traffic_rows: ({ offset, limit }) => ({
        rows: stored.slice(offset, offset + limit),
        total: stored.length,
      }),
    });
    const read = await readRows(host, 'x', new AbortController().signal);
    expect(read.total).toBe(MOST_SORTED + 700);
    expect([read.rows.length, read.rows[0]?.seq]).toEqual([MOST_SORTED, '701']);
    const stop = new AbortController();
    stop.abort();
    await expect(readRows(host, 'x', stop.signal)).rejects.toThrow();
  });

  it('is shown as it is now, and keeps its place', () => {
    const done = row(2, { status: 'ok', latencyMs: 3 });
    const live = {
      total: 2,
      appended: 0,
      searching: false,
      row: () => undefined,
      indexOf: () => undefined,
      want: () => {},
      subscribe: () => () => {},
      watchRows: () => () => {},
      version: () => 1,
      revision: 0,
      revisionOf: () => 0,
    };
    const sorted = new SortedRows([row(2, { status: 'pending' }), row(1)], live, new Map([[done.seq, done]]));
    expect(sorted.row(0)).toBe(done);
    expect(sorted.row(1)?.seq).toBe('1');
    expect(sorted.indexOf(row(1).seq)).toBe(1);
    expect(sorted.row(2)).toBeUndefined();
  });
});
