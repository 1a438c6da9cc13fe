import { MantineProvider } from '@mantine/core';
import { act, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import { ScriptedHost } from '../../../host/scripted';
import { rows } from '../../../model/traffic/trafficRows.fixture';
import type { RowRange } from '../../../model/traffic/useRowRange';
import { useTrafficView } from '../../../model/traffic/useTrafficView';
import { ModelProvider, createModel } from '../../../model/workspace/context';
import { ExportLogDialog } from './ExportLogDialog';

interface DialogProps {
  opened?: boolean;
  range: RowRange | null;
  isPart?: boolean;
}

function Dialog({ opened = true, range, isPart = false }: DialogProps) {
  const view = useTrafficView({ text: '', serverId: null });
  return (
    <>
      <button type="button" onClick={() => view.setPaused(true)}>
        Pause
      </button>
      <ExportLogDialog opened={opened} view={view} range={range} isPart={isPart} onClose={() => {}} />
    </>
  );
}

/** The dialog over a log of nine records. */
function open() {
  const stored = rows(1, 9);
  const host = new ScriptedHost({
    traffic_rows: ({ offset, limit }) => ({ rows: stored.slice(offset, offset + limit), total: 9 }),
  });
  const model = createModel(host);
  const dialog = (props: DialogProps) => (
    <MantineProvider env="test">
      <ModelProvider model={model}>
        <Dialog {...props} />
      </ModelProvider>
    </MantineProvider>
  );
  const { rerender } = render(dialog({ range: { first: 1, last: 3 } }));
  return { host, set: (props: DialogProps) => rerender(dialog(props)) };
}

const press = (name: string): void => void fireEvent.click(screen.getByRole('button', { name }));

it('writes no file when it is cancelled while the ends of the selection are looked up', async () => {
  const { host, set } = open();
  const answer = host.answers.traffic_rows;
  const held: (() => void)[] = [];
  host.answers.traffic_rows = async (params) => {
    await new Promise<void>((resolve) => void held.push(resolve));
    return (await answer?.(params)) as { rows: []; total: number };
  };
  press('Export');
  await waitFor(() => expect(held).toHaveLength(2));
  press('Cancel');
  set({ opened: false, range: { first: 1, last: 3 } });
  await act(async () => held.forEach((release) => release()));
  expect(host.streams('traffic_export')).toHaveLength(0);
  set({ range: { first: 1, last: 3 } });
  expect(screen.queryByRole('progressbar')).toBeNull();
  expect(screen.getByRole('button', { name: 'Export' })).toBeDefined();
});

it('does not export everything in place of a selection that is gone', async () => {
  const { host, set } = open();
  set({ range: null });
  expect(screen.getByRole('radio', { name: 'Selected (none)', checked: true })).toBeDefined();
  press('Export');
  expect((await screen.findByRole('alert')).textContent).toContain(
    'The selected records are no longer in the traffic log',
  );
  expect(host.streams('traffic_export')).toHaveLength(0);
});

it('exports of a paused log what it shows', async () => {
  const { host, set } = open();
  set({ opened: false, range: null, isPart: true });
  const tail = (total: number, reset: boolean): void =>
    act(() =>
      host.stream('traffic_tail').emit({
        reset,
        total,
        added: rows(reset ? 1 : 7, total),
        changed: [],
        changedMissed: false,
        searching: false,
        storeProblem: null,
      }),
    );
  tail(6, true);
  press('Pause');
  tail(9, false);
  set({ range: null, isPart: true });
  fireEvent.click(screen.getByRole('radio', { name: 'Shown by the filter: 6 records' }));
  press('Export');
  await waitFor(() => expect(host.streams('traffic_export')).toHaveLength(1));
  expect(host.stream('traffic_export').params).toEqual({ filter: '', from: '1', to: '6', folder: null });
});

it('shows the export that runs, not one of the other format that failed before', async () => {
  const { host } = open();
  fireEvent.click(screen.getByRole('radio', { name: 'Entire traffic log, all servers' }));
  fireEvent.click(screen.getByRole('radio', { name: 'HTTP exchanges (HAR)' }));
  press('Export');
  expect((await screen.findByRole('alert')).textContent).toContain('no answer for app_info');
  fireEvent.click(screen.getByRole('radio', { name: 'Messages (JSON Lines)' }));
  press('Export');
  await waitFor(() => expect(host.streams('traffic_export')).toHaveLength(1));
  const bar = screen.getByRole('progressbar', { name: 'Export progress' });
  expect(screen.queryByRole('alert')).toBeNull();
  await act(async () => void fireEvent.submit(bar.closest('form')!));
  expect(host.streams('traffic_export')).toHaveLength(1);
  press('Cancel');
  expect(host.streams('traffic_export').map(({ closed }) => closed)).toEqual([true]);
});
