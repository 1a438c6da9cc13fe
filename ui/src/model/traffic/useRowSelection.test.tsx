import { act, renderHook, waitFor } from '@testing-library/react';
import type { ReactNode } from 'react';
import { expect, it } from 'vitest';
import type { Seq } from '../../contract/generated';
import { ScriptedHost } from '../../host/scripted';
import { ModelProvider, createModel } from '../workspace/context';
import { row } from './trafficRows.fixture';
import { useRowSelection } from './useRowSelection';
import { useTrafficView } from './useTrafficView';

/** A view whose filter shows the records at these places; an empty filter shows all at their own. */
async function open(places: Record<string, number>) {
  const host = new ScriptedHost({
    server_list: () => ({ items: [] }),
    traffic_locate: ({ filter, seq }) => ({
      index: filter === '' ? Number(seq) - 1 : (places[seq] ?? null),
    }),
    traffic_rows: () => ({ rows: [], total: 0 }),
  });
  const model = createModel(host);
  const hook = renderHook(
    ({ text }: { text: string }) => {
      const view = useTrafficView({ serverId: null, text });
      return { view, selection: useRowSelection(view) };
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
  show([1, 2, 3, 4, 5]);
  return { now: () => hook.result.current.selection, filter };
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
