import { act, renderHook } from '@testing-library/react';
import type { ReactNode } from 'react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { RecordStatus, TrafficDelta, TrafficRow } from '../../../contract/generated';
import { ScriptedHost } from '../../../host/scripted';
import { ModelProvider, createModel } from '../../workspace/context';
import { row, rows } from '../trafficRows.fixture';
import { useRowCount, useTrafficView } from '../useTrafficView';
import { useSorted } from './useSorted';

const NOTHING: TrafficDelta = {
  reset: false,
  total: 0,
  added: [],
  changed: [],
  changedMissed: false,
  searching: false,
  storeProblem: null,
};

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const pass = (ms: number): Promise<void> => act(async () => void (await vi.advanceTimersByTimeAsync(ms)));

/** A log of 1,000 requests that wait, of which the newest 200 are loaded, sorted by time, newest first. */
async function open() {
  const stored = rows(1, 1_000, { kind: 'request', status: 'pending' });
  const host = new ScriptedHost({
    traffic_rows: ({ offset, limit }) => ({
      rows: stored.slice(offset, offset + limit),
      total: stored.length,
    }),
  });
  const model = createModel(host);
  const { result } = renderHook(
    () => {
      const live = useTrafficView({ serverId: null, text: '' });
      const sorted = useSorted(live, { by: 'time', descending: true });
      useRowCount(sorted?.view ?? live);
      return sorted;
    },
    {
      wrapper: ({ children }: { children: ReactNode }) => (
        <ModelProvider model={model}>{children}</ModelProvider>
      ),
    },
  );
  const emit = (part: Partial<TrafficDelta>): void =>
    act(() => host.stream('traffic_tail').emit({ ...NOTHING, total: stored.length, ...part }));
  emit({ reset: true, added: stored.slice(-200) });
  return {
    host,
    emit,
    stored,
    /** What is listed of the record with this number. */
    status: (seq: number): RecordStatus | null | undefined =>
      result.current?.view.log.row(stored.length - seq)?.status,
    reads: () => host.calls.filter(({ name }) => name === 'traffic_rows').length,
  };
}

const answered = (seq: number): TrafficRow => row(seq, { kind: 'request', status: 'ok' });

it('shows what becomes of rows that the live log has not loaded', async () => {
  const { emit, status } = await open();
  await pass(0);
  expect([status(3), status(999)]).toEqual(['pending', 'pending']);
  emit({ changed: [answered(3), answered(999)] });
  expect([status(3), status(4), status(999)]).toEqual(['ok', 'pending', 'ok']);
});

it('shows what became of rows while they were read', async () => {
  const { host, emit, status } = await open();
  const answer = host.answers.traffic_rows;
  await pass(0);
  let release = (): void => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  host.answers.traffic_rows = async (params) => {
    const read = (await answer?.(params)) as { rows: TrafficRow[]; total: number };
    await held;
    return read;
  };
  emit({ reset: true });
  emit({ changed: [answered(3)] });
  await act(async () => release());
  expect([status(3), status(4)]).toEqual(['ok', 'pending']);
});

it('reads the rows again after changes were missed, at most once a second', async () => {
  const { emit, stored, status, reads } = await open();
  await pass(0);
  const first = reads();
  stored.splice(0, 500, ...Array.from({ length: 500 }, (_, at) => answered(at + 1)));
  for (let at = 0; at < 15; at++) {
    emit({ changedMissed: true });
    await pass(100);
  }
  expect([status(3), status(600)]).toEqual(['ok', 'pending']);
  // How many there are, and two pages.
  expect(reads() - first).toBe(3);
  await pass(5_000);
  expect(reads() - first).toBe(6);
  // A change after that counts.
  emit({ changed: [answered(600)] });
  expect(status(600)).toBe('ok');
});
