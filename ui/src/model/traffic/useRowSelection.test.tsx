import { act, renderHook, waitFor } from '@testing-library/react';
import type { ReactNode } from 'react';
import { afterEach, expect, it, vi } from 'vitest';
import type { Seq, TrafficDelta } from '../../contract/generated';
import { ScriptedHost } from '../../host/scripted';
import { ModelProvider, createModel } from '../workspace/context';
import { row } from './trafficRows.fixture';
import { useRowSelection, useSelectedRow } from './useRowSelection';
import { useRowRange } from './useRowRange';
import { useTrafficView } from './useTrafficView';

const CHANGE: TrafficDelta = {
  reset: false,
  total: 0,
  added: [],
  changed: [],
  changedMissed: true,
  searching: false,
  storeProblem: null,
};

afterEach(() => void vi.useRealTimers());

/** A view whose filter shows the records at these places; an empty filter shows all at their own. */
async function open(places: Record<string, number>) {
  const host = new ScriptedHost({
    server_list: () => ({ items: [] }),
    traffic_locate: ({ filter, seq }) => ({
      index: filter === '' ? Number(seq) - 1 : (places[seq] ?? null),
    }),
    traffic_rows: () => {
      const shown = Object.entries(places).toSorted(([, one], [, other]) => one - other);
      return { rows: shown.map(([seq]) => row(Number(seq))), total: shown.length };
    },
  });
  const model = createModel(host);
  const hook = renderHook(
    ({ text }: { text: string }) => {
      const view = useTrafficView({ serverId: null, text });
      const selection = useRowSelection(view);
      const selectedRow = useSelectedRow(view, selection);
      return { view, selection, selectedRow, range: useRowRange(view, selection) };
    },
    {
      initialProps: { text: '' },
      wrapper: ({ children }: { children: ReactNode }) => (
        <ModelProvider model={model}>{children}</ModelProvider>
      ),
    },
  );
  const show = (rows: number[], total = rows.length): void =>
    act(() =>
      host.stream('traffic_tail').emit({
        reset: true,
        total,
        added: rows.map((seq) => row(seq)),
        changed: [],
        changedMissed: false,
        searching: false,
        storeProblem: null,
      }),
    );
  const filter = (text: string, rows: number[], total?: number): void => {
    hook.rerender({ text });
    show(rows, total);
  };
  /** Rows come or go among the others. */
  const change = (now: Record<string, number>, part: Partial<TrafficDelta> = {}): void => {
    for (const seq of Object.keys(places)) delete places[seq];
    Object.assign(places, now);
    act(() => host.stream('traffic_tail').emit({ ...CHANGE, total: Object.keys(places).length, ...part }));
  };
  const pull = (): Promise<void> => act(async () => hook.result.current.view.log.want(0, 10));
  show([1, 2, 3, 4, 5]);
  return {
    now: () => hook.result.current.selection,
    range: () => hook.result.current.range,
    /** The record of the selected row, as it is listed. */
    selectedSeq: () => hook.result.current.selectedRow?.seq,
    located: () => host.calls.filter(({ name }) => name === 'traffic_locate').length,
    filter,
    change,
    pull,
    /** Holds the answers of the engine to where a record is. */
    hold: () => {
      const answer = host.answers.traffic_locate;
      let release = (): void => {};
      const held = new Promise<void>((resolve) => {
        release = resolve;
      });
      host.answers.traffic_locate = async (params) => {
        await held;
        if (answer === undefined) throw new Error('no script');
        return (await answer(params)) as { index: number | null };
      };
      return () => act(async () => release());
    },
  };
}

it('keeps the selected record in view under another filter', async () => {
  const { now, filter } = await open({ '4': 1 });
  act(() => {
    now().select(3);
    now().setFollow(false);
  });
  filter('x', [2, 4]);
  await waitFor(() => expect(now().reveal).toEqual({ index: 1 }));
  expect(now()).toMatchObject({ index: 1, seq: '4' as Seq, follow: false });
});

