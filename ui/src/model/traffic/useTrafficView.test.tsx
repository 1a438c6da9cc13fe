import { act, renderHook } from '@testing-library/react';
import type { ReactNode } from 'react';
import { expect, it } from 'vitest';
import type { TrafficDelta } from '../../contract/generated';
import { ScriptedHost } from '../../host/scripted';
import { ModelProvider, createModel } from '../workspace/context';
import { row, rows } from './trafficRows.fixture';
import { useTrafficView } from './useTrafficView';

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
    ({ text }: { text: string }) => useTrafficView({ serverId: null, text }),
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
    now: () => result.current,
    emit,
    /** Types an invalid filter, which the engine refuses. */
    refuse: (): void => {
      rerender({ text: 'kind:bogus' });
      act(() => host.stream('traffic_tail').end(REFUSED));
    },
    filter: (text: string): void => rerender({ text }),
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
