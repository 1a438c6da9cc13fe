import { act, renderHook } from '@testing-library/react';
import type { ReactNode } from 'react';
import { expect, it } from 'vitest';
import type { TrafficDelta } from '../../contract/generated';
import { ScriptedHost } from '../../host/scripted';
import { ModelProvider, createModel } from '../workspace/context';
import { row, rows } from './trafficRows.fixture';
import { useRowCount, useTrafficView } from './useTrafficView';

const REFUSED = { code: 'invalidParams', message: 'Unknown.', detail: '{"at":0,"length":10}' } as const;

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

/** A view of three records, without a filter. */
function open() {
  const host = new ScriptedHost();
  const model = createModel(host);
  const { result, rerender, unmount } = renderHook(
    ({ text }: { text: string }) => {
      const view = useTrafficView({ serverId: null, text });
      const { total, arrived } = useRowCount(view);
      return { view, total, arrived };
    },
    {
      initialProps: { text: '' },
      wrapper: ({ children }: { children: ReactNode }) => (
        <ModelProvider model={model}>{children}</ModelProvider>
      ),
    },
  );
  const emit = (part: Partial<TrafficDelta>): void =>
    act(() => host.stream('traffic_tail').emit(delta(part)));
  emit({ reset: true, total: 3, added: rows(1, 3) });
  return {
    now: () => result.current.view,
    /** How many rows are shown, and how many came since the view was paused. */
    counts: () => [result.current.total, result.current.arrived],
    pause: (): void => act(() => result.current.view.setPaused(true)),
    emit,
    /** Types an invalid filter, which the engine refuses. */
    refuse: (): void => {
      rerender({ text: 'kind:bogus' });
      act(() => host.stream('traffic_tail').end(REFUSED));
    },
    filter: (text: string): void => rerender({ text }),
    fail: (): void =>
      act(() => host.stream('traffic_tail').end({ code: 'serverError', message: 'gone', detail: null })),
    openFilters: () =>
      host.streams('traffic_tail').flatMap((tail) => (tail.closed ? [] : tail.params.filter)),
    reconnect: (): void =>
      act(() => {
        model.link.set('lost');
        model.link.set('up');
      }),
    unmount,
  };
}

it('shows what arrives while the filter is invalid, also after a reconnect', () => {
  const { now, emit, refuse, reconnect, openFilters } = open();
  refuse();
  expect(now().problem?.message).toBe('Unknown.');
  emit({ total: 4, added: [row(4)] });
  expect(now().log.row(3)?.seq).toBe('4');
  reconnect();
  expect(openFilters()).toContain('');
  act(() => refuse());
  emit({ reset: true, total: 5, added: rows(1, 5) });
  expect(now().log.total).toBe(5);
});

it('closes the log before when the next is shown, and the last one at its end', () => {
  const { refuse, filter, emit, openFilters, unmount } = open();
  refuse();
  filter('ping');
  expect(openFilters()).toEqual(['', 'ping']);
  emit({ reset: true, total: 1, added: [row(2)] });
  expect(openFilters()).toEqual(['ping']);
  // Never shown.
  filter('pong');
  filter('pang');
  expect(openFilters()).toEqual(['ping', 'pang']);
  unmount();
  expect(openFilters()).toEqual([]);
});

it('shows what a search finds while paused, and holds back only what comes after', () => {
  const { counts, pause, emit, filter } = open();
  pause();
  filter('ping');
  emit({ reset: true, total: 0, searching: true });
  emit({ total: 500, changedMissed: true, searching: true });
  expect(counts()).toEqual([500, 0]);
  emit({ total: 702, added: rows(1001, 1002), changedMissed: true, searching: true });
  expect(counts()).toEqual([700, 2]);
  emit({ total: 802, changedMissed: true });
  expect(counts()).toEqual([800, 2]);
  emit({ total: 803, added: [row(1003)] });
  expect(counts()).toEqual([800, 3]);
});

it('holds all rows of a log whose first rows come after an error', () => {
  const { now, counts, pause, emit, filter, fail } = open();
  pause();
  filter('ping');
  fail();
  expect(now().error?.message).toBe('gone');
  act(() => now().retry());
  emit({ reset: true, total: 3, added: rows(1, 3) });
  expect(counts()).toEqual([3, 0]);
});

it('holds back what came since it was paused also after a reset', () => {
  const { counts, pause, emit } = open();
  pause();
  emit({ total: 5, added: rows(4, 5) });
  expect(counts()).toEqual([3, 2]);
  // A reconnect, with one more.
  emit({ reset: true, total: 6, added: rows(1, 6) });
  expect(counts()).toEqual([3, 3]);
  // A clear.
  emit({ reset: true, total: 0 });
  expect(counts()).toEqual([0, 0]);
  emit({ total: 1, added: [row(7)] });
  expect(counts()).toEqual([0, 1]);
});

it('holds as many rows while paused when rows come to match, or leave', () => {
  const { counts, pause, emit } = open();
  pause();
  // A request that failed after it was listed.
  emit({ total: 4, changedMissed: true });
  expect(counts()).toEqual([3, 1]);
  // One comes and one leaves, many times.
  for (let seq = 5; seq < 15; seq++) emit({ total: 4, added: [row(seq)], changedMissed: true });
  expect(counts()).toEqual([3, 1]);
});
