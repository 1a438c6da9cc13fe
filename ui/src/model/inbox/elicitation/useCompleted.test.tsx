import { act, renderHook } from '@testing-library/react';
import type { ReactNode } from 'react';
import { expect, it } from 'vitest';
import type { Seq, ServerId } from '../../../contract/generated';
import { Link } from '../../../host/link';
import { ScriptedHost } from '../../../host/scripted';
import { row } from '../../traffic/trafficRows.fixture';
import { ModelProvider, createModel } from '../../workspace/context';
import { useCompleted } from './useCompleted';

function completed(after: Seq | null) {
  const host = new ScriptedHost();
  const link = new Link();
  const model = createModel(host, link);
  const wrapper = ({ children }: { children: ReactNode }) => (
    <ModelProvider model={model}>{children}</ModelProvider>
  );
  const { result } = renderHook(() => useCompleted('s' as ServerId, after), { wrapper });
  return { host, link, result };
}

it('reads what was reported as complete after the request: an earlier run of the server may have had the same ids', () => {
  const { host, result } = completed('14' as Seq);
  const stream = host.stream('traffic_tail');
  expect(stream.params.filter).toBe('method:notifications/elicitation/complete server:"s" after:14');
  act(() =>
    stream.emit({
      reset: true,
      total: 1,
      added: [row(15, { method: 'notifications/elicitation/complete', summary: 'visit-1' })],
      changed: [],
      changedMissed: false,
      searching: false,
      storeProblem: null,
    }),
  );
  expect([...result.current]).toEqual(['visit-1']);
});

it('reads again what it knows when the connection to Patchbay comes back', () => {
  const { host, link } = completed('14' as Seq);
  act(() => {
    link.set('lost');
    link.set('up');
  });
  expect(host.streams('traffic_tail')).toHaveLength(2);
});

it('reads nothing for a request without an id', () => {
  const { host } = completed(null);
  expect(host.streams('traffic_tail')).toEqual([]);
});