it('shows the end where the filter hides the selected record, and the record again without the filter', async () => {
  const { now, filter } = await open({});
  act(() => {
    now().select(3);
    now().setFollow(false);
  });
  filter('x', [2]);
  await waitFor(() => expect(now()).toMatchObject({ index: null, seq: null, follow: true }));
  filter('', [1, 2, 3, 4, 5]);
  await waitFor(() =>
    expect(now()).toMatchObject({ index: 3, seq: '4' as Seq, follow: false, reveal: { index: 3 } }),
  );
});

it('shows the end under another filter when nothing is selected', async () => {
  const { now, filter } = await open({});
  act(() => now().setFollow(false));
  filter('x', [2]);
  await waitFor(() => expect(now().follow).toBe(true));
});

it('stays at a row that a key went to before it was loaded, under another filter', async () => {
  const { now, filter } = await open({});
  // The newest of many rows: the first one is not loaded.
  filter('y', [2_999, 3_000], 3_000);
  act(() => {
    now().select(0);
    now().setFollow(false);
  });
  filter('x', [2, 4]);
  await waitFor(() => expect(now()).toMatchObject({ index: 0, seq: '2' as Seq, follow: false }));
});

it('stays at its record when older ones are found, and keeps its place in view', async () => {
  const { now, filter, change } = await open({ '4': 0, '5': 1 });
  filter('x', [4, 5]);
  act(() => {
    now().select(1);
    now().setFollow(false);
  });
  change({ '2': 0, '3': 1, '4': 2, '5': 3 }, { searching: true });
  expect(now().seq).toBe('5');
  change({ '1': 0, '2': 1, '3': 2, '4': 3, '5': 4 });
  await waitFor(() => expect(now().index).toBe(4));
  expect(now()).toMatchObject({ seq: '5' as Seq, follow: false, reveal: { index: 4, from: 1 } });
});

it('is at no other row when its record leaves, and again at its own when that returns', async () => {
  const { now, filter, change } = await open({ '3': 0, '4': 1, '5': 2 });
  filter('x', [3, 4, 5]);
  act(() => {
    now().select(1);
    now().setFollow(false);
  });
  change({ '3': 0, '5': 1 });
  await waitFor(() => expect(now().index).toBeNull());
  // What is read of it stays in view.
  expect(now()).toMatchObject({ seq: '4' as Seq, follow: false, reveal: null });
  change({ '3': 0, '4': 1, '5': 2 });
  await waitFor(() => expect(now().index).toBe(1));
  expect(now()).toMatchObject({ seq: '4' as Seq, reveal: null });
});

it('is never at the row of another record, also before the engine has said where its own is', async () => {
  const { now, filter, change, pull, hold } = await open({ '3': 0, '4': 1, '5': 2 });
  filter('x', [3, 4, 5]);
  act(() => now().select(1));
  const release = hold();
  change({ '4': 0, '5': 1 });
  await pull();
  expect(now()).toMatchObject({ index: 0, seq: '4' as Seq });
  change({ '5': 0 });
  await pull();
  expect(now()).toMatchObject({ index: null, seq: '4' as Seq });
  await release();
  expect(now()).toMatchObject({ index: null, seq: '4' as Seq });
});

it('extends over the same records when an older one leaves, and is one record when its first does', async () => {
  const { range, filter, change } = await open({ '1': 0, '2': 1, '3': 2, '4': 3, '5': 4 });
  filter('x', [1, 2, 3, 4, 5]);
  act(() => range().select(1, false));
  act(() => range().select(3, true));
  expect(range().range).toEqual({ first: 1, last: 3 });
  change({ '2': 0, '3': 1, '4': 2, '5': 3 });
  await waitFor(() => expect(range().range).toEqual({ first: 0, last: 2 }));
  change({ '3': 0, '4': 1, '5': 2 });
  await waitFor(() => expect(range().range).toEqual({ first: 1, last: 1 }));
});

