import { MantineProvider } from '@mantine/core';
import { fireEvent, render, screen } from '@testing-library/react';
import { useState } from 'react';
import { expect, it, vi } from 'vitest';
import type { TrafficRecordResponse, TrafficRow } from '../../contract/generated';
import { ScriptedHost } from '../../host/scripted';
import { row } from '../../model/traffic/trafficRows.fixture';
import type { RecordForm } from '../../model/workspace/uiState';
import { ModelProvider, createModel } from '../../model/workspace/context';
import type { FilterChange } from './FilterMenu';
import { TrafficDetail } from './TrafficDetail';

const LOG = { subscribe: () => () => {} };

/** The details of a record. */
async function open(shown: TrafficRow, part: Partial<TrafficRecordResponse> = {}) {
  const host: ScriptedHost = new ScriptedHost({
    traffic_record: () => ({
      row: shown,
      raw: { inline: 'caf�', body: host.setBody('raw', 'café'), size: 5, pretty: null },
      bytes: host.setBody('bytes', 'café'),
      isUtf8: true,
      redactions: 0,
      violations: [],
      pair: null,
      related: [],
      http: null,
      ...part,
    }),
  });
  const model = createModel(host);
  const onFilter = vi.fn<(change: FilterChange) => void>();
  function Shown() {
    const [form, setForm] = useState<RecordForm>('decoded');
    return (
      <TrafficDetail
        seq={shown.seq}
        row={shown}
        log={LOG}
        form={form}
        onForm={setForm}
        onFilter={onFilter}
        onShow={() => {}}
        onClose={() => {}}
      />
    );
  }
  render(
    <MantineProvider env="test">
      <ModelProvider model={model}>
        <Shown />
      </ModelProvider>
    </MantineProvider>,
  );
  await screen.findByText(`#${shown.seq}`);
  return { model, onFilter };
}

it('shows the bytes of a record, to which a text that is not UTF-8 leads', async () => {
  await open(row(1, { kind: 'invalid' }), { isUtf8: false });
  fireEvent.click(screen.getByRole('button', { name: 'Show the bytes' }));
  expect(await screen.findByText(/^00000000 63 61 66 c3 a9 caf\.\.$/)).toBeDefined();
  expect(screen.queryByText(/Not valid UTF-8/)).toBeNull();
  fireEvent.click(screen.getByLabelText('Raw'));
  expect(screen.queryByText(/^00000000/)).toBeNull();
});

it('leads from a violation to its rule', async () => {
  const violation = { rule: 'id-null', severity: 'error', message: 'An id is null.', pointer: null } as const;
  const { model } = await open(row(1), { violations: [violation] });
  fireEvent.click(screen.getByRole('button', { name: 'id-null' }));
  expect(model.workspace.getState().helpPage).toBe('reference/rules/id-null.md');
});

it('filters the log by what a record is', async () => {
  const { onFilter } = await open(row(1, { kind: 'request', method: 'tools/call', operation: '12' }));
  const choose = async (name: string): Promise<string | undefined> => {
    fireEvent.click(screen.getByRole('button', { name: 'Filter by this record' }));
    fireEvent.click(await screen.findByRole('menuitem', { name }));
    return onFilter.mock.lastCall?.[0]('dur>1s method:ping');
  };
  expect(await choose('op:12')).toBe('dur>1s method:ping op:12');
  expect(await choose('method:tools/call')).toBe('dur>1s method:tools/call');
  expect(await choose('-method:tools/call')).toBe('dur>1s method:ping -method:tools/call');
});
