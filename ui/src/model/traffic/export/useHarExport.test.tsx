import { act, renderHook, waitFor } from '@testing-library/react';
import type { ReactNode } from 'react';
import { expect, it } from 'vitest';
import type { AppInfoResponse, Seq, TrafficRow } from '../../../contract/generated';
import { ScriptedHost } from '../../../host/scripted';
import { ModelProvider, createModel } from '../../workspace/context';
import { row } from '../trafficRows.fixture';
import { useHarExport } from './useHarExport';

/** Exports from a log of so many records: the odd ones are exchanges, and each carried the message after it. */
async function exported(count: number, from: Seq | null, to: Seq | null) {
  const stored = Array.from({ length: count }, (_, at) =>
    row(at + 1, at % 2 === 0 ? { kind: 'http' } : { kind: 'request', httpSeq: String(at) as Seq }),
  );
  const shown = (filter: string): TrafficRow[] =>
    filter === 'kind:http' ? stored.filter(({ kind }) => kind === 'http') : stored;
  const host = new ScriptedHost({
    app_info: () => ({ version: '1' }) as AppInfoResponse,
    traffic_rows: ({ filter, offset, limit }) => ({
      rows: shown(filter).slice(offset, offset + limit),
      total: shown(filter).length,
    }),
    traffic_locate: ({ filter, seq }) => {
      const index = shown(filter).findIndex((each) => each.seq === seq);
      return { index: index < 0 ? null : index };
    },
  });
  const model = createModel(host);
  const { result } = renderHook(() => useHarExport(() => {}), {
    wrapper: ({ children }: { children: ReactNode }) => (
      <ModelProvider model={model}>{children}</ModelProvider>
    ),
  });
  // Which exchanges are written is all that matters here.
  host.answers.traffic_record = () => ({ http: null }) as never;
  await act(() => result.current.start(() => Promise.resolve({ filter: '', from, to, folder: null })));
  await waitFor(() => expect(result.current.state.type).not.toBe('running'));
  const wanted = host.calls.flatMap(({ name, params }) =>
    name === 'traffic_record' ? [(params as { seq: Seq }).seq] : [],
  );
  return { state: result.current.state, wanted };
}

it('has the exchanges that carried the selected messages', async () => {
  const { state, wanted } = await exported(10, '4' as Seq, '6' as Seq);
  expect(wanted).toEqual(['3', '5']);
  expect(state).toEqual({ type: 'finished', exchanges: 2, of: 2, isCut: false });
});

it('has selected records that are older than the newest 20,000', async () => {
  const { state, wanted } = await exported(40_100, '1' as Seq, '4' as Seq);
  expect(wanted).toEqual(['1', '3']);
  expect(state).toMatchObject({ exchanges: 2, isCut: false });
});

it('has each exchange of the whole log', async () => {
  const { state } = await exported(10, null, null);
  expect(state).toMatchObject({ exchanges: 5, isCut: false });
});

it('says that the selected records have left the log', async () => {
  const { state } = await exported(10, '4' as Seq, '60' as Seq);
  expect(state).toMatchObject({
    type: 'failed',
    error: { message: 'The selected records are no longer in the traffic log' },
  });
});
