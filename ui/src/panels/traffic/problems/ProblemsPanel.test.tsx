import { MantineProvider } from '@mantine/core';
import { act, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import type { ConnectionId, TrafficRecordResponse, ViolationItem } from '../../../contract/generated';
import { ScriptedHost } from '../../../host/scripted';
import { connection, server } from '../../../model/servers/servers.fixture';
import { row } from '../../../model/traffic/trafficRows.fixture';
import { ModelProvider, createModel } from '../../../model/workspace/context';
import { ProblemsBadge } from './ProblemsBadge';
import { ProblemsPanel } from './ProblemsPanel';

const VIOLATIONS: ViolationItem[] = [
  { rule: 'not-json', severity: 'error', message: 'not JSON', pointer: null },
  { rule: 'schema-dialect', severity: 'warning', message: 'an old dialect', pointer: null },
];

async function open(isHealthy = false) {
  const failure = { cause: 'It is gone.' } as NonNullable<ReturnType<typeof connection>['failure']>;
  const odd = server(
    'odd',
    connection({ state: 'ready', connectionId: '1' as ConnectionId, problemCount: 2 }),
  );
  const dead = server('dead', connection({ state: 'failed', failure }));
  const host = new ScriptedHost({
    ui_state_get: () => ({ stateJson: null }),
    ui_state_set: () => ({}),
    server_list: () => ({
      items: isHealthy ? [server('well', connection({ state: 'ready' }))] : [odd, dead],
    }),
    traffic_rows: () => ({ rows: [row(5, { violationCount: 2 })], total: 1 }),
    traffic_record: () => ({ violations: VIOLATIONS }) as unknown as TrafficRecordResponse,
  });
  const model = createModel(host);
  await model.ui.load();
  await model.servers.refresh();
  render(
    <MantineProvider env="test">
      <ModelProvider model={model}>
        <ProblemsPanel lead={<ProblemsBadge />} trail={null} />
      </ModelProvider>
    </MantineProvider>,
  );
  const list = screen.getByRole('listbox', { name: 'Problems' });
  const texts = () =>
    within(list)
      .queryAllByRole('option')
      .map((option) => option.textContent);
  return { host, model, list, texts };
}

it('are listed by server; what only matters to other hosts is info, and not counted', async () => {
  const { texts } = await open();
  await waitFor(() => expect(texts().length).toBe(5));
  expect(texts()[0]).toBe('odd1 error · 1 info');
  expect(texts()[1]).toContain('not JSON');
  expect(texts()[3]).toBe('dead1 error');
  expect(texts()[4]).toContain('Connection failed: It is gone.');
  expect(screen.getByText('2', { selector: '[data-tip="2 errors, 0 warnings"]' })).toBeDefined();
});

it('are hidden by weight and by text, and shown again', async () => {
  const { texts, model } = await open();
  await waitFor(() => expect(texts().length).toBe(5));
  fireEvent.click(screen.getByRole('button', { name: /Errors/ }));
  expect(texts()).toEqual([expect.stringContaining('odd'), expect.stringContaining('an old dialect')]);
  fireEvent.click(screen.getByRole('button', { name: /Info/ }));
  fireEvent.click(screen.getByRole('button', { name: 'Show all problems' }));
  expect(texts().length).toBe(5);
  expect(model.ui.getState().problems.hidden).toEqual([]);
});

it('lead to the record, or to the page of the server; Enter does as a click', async () => {
  const { model, list, texts } = await open();
  await waitFor(() => expect(texts().length).toBe(5));
  fireEvent.click(screen.getByText('not JSON'));
  expect(model.workspace.getState().revealRequest).toEqual({ seq: '5' });
  expect(model.ui.getState()).toMatchObject({ selectedServer: 'odd', dockTab: 'traffic' });
  act(() => list.focus());
  fireEvent.keyDown(list, { key: 'End' });
  fireEvent.keyDown(list, { key: 'Enter' });
  expect(model.ui.getState()).toMatchObject({ selectedServer: 'dead', modes: { dead: 'explore' } });
});

it('stay selected when others come above them', async () => {
  const { host, model, list, texts } = await open();
  await waitFor(() => expect(texts().length).toBe(5));
  act(() => list.focus());
  fireEvent.keyDown(list, { key: 'End' });
  const failure = { cause: 'It is new.' } as NonNullable<ReturnType<typeof connection>['failure']>;
  const items = [
    server('early', connection({ state: 'failed', failure })),
    ...model.servers.getState().items!,
  ];
  host.answers.server_list = () => ({ items });
  await act(() => model.servers.refresh());
  expect(texts().length).toBe(7);
  expect(within(list).getByRole('option', { selected: true }).textContent).toContain('It is gone.');
  fireEvent.keyDown(list, { key: 'Enter' });
  expect(model.ui.getState().selectedServer).toBe('dead');
});

it('are none while everything is well', async () => {
  await open(true);
  expect(screen.getByText('No problems')).toBeDefined();
});
