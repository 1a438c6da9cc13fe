import { MantineProvider } from '@mantine/core';
import { act, fireEvent, render, screen } from '@testing-library/react';
import { beforeEach, expect, it, vi } from 'vitest';
import type { ServerId, ServerItem } from '../../contract/generated';
import { ScriptedHost } from '../../host/scripted';
import { connection, server } from '../../model/servers/servers.fixture';
import { ModelProvider, createModel } from '../../model/workspace/context';
import { Rail } from './Rail';

const ROW = 28;
const SERVERS = ['a', 'b', 'c', 'd'].map((name) => server(name, connection({})));

async function open(items: ServerItem[] = SERVERS, groups: string[] = []) {
  const now = { items, isKept: false };
  const host = new ScriptedHost({
    ui_state_get: () => ({ stateJson: JSON.stringify({ selectedServer: 'a' }) }),
    ui_state_set: () => ({}),
    server_list: () => ({ items: now.items, groups }),
    server_reorder: ({ serverIds }) => {
      if (now.isKept) now.items = serverIds.flatMap((id) => now.items.filter((item) => item.id === id));
      return {};
    },
    server_groups_set: () => ({}),
    group_reorder: () => ({}),
    server_disabled_set: () => ({}),
  });
  const model = createModel(host);
  await Promise.all([model.ui.load(), model.servers.refresh()]);
  render(
    <MantineProvider env="test">
      <ModelProvider model={model}>
        <Rail commands={[]} />
      </ModelProvider>
    </MantineProvider>,
  );
  const list = screen.getByRole('tree', { name: 'Servers' });
  list.setPointerCapture = vi.fn<(id: number) => void>();
  const rows = screen.getAllByRole('treeitem');
  rows.forEach((row, n) => {
    row.getBoundingClientRect = () => new DOMRect(0, n * ROW, 200, ROW);
  });
  list.getBoundingClientRect = () => new DOMRect(0, -100, 200, 1000);
  const at = (n: number) => ({
    clientX: 20,
    clientY: n * ROW + ROW / 2,
    button: 0,
    buttons: 1,
    pointerId: 1,
  });
  return {
    list,
    rows,
    model,
    now,
    sent: (name: string) => host.calls.filter((call) => call.name === name).map(({ params }) => params),
    press: (n: number) => fireEvent.pointerDown(rows[n] ?? list, at(n)),
    to: (n: number) => fireEvent.pointerMove(list, at(n)),
    letGo: () => fireEvent.pointerUp(list),
    orders: () =>
      host.calls
        .filter(({ name }) => name === 'server_reorder')
        .map(({ params }) => (params as { serverIds: string[] }).serverIds.join('')),
  };
}

// jsdom has no pointer events: those it makes have no place.
beforeEach(() => {
  vi.stubGlobal('PointerEvent', MouseEvent);
  return () => vi.unstubAllGlobals();
});

it('a row is dragged down and up, and a line says where it would be put', async () => {
  const { rows, press, to, letGo, orders } = await open();
  press(0);
  to(2);
  expect(rows[0]?.dataset['dragged']).toBe('true');
  expect(rows[2]?.dataset['drop']).toBe('after');
  letGo();
  expect(rows[2]?.dataset['drop']).toBeUndefined();
  press(3);
  to(1);
  expect(rows[1]?.dataset['drop']).toBe('before');
  to(9);
  to(0);
  letGo();
  await vi.waitFor(() => expect(orders()).toEqual(['bcad', 'dabc']));
});

it('a press is no drag until the pointer moves, and nothing changes where the row is already', async () => {
  const { press, to, letGo, orders, list } = await open();
  press(1);
  fireEvent.pointerMove(list, { clientX: 22, clientY: ROW * 1.5 + 2, buttons: 1, pointerId: 1 });
  expect(list.dataset['dragging']).toBeUndefined();
  letGo();
  press(1);
  to(3);
  to(1);
  letGo();
  expect(orders()).toEqual([]);
});

it('Alt and an arrow move the row by one each time, also while the list is still the one before', async () => {
  const { list, now, orders } = await open();
  now.isKept = true;
  fireEvent.keyDown(list, { key: 'ArrowDown', altKey: true });
  fireEvent.keyDown(list, { key: 'ArrowDown', altKey: true });
  await vi.waitFor(() => expect(orders()).toEqual(['bacd', 'bcad']));
});

