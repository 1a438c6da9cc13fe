import { describe, expect, it } from 'vitest';
import { MAX_PINGS, type Ping, pingFigures, withPing } from './pings';

const failed: Ping = { atMs: 0, error: { code: 'timedOut', message: 'No answer', detail: null } };

describe('the history of pings', () => {
  it('keeps the newest', () => {
    let pings: Ping[] = [];
    for (let n = 0; n < MAX_PINGS + 5; n++) pings = withPing(pings, { atMs: n, durationMs: n });
    expect(pings).toHaveLength(MAX_PINGS);
    expect(pings.at(0)).toMatchObject({ atMs: 5 });
  });

  it('has figures of what was answered, and counts what was not', () => {
    const pings = [4, 1, 3, 2].map((durationMs, atMs) => ({ atMs, durationMs }));
    expect(pingFigures([...pings, failed])).toEqual({
      count: 5,
      failed: 1,
      times: { min: 1, median: 2.5, max: 4 },
    });
    expect(pingFigures(pings.slice(0, 3)).times?.median).toBe(3);
    expect(pingFigures([failed])).toEqual({ count: 1, failed: 1, times: null });
    expect(pingFigures([])).toEqual({ count: 0, failed: 0, times: null });
  });
});
