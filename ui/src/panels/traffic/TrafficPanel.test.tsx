import { MantineProvider } from '@mantine/core';
import { act, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it, vi } from 'vitest';
import type { ChatId, Seq, TrafficDelta, TrafficRow } from '../../contract/generated';
import { ScriptedHost, keepsUiState } from '../../host/scripted';
import { ModelProvider, createModel } from '../../model/workspace/context';
import { row, rows } from '../../model/traffic/trafficRows.fixture';
import { TrafficPanel } from './TrafficPanel';

const RAW = '{"id":1,"big":9007199254740993}';

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

/** The panel over a log of these rows; the filter is not applied by the script. */
async function open(stored: TrafficRow[], hiddenUnless: (filter: string) => boolean = () => true) {
  const host = new ScriptedHost({
    ...keepsUiState(),
    server_list: () => ({ items: [] }),
    traffic_rows: ({ offset, limit }) => ({
      rows: stored.slice(offset, offset + limit),
      total: stored.length,
    }),
    traffic_locate: ({ filter, seq }) => {
      const index = stored.findIndex((each) => each.seq === seq);
      return { index: index >= 0 && hiddenUnless(filter) ? index : null };
    },
    traffic_record: ({ seq }) => ({
      row: stored.find((each) => each.seq === seq) ?? row(0),
      raw: {
        inline: RAW,
        body: host.setBody('raw', RAW),
        size: RAW.length,
        pretty: host.setBody('pretty', `{\n  "pretty": 9007199254740993\n}`),
      },
      bytes: host.setBody('raw', RAW),
      isUtf8: true,
      redactions: 0,
      violations: [{ rule: 'r-1', severity: 'error', message: 'Something is wrong.', pointer: '/id' }],
      pair: stored.find((each) => each.pairSeq === seq) ?? null,
      related: [],
      http: null,
    }),
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
  const list = screen.getByRole('listbox', { name: 'Traffic' });
  const emit = (part: Partial<TrafficDelta>): void =>
    act(() => host.stream('traffic_tail').emit(delta(part)));
  emit({ reset: true, total: stored.length, added: stored.slice(-200) });
  return { host, model, list, emit };
}

/** The panel while the filter is cleared that hides record 3 of five, for which somebody asks; it still shows record 1. */
async function openHidden() {
  const opened = await open(rows(1, 5), (filter) => filter === '');
  const { host, model, emit } = opened;
  act(() => model.ui.setState(({ traffic }) => ({ traffic: { ...traffic, filter: 'x' } })));
  emit({ reset: true, total: 1, added: [row(1)] });
  act(() => model.workspace.setState({ revealRequest: { seq: '3' as Seq } }));
  await waitFor(() => expect(filterOf(host)).toBe(''));
  return opened;
}

const count = (): string | null => screen.getByTestId('traffic-count').textContent;
const filterOf = (host: ScriptedHost): string => host.stream('traffic_tail').params.filter;

describe('TrafficPanel', () => {
  it('shows rows as they come and change', async () => {
    const { list, emit } = await open([]);
    expect(screen.getByText('No traffic yet')).toBeDefined();
    emit({ total: 1, added: [row(1, { kind: 'request', method: 'ping', status: 'pending' })] });
    expect(within(list).getByRole('option').textContent).toContain('waiting');
    emit({ total: 1, changed: [row(1, { kind: 'request', method: 'ping', status: 'ok', latencyMs: 4.2 })] });
    expect(within(list).getByRole('option').textContent).toMatch(/ping.*ok.*4\.2 ms/);
    expect(count()).toBe('1 record');
  });

  it('is sorted by a column, says of what, and goes back to the newest records', async () => {
    const { host, emit } = await open([
      row(1, { kind: 'request', method: 'b', status: 'ok', latencyMs: 5 }),
      row(2, { kind: 'stderr', method: null }),
      row(3, { kind: 'request', method: 'a', status: 'error', latencyMs: 90 }),
    ]);
    const methods = () =>
      within(screen.getByRole('listbox', { name: 'Traffic' }))
        .getAllByRole('option')
        .map((each) => /ok|error/.exec(each.textContent ?? '')?.[0]);
    const header = (name: string) => screen.getByRole('columnheader', { name: new RegExp(name) });
    expect(header('Time').getAttribute('aria-sort')).toBe('ascending');
    fireEvent.click(screen.getByRole('button', { name: 'Latency' }));
    expect(await screen.findByText('Sorted by latency, slowest first: 3 records')).toBeDefined();
    expect(methods()).toEqual(['error', 'ok', undefined]);
    expect(header('Latency').getAttribute('aria-sort')).toBe('descending');
    expect(header('Time').getAttribute('aria-sort')).toBeNull();
    // What came since is not among them until it is wanted; what changed is.
    emit({ total: 4, added: [row(4)] });
    fireEvent.click(within(screen.getByRole('listbox', { name: 'Traffic' })).getAllByRole('option')[0]!);
    expect(await screen.findByText('9007199254740993', { exact: false })).toBeDefined();
    expect(host.calls.findLast(({ name }) => name === 'traffic_record')?.params).toEqual({ seq: '3' });
    expect(screen.getByText('Include 1 new')).toBeDefined();
    fireEvent.click(screen.getByRole('button', { name: 'Latency' }));
    await waitFor(() => expect(methods()).toEqual(['ok', 'error', undefined]));
    // Its place in the other order is asked for.
    const selected = await within(screen.getByRole('listbox', { name: 'Traffic' })).findByRole('option', {
      selected: true,
    });
    expect(selected.textContent).toContain('error');
    fireEvent.click(screen.getByText('Back to the newest records'));
    expect(within(screen.getByRole('listbox', { name: 'Traffic' })).getAllByRole('option').length).toBe(4);
  });

  it('reports that records cannot be shown while it is sorted', async () => {
    const { emit } = await open(rows(1, 3));
    fireEvent.click(screen.getByRole('button', { name: 'Latency' }));
    await screen.findByText('Sorted by latency, slowest first: 3 records');
    emit({ total: 3, storeProblem: 'New records cannot be shown: a failure' });
    expect(screen.getByRole('alert').textContent).toContain('cannot be shown');
    emit({ total: 3 });
    expect(screen.queryByRole('alert')).toBeNull();
  });

  it('keeps what is shown while paused, and counts what comes', async () => {
    const { list, emit } = await open(rows(1, 2));
    fireEvent.click(screen.getByRole('button', { name: /^Pause/ }));
    emit({ total: 5, added: rows(3, 5) });
    expect(within(list).getAllByRole('option').length).toBe(2);
    expect(count()).toBe('2 records · paused, 3 new');
    fireEvent.click(screen.getByRole('button', { name: 'Resume' }));
    expect(within(list).getAllByRole('option').length).toBe(5);
  });

  it('asks for another view when kinds are chosen, and keeps the rows until it is there', async () => {
    const { host, list } = await open(rows(1, 3));
    fireEvent.click(screen.getByRole('button', { name: 'Requests' }));
    expect(filterOf(host)).toBe('kind:request');
    expect(within(list).getAllByRole('option').length).toBe(3);
    act(() => host.stream('traffic_tail').emit(delta({ reset: true, total: 0 })));
    expect(screen.getByText('No matching records')).toBeDefined();
    expect(host.streams('traffic_tail').filter((stream) => !stream.closed).length).toBe(1);
    fireEvent.click(screen.getByRole('button', { name: 'Clear filter' }));
    expect(filterOf(host)).toBe('');
  });

  it('says that older records are still searched instead of that none match', async () => {
    const { host } = await open(rows(1, 3));
    fireEvent.click(screen.getByRole('button', { name: 'Requests' }));
    act(() => host.stream('traffic_tail').emit(delta({ reset: true, total: 0, searching: true })));
    expect(screen.getByText('Searching older records…')).toBeDefined();
    expect(count()).toBe('0 records · searching older records…');
    act(() => host.stream('traffic_tail').emit(delta({ total: 0 })));
    expect(screen.getByText('No matching records')).toBeDefined();
    expect(count()).toBe('0 records');
  });

  it('selects several records with Shift, and exports them', async () => {
    const { host, list } = await open(rows(1, 9));
    const [, second] = within(list).getAllByRole('option');
    fireEvent.click(second!);
    fireEvent.keyDown(list, { key: 'ArrowDown', shiftKey: true });
    fireEvent.keyDown(list, { key: 'ArrowDown', shiftKey: true });
    expect(within(list).getAllByRole('option', { selected: true }).length).toBe(3);
    fireEvent.click(screen.getByRole('button', { name: 'Copy, export, limits' }));
    fireEvent.click(await screen.findByRole('menuitem', { name: 'Export…' }));
    expect(screen.getByRole('radio', { name: 'Selected: 3 records', checked: true })).toBeDefined();
    fireEvent.click(screen.getByRole('button', { name: 'Export' }));
    await waitFor(() => expect(host.streams('traffic_export').length).toBe(1));
    const stream = host.stream('traffic_export');
    expect(stream.params).toEqual({ filter: '', from: '2', to: '4', folder: null });
    act(() => stream.emit({ type: 'progress', records: 1, total: 3 }));
    expect(screen.getByRole('progressbar').getAttribute('aria-valuenow')).toMatch(/^33/);
    act(() => stream.emit({ type: 'finished', path: '/tmp/log.jsonl', lines: 3, bytes: 900 }));
    expect(screen.getByText('/tmp/log.jsonl')).toBeDefined();
    expect(screen.getByText('3 lines, 900 B')).toBeDefined();
    const close = within(screen.getByRole('dialog')).getAllByRole('button', { name: 'Close' }).at(-1);
    expect(document.activeElement).toBe(close);
  });

  it('closes the stream of an export that is cancelled', async () => {
    const { host } = await open(rows(1, 3));
    fireEvent.click(screen.getByRole('button', { name: 'Copy, export, limits' }));
    fireEvent.click(await screen.findByRole('menuitem', { name: 'Export…' }));
    fireEvent.click(screen.getByRole('button', { name: 'Export' }));
    await waitFor(() => expect(host.streams('traffic_export').length).toBe(1));
    fireEvent.click(screen.getByRole('button', { name: 'Cancel' }));
    expect(host.streams('traffic_export')[0]?.closed).toBe(true);
  });

  it('filters by text when typing pauses, and empties the filter with Escape', async () => {
    const { host } = await open(rows(1, 3));
    const field = screen.getByRole('textbox', { name: 'Filter records' });
    vi.useFakeTimers();
    try {
      fireEvent.change(field, { target: { value: 'to' } });
      fireEvent.change(field, { target: { value: 'tools' } });
      expect(filterOf(host)).toBe('');
      act(() => void vi.advanceTimersByTime(150));
      expect(filterOf(host)).toBe('tools');
      expect(host.streams('traffic_tail').length).toBe(2);
      fireEvent.keyDown(field, { key: 'Escape' });
      act(() => void vi.advanceTimersByTime(150));
      expect(filterOf(host)).toBe('');
    } finally {
      vi.useRealTimers();
    }
  });

  it('is busy from the first key of a filter until its first rows are there', async () => {
    const { host, emit } = await open(rows(1, 3));
    const field = screen.getByRole('textbox', { name: 'Filter records' });
    const isBusy = (): boolean => document.querySelector('[aria-busy="true"]') !== null;
    expect(isBusy()).toBe(false);
    vi.useFakeTimers();
    try {
      fireEvent.change(field, { target: { value: 'tools' } });
      expect(isBusy()).toBe(true);
      act(() => void vi.advanceTimersByTime(150));
      expect(filterOf(host)).toBe('tools');
      expect(isBusy()).toBe(true);
      emit({ reset: true, total: 1, added: [row(2)] });
      expect(isBusy()).toBe(false);
      fireEvent.change(field, { target: { value: 'kind:bogus' } });
      act(() => void vi.advanceTimersByTime(150));
      expect(isBusy()).toBe(true);
      const refused = { code: 'invalidParams', message: 'Unknown.', detail: '{"at":0,"length":10}' } as const;
      act(() => host.stream('traffic_tail').end(refused));
      expect(isBusy()).toBe(false);
    } finally {
      vi.useRealTimers();
    }
  });

  it('marks an invalid filter, keeps the rows, and continues when it is corrected', async () => {
    const { host, list } = await open(rows(1, 3));
    const field = screen.getByRole('textbox', { name: 'Filter records' });
    await userEvent.type(field, 'ping kind:bogus');
    await waitFor(() => expect(filterOf(host)).toBe('ping kind:bogus'));
    const error = {
      code: 'invalidParams',
      message: '"bogus" is unknown.',
      detail: '{"at":5,"length":10}',
    } as const;
    act(() => host.stream('traffic_tail').end(error));
    expect((await screen.findByRole('status')).textContent).toContain('"bogus" is unknown');
    expect(screen.getByText('kind:bogus').tagName).toBe('MARK');
    expect(field.getAttribute('aria-invalid')).toBe('true');
    expect(within(list).getAllByRole('option').length).toBe(3);
    await userEvent.clear(field);
    await userEvent.type(field, 'kind:http');
    await waitFor(() => expect(filterOf(host)).toBe('kind:http'));
    expect(screen.queryByRole('status')).toBeNull();
    expect(screen.getByRole('button', { name: 'HTTP', pressed: true })).toBeDefined();
  });

  it('moves from the filter into the list, and between the kinds, with the arrow keys', async () => {
    const { list } = await open(rows(1, 3));
    const field = screen.getByRole('textbox', { name: 'Filter records' });
    field.focus();
    await userEvent.keyboard('{ArrowDown}');
    expect(document.activeElement).toBe(list);
    screen.getByRole('button', { name: 'All' }).focus();
    await userEvent.keyboard('{ArrowRight}{ArrowRight}{Enter}');
    expect(screen.getByRole('button', { name: 'Responses', pressed: true })).toBe(document.activeElement);
    await waitFor(() => expect((field as HTMLInputElement).value).toBe('kind:response'));
  });

  it('shows the selected record, its violations, and the way to its other half', async () => {
    const pair = [
      row(1, { kind: 'request', method: 'tools/call', pairSeq: '2' as Seq }),
      row(2, { kind: 'response', method: 'tools/call', pairSeq: '1' as Seq }),
    ];
    const { list } = await open(pair);
    fireEvent.click(within(list).getAllByRole('option')[0]!);
    const record = await screen.findByRole('region', { name: 'Record' });
    expect(await within(record).findByText(/Something is wrong/)).toBeDefined();
    fireEvent.click(within(record).getByRole('button', { name: '#2' }));
    await waitFor(() =>
      expect(within(list).getByRole('option', { selected: true }).getAttribute('aria-posinset')).toBe('2'),
    );
    expect(await within(record).findByText('request')).toBeDefined();
  });

  it('moves with the keys, from the newest row on', async () => {
    const { list } = await open(rows(1, 4));
    const selected = (): string | null =>
      within(list).getByRole('option', { selected: true }).getAttribute('aria-posinset');
    fireEvent.keyDown(list, { key: 'ArrowUp' });
    expect(selected()).toBe('4');
    fireEvent.keyDown(list, { key: 'Home' });
    expect(selected()).toBe('1');
    fireEvent.keyDown(list, { key: 'ArrowDown' });
    expect(selected()).toBe('2');
    fireEvent.keyDown(list, { key: 'Escape' });
    expect(within(list).queryByRole('option', { selected: true })).toBeNull();
  });

  it('shows a record that was asked for elsewhere, also when the filter hides it', async () => {
    const { host, model, list } = await open(rows(1, 5), (filter) => filter === '');
    act(() => model.ui.setState(({ traffic }) => ({ traffic: { ...traffic, filter: 'x' } })));
    act(() => host.stream('traffic_tail').emit(delta({ reset: true, total: 0 })));
    act(() => model.workspace.setState({ revealRequest: { seq: '3' as Seq } }));
    await waitFor(() => expect(filterOf(host)).toBe(''));
    act(() => host.stream('traffic_tail').emit(delta({ reset: true, total: 5, added: rows(1, 5) })));
    await waitFor(() =>
      expect(within(list).getByRole('option', { selected: true }).getAttribute('aria-posinset')).toBe('3'),
    );
  });

  it('says why a record that the filter hid cannot be shown', async () => {
    const { host, emit } = await openHidden();
    host.answers.traffic_locate = () => Promise.reject(new Error('the disk is slow'));
    emit({ reset: true, total: 5, added: rows(1, 5) });
    expect(await screen.findByText('the disk is slow')).toBeDefined();
  });

  it('leaves what is selected while a record that the filter hid is awaited', async () => {
    const { list, emit } = await openHidden();
    fireEvent.click(within(list).getByRole('option'));
    emit({ reset: true, total: 5, added: rows(1, 5) });
    await act(async () => {});
    const selected = () => list.querySelector('[aria-selected="true"]')?.getAttribute('aria-posinset');
    await waitFor(() => expect(selected()).toBe('1'));
  });

  it('says that a record is not in the log, and keeps the filter', async () => {
    const { host, model, emit } = await open(rows(1, 5), (filter) => filter === '');
    const shown = { filter: 'x', oneServer: true, oneRow: true, detailOpen: false };
    act(() => model.ui.setState(({ traffic }) => ({ traffic: { ...traffic, ...shown } })));
    emit({ reset: true, total: 0 });
    act(() => model.workspace.setState({ revealRequest: { seq: '77' as Seq } }));
    expect((await screen.findByRole('alert')).textContent).toContain('Record #77 is not in the traffic log');
    expect(model.ui.getState().traffic).toMatchObject(shown);
    expect(filterOf(host)).toBe('x -kind:response');
    act(() => model.workspace.setState({ revealRequest: { seq: '3' as Seq } }));
    await waitFor(() => expect(filterOf(host)).toBe(''));
    expect(screen.queryByRole('alert')).toBeNull();
    expect(model.ui.getState().traffic.detailOpen).toBe(true);
  });

  it('leads from a record that a turn caused to its step, and from no other', async () => {
    const { host, model, list } = await open(rows(1, 3));
    const answer = host.answers.traffic_record;
    host.answers.traffic_record = async (params) => {
      const plain = await answer?.(params);
      if (plain === undefined || !('row' in plain)) throw new Error('the script has no record');
      return params.seq === '2' ? { ...plain, chatTitle: 'Weather' } : plain;
    };
    const chatId = 'c1' as ChatId;
    host.answers.chat_locate = ({ seq }) => ({ chatId, item: `item of ${seq}` });
    fireEvent.keyDown(list, { key: 'Home' });
    await screen.findByText('#1');
    expect(screen.queryByRole('button', { name: 'Show in Chat' })).toBeNull();
    fireEvent.keyDown(list, { key: 'ArrowDown' });
    fireEvent.click(await screen.findByRole('button', { name: 'Show in Chat' }));
    await waitFor(() => expect(model.chats.getState().wanted).toEqual({ chatId, item: 'item of 2' }));
    expect(model.ui.getState()).toMatchObject({ selectedChat: chatId, chatView: 'conversation' });
    // While another record loads, the links of the one before it lead nowhere.
    act(() => model.chats.setState({ wanted: null }));
    let arrive = () => {};
    const slow = host.answers.traffic_record;
    host.answers.traffic_record = async (params) => {
      await new Promise<void>((resolve) => {
        arrive = resolve;
      });
      const record = await slow(params);
      if (!('row' in record)) throw record;
      return record;
    };
    fireEvent.keyDown(list, { key: 'ArrowDown' });
    const record = screen.getByRole('region', { name: 'Record' });
    await waitFor(() => expect(record.getAttribute('aria-busy')).toBe('true'));
    fireEvent.click(screen.getByRole('button', { name: 'Show in Chat' }));
    expect(host.calls.filter(({ name }) => name === 'chat_locate')).toHaveLength(1);
    await act(async () => arrive());
    await screen.findByText('#3');
    expect(record.getAttribute('aria-busy')).toBeNull();
    host.answers.traffic_record = slow;
    fireEvent.keyDown(list, { key: 'ArrowUp' });
    await screen.findByText('#2');
    // It was deleted meanwhile.
    delete host.answers.chat_locate;
    fireEvent.click(screen.getByRole('button', { name: 'Show in Chat' }));
    expect((await screen.findByRole('alert')).textContent).toContain('no answer for chat_locate');
  });

  it('asks before it clears anything, and says how much', async () => {
    const { host, emit } = await open(rows(1, 3));
    const cleared = (): number => host.calls.filter(({ name }) => name === 'traffic_clear').length;
    const clear = screen.getByRole('button', { name: 'Clear the records of all servers' });
    fireEvent.click(clear);
    expect((await screen.findByRole('dialog')).textContent).toContain('3 records of all servers');
    expect(cleared()).toBe(0);
    const cancel = screen.getByRole('button', { name: 'Cancel' });
    await waitFor(() => expect(document.activeElement).toBe(cancel));
    fireEvent.click(cancel);
    emit({ total: 900, added: rows(701, 900) });
    fireEvent.click(clear);
    expect((await screen.findByRole('dialog')).textContent).toContain('900 records of all servers');
    fireEvent.click(screen.getByRole('button', { name: 'Clear' }));
    await waitFor(() => expect(cleared()).toBe(1));
  });

  it('counts what it would clear only where all of it is shown', async () => {
    const { host, model } = await open(rows(1, 3));
    const question = async (): Promise<string | null> => {
      fireEvent.click(screen.getByRole('button', { name: 'Clear the records of all servers' }));
      const text = (await screen.findByRole('dialog')).textContent;
      fireEvent.click(screen.getByRole('button', { name: 'Cancel' }));
      return text;
    };
    const set = (part: { filter?: string; oneRow?: boolean }): void =>
      act(() => model.ui.setState(({ traffic }) => ({ traffic: { ...traffic, ...part } })));
    set({ oneRow: true });
    act(() => host.stream('traffic_tail').emit(delta({ reset: true, total: 1, added: [row(1)] })));
    expect(await question()).toContain('every record of all servers');
    // The rows are still those with one row per call.
    set({ oneRow: false });
    expect(await question()).toContain('every record of all servers');
    act(() => host.stream('traffic_tail').emit(delta({ reset: true, total: 3, added: rows(1, 3) })));
    expect(await question()).toContain('3 records of all servers');
    act(() => host.stream('traffic_tail').emit(delta({ total: 3, storeProblem: 'a failure' })));
    expect(await question()).toContain('every record of all servers');
  });

  it('shows a call as one row when that is chosen, until something asks for a response', async () => {
    const { host, model } = await open(rows(1, 3), (filter) => !filter.includes('-kind:response'));
    const settings = { filter: 'tool:echo', oneServer: true };
    act(() => model.ui.setState(({ traffic }) => ({ traffic: { ...traffic, ...settings } })));
    fireEvent.click(screen.getByRole('button', { name: 'Rows and columns' }));
    const item = await screen.findByRole('menuitemcheckbox', { name: 'One row per call', checked: false });
    fireEvent.click(item);
    expect(filterOf(host)).toBe('tool:echo -kind:response');
    act(() => host.stream('traffic_tail').emit(delta({ reset: true, total: 0 })));
    act(() => model.workspace.setState({ revealRequest: { seq: '2' as Seq } }));
    await waitFor(() => expect(filterOf(host)).toBe('tool:echo'));
    expect(model.ui.getState().traffic).toMatchObject({ ...settings, oneRow: false });
    act(() => host.stream('traffic_tail').emit(delta({ reset: true, total: 3, added: rows(1, 3) })));
    expect(await screen.findByRole('option', { selected: true })).toBeDefined();
  });

  it('moves the border of a column by keys, within its bounds, and hides columns', async () => {
    const { model, list } = await open(rows(1, 3));
    const border = screen.getByRole('separator', { name: 'Width of Method' });
    const now = (): string | null => border.getAttribute('aria-valuenow');
    act(() =>
      model.ui.setState(({ traffic }) => ({ traffic: { ...traffic, columnWidths: { method: 300 } } })),
    );
    expect(now()).toBe('300');
    fireEvent.keyDown(border, { key: 'ArrowRight' });
    // Nothing is laid out here: it begins at 0 px.
    expect(model.ui.getState().traffic.columnWidths).toEqual({ method: 80 });
    const log = list.closest<HTMLElement>('[data-columns]');
    expect(log?.style.getPropertyValue('--w-method')).toBe('80px');
    expect(now()).toBe('80');
    fireEvent.doubleClick(border);
    expect(now()).toBe('236');
    expect(log?.style.getPropertyValue('--w-method')).toBe('');
    fireEvent.click(screen.getByRole('button', { name: 'Rows and columns' }));
    fireEvent.click(await screen.findByRole('menuitemcheckbox', { name: 'Size', checked: true }));
    expect(log?.dataset['hidden']).toBe('size');
    fireEvent.keyDown(border, { key: 'ArrowRight' });
    fireEvent.click(screen.getByRole('menuitem', { name: 'Reset columns' }));
    expect([log?.dataset['hidden'], now()]).toEqual(['', '236']);
  });

  it('reports that records cannot be read, and continues after a broken stream', async () => {
    const { host, emit } = await open(rows(1, 3));
    emit({ total: 3, storeProblem: 'New records cannot be shown: a failure' });
    expect(screen.getByRole('alert').textContent).toContain('cannot be shown');
    expect(screen.getByRole('button', { name: 'Try again' })).toBeDefined();
    emit({ total: 3 });
    expect(screen.queryByRole('alert')).toBeNull();
    act(() => host.stream('traffic_tail').end({ code: 'storage', message: 'damaged', detail: null }));
    expect(screen.getByRole('alert').textContent).toContain('damaged');
    fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
    emit({ reset: true, total: 3, added: rows(1, 3) });
    expect(screen.queryByRole('alert')).toBeNull();
  });
});