it('Escape ends a drag without a change, and the click at its end selects nothing', async () => {
  const { press, to, letGo, orders, list, model, rows } = await open();
  press(0);
  to(2);
  act(() => void fireEvent.keyDown(document.body, { key: 'Escape' }));
  expect(list.dataset['dragging']).toBeUndefined();
  letGo();
  fireEvent.click(rows[2] ?? list);
  expect(orders()).toEqual([]);
  expect(model.ui.getState().selectedServer).toBe('a');
  // The next one does.
  fireEvent.click(rows[2] ?? list);
  expect(model.ui.getState().selectedServer).toBe('c');
});

const grouped = (name: string, ...groups: string[]): ServerItem => {
  const item = server(name, connection({}));
  return { ...item, draft: { ...item.draft, groups } };
};

it('a server is dragged into a group, and a group to its place', async () => {
  const { rows, press, to, letGo, sent } = await open(
    [SERVERS[0] as ServerItem, grouped('b', 'Work')],
    ['Work', 'Demo'],
  );
  expect(rows.map((row) => row.getAttribute('aria-label'))).toEqual([
    'a: Not connected, stdio',
    'Work: 0 of 1 ready',
    'b: Not connected, stdio',
    'Demo: 0 of 0 ready',
  ]);
  press(0);
  to(2);
  letGo();
  await vi.waitFor(() => expect(sent('server_groups_set')).toEqual([{ serverId: 'a', groups: ['Work'] }]));
  press(3);
  to(1);
  letGo();
  await vi.waitFor(() => expect(sent('group_reorder')).toEqual([{ groups: ['Demo', 'Work'] }]));
});

it('the keys go over headings and rows, collapse a group, and open its menu', async () => {
  const items = [grouped('b', 'Work', 'Demo'), grouped('a', 'Demo')];
  const { list, model } = await open(items, ['Work', 'Demo']);
  const active = () =>
    document.getElementById(list.getAttribute('aria-activedescendant') ?? '')?.ariaLabel?.split(':')[0];
  const key = (name: string, part = {}) => fireEvent.keyDown(list, { key: name, ...part });
  key('Home');
  expect(active()).toBe('Work');
  key('ArrowDown');
  expect([active(), model.ui.getState().selectedServer]).toEqual(['b', 'b']);
  // The same server again, in its other group: no row is skipped.
  key('ArrowDown');
  key('ArrowDown');
  expect(active()).toBe('b');
  key('ArrowDown');
  expect([active(), model.ui.getState().selectedServer]).toEqual(['a', 'a']);
  key('ArrowLeft');
  expect(active()).toBe('Demo');
  key('ArrowLeft');
  expect(model.ui.getState().collapsedGroups).toEqual(['Demo']);
  expect(screen.getAllByRole('treeitem')).toHaveLength(3);
  key('Enter');
  expect(model.ui.getState().collapsedGroups).toEqual([]);
  key('Delete');
  expect(model.workspace.getState().dialog).toEqual({ type: 'removeGroup', group: 'Demo' });
});

it('a drag ends without a change when other servers are listed meanwhile', async () => {
  const { list, model, now, press, to, letGo, orders } = await open();
  press(1);
  to(3);
  now.items = SERVERS.slice(1);
  await act(() => model.servers.refresh());
  expect(list.dataset['dragging']).toBeUndefined();
  to(2);
  letGo();
  expect(orders()).toEqual([]);
});

it('the keys are for the server that is selected elsewhere, no longer for the heading that they were at', async () => {
  const { list, model } = await open([grouped('b', 'Work'), grouped('a', 'Work')], ['Work']);
  fireEvent.keyDown(list, { key: 'Home' });
  act(() => model.ui.setState({ selectedServer: 'b' as ServerId }));
  fireEvent.keyDown(list, { key: 'Delete' });
  expect(model.workspace.getState().dialog).toEqual({ type: 'removeServer', serverId: 'b' });
});

it('a disabled server says so and is enabled with one click', async () => {
  const off = {
    ...(SERVERS[0] as ServerItem),
    draft: { ...(SERVERS[0] as ServerItem).draft, disabled: true },
  };
  const { sent } = await open([off]);
  expect(screen.getByRole('treeitem', { name: /^a: Disabled/ }).dataset['disabled']).toBe('true');
  fireEvent.click(screen.getByRole('button', { name: 'Enable a' }));
  await vi.waitFor(() =>
    expect(sent('server_disabled_set')).toEqual([{ serverIds: ['a'], disabled: false }]),
  );
});
