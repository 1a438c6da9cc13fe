import { MantineProvider } from '@mantine/core';
import { act, fireEvent, render, screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect, it } from 'vitest';
import type { ServerId, TrafficDelta, TrafficRow } from '../../../contract/generated';
import { ScriptedHost } from '../../../host/scripted';
import { connection, details, server } from '../../../model/servers/servers.fixture';
import { row } from '../../../model/traffic/trafficRows.fixture';
import { ModelProvider, createModel } from '../../../model/workspace/context';
import { LogsPanel } from './LogsPanel';

/** Lines of stderr with these numbers, from the first to the last. */
function lines(first: number, last: number): TrafficRow[] {
  return Array.from({ length: last - first + 1 }, (_, at) =>
    row(first + at, { kind: 'stderr', method: null, log: 'stderr', summary: `line ${first + at}` }),
  );
}

/** The logs of a server that has written so many lines. */
async function open(count: number) {
  const stored = lines(1, count);
  const host = new ScriptedHost({
    ui_state_get: () => ({ stateJson: null }),
    ui_state_set: () => ({}),
    server_list: () => ({ items: [server('s', connection({ state: 'ready' }))] }),
    connection_get: () => details(connection({ state: 'ready' })),
    traffic_rows: ({ offset, limit }) => ({
      rows: stored.slice(offset, offset + limit),
      total: stored.length,
    }),
  });
  const model = createModel(host);
  await Promise.all([model.ui.load(), model.servers.refresh()]);
  render(
    <MantineProvider env="test">
      <ModelProvider model={model}>
        <LogsPanel serverId={'s' as ServerId} />
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
  return {
    /** The server writes so many lines more. */
    write: (more: number): void => {
      const added = lines(stored.length + 1, stored.length + more);
      stored.push(...added);
      emit({ added });
    },
    /** The engine says why new lines cannot be shown, or that they can again. */
    report: (storeProblem: string | null) => emit({ storeProblem }),
    tails: () => host.streams('traffic_tail').length,
    /** The lines of another filter come: all. */
    filtered: () => emit({ reset: true, added: stored.slice(-200) }),
  };
}

const list = () => screen.getByRole('listbox', { name: 'Logs' });
const shown = (): string[] =>
  within(list())
    .getAllByRole('option')
    .map(({ textContent }) => /line \d+/.exec(textContent)?.[0] ?? '');
const count = () => screen.getByTestId('traffic-count').textContent;
const button = (name: RegExp) => screen.getByRole('button', { name });

it('holds the lines while the view is paused, counts those that come, and resumes at the newest', async () => {
  const user = userEvent.setup();
  const { write } = await open(100);
  expect(shown().at(-1)).toBe('line 100');
  act(() => button(/^Pause view/).focus());
  await user.keyboard(' ');
  const held = shown();
  write(10);
  expect([shown(), count()]).toEqual([held, '100 lines · paused, 10 new']);
  await user.keyboard('{Enter}');
  expect([shown().at(-1), count()]).toEqual(['line 110', '110 lines']);
});

it('resumes at the newest line, also after one was selected', async () => {
  const { write } = await open(100);
  fireEvent.click(button(/^Pause view/));
  fireEvent.click(within(list()).getAllByRole('option')[3] as HTMLElement);
  write(10);
  fireEvent.click(button(/^Resume/));
  expect(shown().at(-1)).toBe('line 110');
});

it('stays paused with another filter', async () => {
  const { filtered, write } = await open(100);
  fireEvent.click(button(/^Pause view/));
  write(10);
  fireEvent.click(screen.getByRole('radio', { name: 'stderr' }));
  filtered();
  const held = shown();
  expect(count()).toBe('110 lines · paused, 0 new');
  write(10);
  expect([shown(), count()]).toEqual([held, '110 lines · paused, 10 new']);
  expect(screen.queryByRole('button', { name: /^\d+ new$/ })).toBeNull();
  fireEvent.click(button(/^Resume/));
  expect([shown().at(-1), count()]).toEqual(['line 120', '120 lines']);
});

it('says that new lines cannot be shown, and tries again', async () => {
  const { report, tails } = await open(3);
  report('New records cannot be shown: the disk is full');
  expect(screen.getByRole('alert').textContent).toContain('the disk is full');
  const before = tails();
  fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
  expect(tails()).toBe(before + 1);
  report(null);
  expect(screen.queryByRole('alert')).toBeNull();
});
