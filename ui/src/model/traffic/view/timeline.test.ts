import { describe, expect, it } from 'vitest';
import type { TrafficRow } from '../../../contract/generated';
import { barWithin, createTimeline, updateTimeline, timeRangeOfAll } from './timeline';

const row = (part: Partial<TrafficRow>): TrafficRow =>
  ({ kind: 'request', status: 'ok', atMs: 0, latencyMs: null, ...part }) as TrafficRow;

describe('the time of rows', () => {
  it('lasts from the first start to the last end', () => {
    const rows = [
      row({ atMs: 1000, latencyMs: 500 }),
      row({ kind: 'notification', atMs: 1200, status: null }),
      // Its request has the time of both.
      row({ kind: 'response', atMs: 1500, latencyMs: 500 }),
      row({ atMs: 1400, status: 'pending' }),
    ];
    const all = timeRangeOfAll(rows);
    expect(all).toEqual({ fromMs: 1000, toMs: 1500 });
    expect(rows.map((each) => barWithin(each, all!))).toEqual([
      { left: 0, width: 100 },
      { left: 40, width: 0 },
      { left: 100, width: 0 },
      { left: 80, width: 20 },
    ]);
  });

  it('is nothing without rows, and one moment is within it', () => {
    expect(timeRangeOfAll([])).toBeNull();
    const one = row({ kind: 'stderr', atMs: 7 });
    expect(barWithin(one, timeRangeOfAll([one])!)).toEqual({ left: 0, width: 0 });
    // A clock that was set back: nothing is drawn outside.
    expect(barWithin(row({ atMs: 10, latencyMs: -50 }), { fromMs: 10, toMs: 20 }).width).toBe(0);
  });

  it('is that of the loaded rows in view, and changes only with them', () => {
    const timeline = createTimeline();
    const rows = [row({ atMs: 5, latencyMs: 1 }), undefined, row({ atMs: 9, latencyMs: 2 })];
    let changes = 0;
    timeline.subscribe(() => (changes += 1));
    const log = { row: (index: number) => rows[index] };
    updateTimeline(timeline, log, 0, 2);
    updateTimeline(timeline, log, 0, 5);
    expect([timeline.getState(), changes]).toEqual([{ fromMs: 5, toMs: 11 }, 1]);
    updateTimeline(timeline, log, 1, 1);
    expect(timeline.getState()).toBeNull();
  });
});
