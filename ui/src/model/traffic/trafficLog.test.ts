import { describe, expect, it, vi } from 'vitest';
import type { Seq, TrafficDelta, TrafficRow } from '../../contract/generated';
import { ScriptedHost } from '../../host/scripted';
import { TrafficLog } from './trafficLog';
import { row, rows } from './trafficRows.fixture';

const ALL = '';

function delta(part: Partial<TrafficDelta>): TrafficDelta {
  return {
    reset: false,
    total: 0,
    added: [],
    changed: [],
    changedMissed: false,
    searching: false,
    storeProblem: null,
    ...part,
  };
}

/** A log over a host that knows `stored` rows. */
function setUp(stored: TrafficRow[] = []) {
  const host = new ScriptedHost({
    traffic_rows: ({ offset, limit }) => ({
      rows: stored.slice(offset, offset + limit),
      total: stored.length,
    }),
  });
  const log = new TrafficLog(host, ALL);
  log.open();
  return { host, log, tail: host.stream('traffic_tail') };
}

function pulled(host: ScriptedHost): number[] {
  return host.calls.map(({ params }) => (params as { offset: number }).offset);
}

/** Waits for the answers under way. */
async function settle(): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve));
}

describe('TrafficLog', () => {
  it('places the snapshot at the end of the log', () => {
    const { log, tail } = setUp();
    expect(log.ready).toBe(false);
    tail.emit(delta({ reset: true, total: 1000, added: rows(801, 1000) }));
    expect(log.ready).toBe(true);
    expect(log.total).toBe(1000);
    expect(log.row(999)?.seq).toBe('1000');
    expect(log.row(800)?.seq).toBe('801');
    expect(log.row(799)).toBeUndefined();
    expect(log.indexOf('1000' as Seq)).toBe(999);
  });

  it('calls its listeners ten times a second in a burst, and at once otherwise', async () => {
    vi.useFakeTimers();
    try {
      const { log, tail } = setUp();
      let calls = 0;
      log.subscribe(() => calls++);
      tail.emit(delta({ reset: true, total: 200, added: rows(1, 200) }));
      expect(calls).toBe(1);
      for (let total = 400; total <= 1000; total += 200) {
        tail.emit(delta({ total, added: rows(total - 199, total) }));
      }
      expect([calls, log.total]).toEqual([1, 1000]);
      await vi.advanceTimersByTimeAsync(100);
      expect(calls).toBe(2);
      tail.emit(delta({ total: 1200, added: rows(1001, 1200) }));
      tail.emit(delta({ total: 1201, added: rows(1201, 1201) }));
      expect(calls).toBe(3);
      await vi.advanceTimersByTimeAsync(1000);
      expect(calls).toBe(3);
    } finally {
      vi.useRealTimers();
    }
  });

  it('appends, and knows that rows between two deltas are missing', async () => {
    const { host, log, tail } = setUp(rows(1, 10_000));
    tail.emit(delta({ reset: true, total: 2, added: rows(1, 2) }));
    tail.emit(delta({ total: 10_000, added: rows(9801, 10_000) }));
    expect(log.total).toBe(10_000);
    expect(log.row(9_999)?.seq).toBe('10000');
    expect(log.row(5_000)).toBeUndefined();

    log.want(5_000, 5_040);
    await settle();
    expect(pulled(host)).toEqual([5_000]);
    expect(log.row(5_040)?.seq).toBe('5041');
  });

  it('counts as appended what came at the end, not older rows that a search found', () => {
    const { log, tail } = setUp();
    tail.emit(delta({ reset: true, total: 300, added: rows(801, 1000), searching: true }));
    const before = log.appended;
    tail.emit(delta({ total: 700, changedMissed: true, searching: true }));
    expect(log.appended).toBe(before);
    tail.emit(delta({ total: 952, added: rows(1001, 1002), changedMissed: true }));
    expect(log.appended).toBe(before + 2);
    // More than a delta holds.
    tail.emit(delta({ total: 1452, added: rows(1303, 1502) }));
    expect(log.appended).toBe(before + 502);
    // An answered request leaves, and another comes.
    tail.emit(delta({ total: 1452, added: [row(1503)], changedMissed: true }));
    expect(log.appended).toBe(before + 503);
  });

  it('pulls each page once, and only what is missing', async () => {
    const { host, log, tail } = setUp(rows(1, 1000));
    tail.emit(delta({ reset: true, total: 1000, added: rows(801, 1000) }));
    log.want(390, 420);
    log.want(395, 425);
    await settle();
    log.want(390, 420);
    log.want(900, 999);
    await settle();
    expect(pulled(host)).toEqual([200, 400]);
  });

  it('merges changed rows that are known and ignores the others', () => {
    const { log, tail } = setUp();
    tail.emit(delta({ reset: true, total: 2, added: [row(1, { status: 'pending' }), row(2)] }));
    tail.emit(delta({ total: 2, changed: [row(1, { status: 'ok', latencyMs: 4 }), row(77)] }));
    expect(log.row(0)).toMatchObject({ seq: '1', status: 'ok', latencyMs: 4 });
    expect(log.indexOf('77' as Seq)).toBeUndefined();
  });

  it('does not let an older pull undo a change that came meanwhile', async () => {
    const { log, tail } = setUp(rows(1, 500, { status: 'pending' }));
    tail.emit(delta({ reset: true, total: 500, added: [] }));
    log.want(0, 10);
    tail.emit(delta({ total: 500, changed: [row(5, { status: 'ok' })] }));
    await settle();
    expect(log.row(4)?.status).toBe('ok');
    expect(log.row(3)?.status).toBe('pending');
  });

  it('pulls again what is shown after it was told that changes were missed', async () => {
    const stored = rows(1, 100, { status: 'pending' });
    const { host, log, tail } = setUp(stored);
    tail.emit(delta({ reset: true, total: 100, added: stored }));
    stored.splice(0, 100, ...rows(1, 100, { status: 'ok' }));
    tail.emit(delta({ total: 100, changedMissed: true }));
    expect(log.row(50)?.status).toBe('pending');
    log.want(40, 60);
    await settle();
    expect(log.row(50)?.status).toBe('ok');
    log.want(40, 60);
    await settle();
    expect(pulled(host)).toEqual([0]);
  });

  it('draws no change of a record at an index where another one is now', async () => {
    const stored = rows(2, 251);
    const { log, tail } = setUp(stored);
    tail.emit(delta({ reset: true, total: 250, added: rows(52, 251) }));
    log.want(0, 249);
    await settle();
    // A row comes before all others, and only the first page is pulled again.
    stored.unshift(row(1));
    tail.emit(delta({ total: 251, changedMissed: true }));
    log.want(0, 10);
    await settle();
    expect([log.row(199)?.seq, log.row(200)?.seq]).toEqual(['200', '202']);
    expect(log.indexOf('201' as Seq)).toBeUndefined();
    tail.emit(delta({ total: 251, changed: [row(201, { status: 'ok' })] }));
    expect(log.row(199)?.seq).toBe('200');
    log.want(200, 210);
    await settle();
    expect([log.row(200)?.seq, log.indexOf('201' as Seq)]).toEqual(['201', 200]);
  });

  it('forgets everything at a reset, answers under way included', async () => {
    const { log, tail } = setUp(rows(1, 500));
    tail.emit(delta({ reset: true, total: 500, added: rows(301, 500) }));
    const before = log.generation;
    log.want(0, 10);
    tail.emit(delta({ reset: true, total: 0 }));
    await settle();
    expect(log.total).toBe(0);
    expect(log.row(0)).toBeUndefined();
    expect(log.generation).toBeGreaterThan(before);
  });

  it('keeps a bounded number of rows', async () => {
    const { log, tail } = setUp(rows(1, 40_000));
    tail.emit(delta({ reset: true, total: 40_000, added: rows(39_801, 40_000) }));
    for (let index = 0; index < 40_000; index += 200) {
      log.want(index, index + 30);
      await settle();
    }
    const kept = Array.from({ length: 40_000 }, (_, index) => log.row(index)).filter(
      (known) => known !== undefined,
    );
    expect(kept.length).toBe(60 * 200);
    expect(log.row(39_999)?.seq).toBe('40000');
  });

  it('says why a pull failed, and that the tail broke off', async () => {
    const host = new ScriptedHost();
    const log = new TrafficLog(host, ALL);
    log.open();
    host.stream('traffic_tail').emit(delta({ reset: true, total: 10 }));
    log.want(0, 9);
    await settle();
    expect(log.error?.code).toBe('notFound');
    host.stream('traffic_tail').end({ code: 'storage', message: 'gone', detail: null });
    expect(log.error?.message).toBe('gone');
  });

  it('says why a page is missing until it is pulled again', async () => {
    const { host, log, tail } = setUp(rows(1, 500));
    const answer = host.answers.traffic_rows;
    host.answers.traffic_rows = async (params) => {
      if (params.offset === 0) throw new Error('the disk is slow');
      return (await answer?.(params)) as { rows: TrafficRow[]; total: number };
    };
    tail.emit(delta({ reset: true, total: 500, added: [] }));
    log.want(0, 10);
    await settle();
    log.want(300, 310);
    await settle();
    tail.emit(delta({ total: 501, added: rows(501, 501) }));
    expect(log.error?.message).toBe('the disk is slow');
    host.answers.traffic_rows = answer!;
    tail.emit(delta({ reset: true, total: 500, added: [] }));
    expect(log.error).toBeNull();
    log.want(0, 10);
    await settle();
    expect(log.row(0)?.seq).toBe('1');
  });

  it('tells each change once', () => {
    const { log, tail } = setUp();
    let told = 0;
    log.subscribe(() => told++);
    tail.emit(delta({ reset: true, total: 1, added: rows(1, 1), storeProblem: 'the disk is full' }));
    expect(told).toBe(1);
    expect(log.storeProblem).toBe('the disk is full');
  });
});