it('asks where its record is at most four times a second while rows keep moving', async () => {
  vi.useFakeTimers();
  const pass = (ms: number): Promise<void> => act(async () => void (await vi.advanceTimersByTimeAsync(ms)));
  const { now, filter, change, located } = await open({ '4': 0, '5': 1 });
  filter('x', [4, 5]);
  act(() => now().select(1));
  // The first move is followed at once.
  change({ '3': 0, '4': 1, '5': 2 });
  await pass(0);
  expect([located(), now().index]).toEqual([1, 2]);
  for (let at = 0; at < 20; at++) {
    change(at % 2 === 0 ? { '4': 0, '5': 1 } : { '3': 0, '4': 1, '5': 2 });
    await pass(50);
  }
  expect(located()).toBeLessThanOrEqual(5);
  await pass(250);
  expect(now()).toMatchObject({ index: 2, seq: '5' as Seq });
  const settled = located();
  await pass(1000);
  expect(located()).toBe(settled);
  // Among other rows, at once.
  filter('', [1, 2, 3, 4, 5]);
  await pass(0);
  expect(now().index).toBe(4);
});

it('has the row of its own record only, also while another one is at its index', async () => {
  const { now, selectedSeq, filter, change, pull } = await open({ '3': 0, '4': 1, '5': 2 });
  filter('x', [3, 4, 5]);
  act(() => now().select(1));
  expect(selectedSeq()).toBe('4');
  // Located, and not pulled yet: the row at its index is still that of another record.
  change({ '4': 0, '5': 1 });
  await waitFor(() => expect(now().index).toBe(0));
  expect(selectedSeq()).toBe('4');
  change({ '5': 0 });
  await pull();
  expect(selectedSeq()).not.toBe('5');
});

it('stays at what was selected while the place of another record was looked up', async () => {
  const { now, hold } = await open({});
  const release = hold();
  let late: Promise<boolean | null> | undefined;
  act(() => void (late = now().selectSeq('2' as Seq)));
  act(() => now().select(3));
  await release();
  expect(await late).toBeNull();
  expect(now()).toMatchObject({ index: 3, seq: '4' as Seq, reveal: null });
});

it('selects the record that was asked for last', async () => {
  const { now, hold } = await open({});
  const release = hold();
  let answers: Promise<(boolean | null)[]> | undefined;
  act(() => void (answers = Promise.all(['5', '2'].map((seq) => now().selectSeq(seq as Seq)))));
  await release();
  expect(await answers).toEqual([null, true]);
  expect(now().seq).toBe('2');
});

it('stays at the first record in view when others are removed from the same log', async () => {
  const { now, filter, change } = await open({ '1': 0, '2': 1, '3': 2, '4': 3, '5': 4 });
  filter('x', [1, 2, 3, 4, 5]);
  act(() => {
    now().setFollow(false);
    now().noteFirst(3);
  });
  change({ '3': 0, '4': 1, '5': 2 }, { reset: true, added: [3, 4, 5].map((seq) => row(seq)) });
  // Until the record is located, another one is at its index.
  act(() => now().noteFirst(2));
  await waitFor(() => expect(now().reveal).toEqual({ index: 1, isFirst: true }));
  expect(now().follow).toBe(false);
  // The oldest, if it was removed too.
  change({ '5': 0 }, { reset: true, added: [row(5)] });
  await waitFor(() => expect(now().reveal).toEqual({ index: 0, isFirst: true }));
  expect(now().follow).toBe(false);
  // What comes after all were removed is new.
  change({}, { reset: true });
  expect(now().follow).toBe(true);
});

it('does not go to the selected record when others are removed from the same log', async () => {
  const { now, filter, change } = await open({ '3': 0, '4': 1, '5': 2 });
  filter('x', [3, 4, 5]);
  act(() => {
    now().select(2);
    now().setFollow(false);
  });
  change({ '4': 0, '5': 1 }, { reset: true, added: [row(4), row(5)] });
  await waitFor(() => expect(now().index).toBe(1));
  expect(now()).toMatchObject({ seq: '5' as Seq, follow: false, reveal: null });
  change({ '4': 0 }, { reset: true, added: [row(4)] });
  await waitFor(() => expect(now().seq).toBeNull());
  expect(now()).toMatchObject({ index: null, follow: false, reveal: null });
});
