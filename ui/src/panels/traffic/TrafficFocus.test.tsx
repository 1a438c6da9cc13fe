import { MantineProvider } from '@mantine/core';
import { act, render, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { beforeAll, expect, it } from 'vitest';
import type { TrafficDelta, TrafficRecordResponse } from '../../contract/generated';
import { ScriptedHost } from '../../host/scripted';
import { row, rows } from '../../model/traffic/trafficRows.fixture';
import { ModelProvider, createModel } from '../../model/workspace/context';
import { TrafficPanel } from './TrafficPanel';

// The panel loads it when a record is selected.
beforeAll(async () => {
  await import('./TrafficDetail');
});

/** The panel over a log of nine records. */
async function open() {
  const stored = rows(1, 9, { kind: 'lifecycle' });
  const host: ScriptedHost = new ScriptedHost({
    ui_state_get: () => ({ stateJson: null }),
    ui_state_set: () => ({}),
    server_list: () => ({ items: [] }),
    traffic_rows: ({ offset, limit }) => ({
      rows: stored.slice(offset, offset + limit),
      total: stored.length,
    }),
    traffic_record: ({ seq }) =>
      ({
        row: row(Number(seq), { kind: 'lifecycle' }),
        raw: { inline: 'ready', body: host.setBody('b', 'ready'), size: 5, pretty: null },
        isUtf8: true,
        redactions: 0,
        violations: [],
        pair: null,
        related: [],
        http: null,
      }) as unknown as TrafficRecordResponse,
    traffic_clear: () => ({}),
  });
  const model = createModel(host);
  await model.ui.load();
  await model.servers.refresh();
  render(
    <MantineProvider env="test">
      <ModelProvider model={model}>
        <TrafficPanel lead={null} trail={null} />
      </ModelProvider>
    </MantineProvider>,
  );
  const emit = (part: Partial<TrafficDelta>): void =>
    act(() =>
      host.stream('traffic_tail').emit({
        reset: false,
        total: stored.length,
        added: [],
        changed: [],
        changedMissed: false,
        searching: false,
        storeProblem: null,
        ...part,
      }),
    );
  emit({ reset: true, added: stored });
  return { emit, user: userEvent.setup(), stored };
}

const list = (): HTMLElement => screen.getByRole('listbox', { name: 'Traffic' });
const button = (name: string): HTMLElement => screen.getByRole('button', { name });
/** Presses a button with the keyboard. */
async function press(user: ReturnType<typeof userEvent.setup>, name: string): Promise<void> {
  act(() => button(name).focus());
  await user.keyboard('{Enter}');
}

it('goes back to the button that clears the log', async () => {
  const { user } = await open();
  const clear = 'Clear the records of all servers';
  await press(user, clear);
  await waitFor(() => expect(document.activeElement).toBe(button('Cancel')));
  await user.keyboard('{Enter}');
  await waitFor(() => expect(document.activeElement).toBe(button(clear)));
});

it('goes from the details that are closed to the list', async () => {
  const { user } = await open();
  act(() => list().focus());
  await user.keyboard('{Home}');
  await screen.findByText('#1');
  await press(user, 'Close');
  expect(screen.queryByRole('region', { name: 'Record' })).toBeNull();
  expect(document.activeElement).toBe(list());
});

it('stays in the list when that is sorted otherwise, has more rows, or is in the order of time again', async () => {
  const { user, emit, stored } = await open();
  await press(user, 'Latency');
  await screen.findByText('Sorted by latency, slowest first: 9 records');
  stored.push(row(10));
  emit({ added: stored.slice(-1) });
  await press(user, 'Include 1 new');
  await screen.findByText('Sorted by latency, slowest first: 10 records');
  expect(document.activeElement).toBe(list());
  await press(user, 'Back to the newest records');
  expect(screen.queryByText(/^Sorted by/)).toBeNull();
  expect(document.activeElement).toBe(list());
});

it('goes from the filter that is cleared to the list', async () => {
  const { user, emit, stored } = await open();
  await press(user, 'Requests');
  emit({ reset: true, total: 0 });
  await press(user, 'Clear filter');
  emit({ reset: true, added: stored });
  expect(document.activeElement).toBe(list());
});
