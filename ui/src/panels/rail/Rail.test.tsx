import { MantineProvider } from '@mantine/core';
import { act, fireEvent, render, screen } from '@testing-library/react';
import { beforeEach, expect, it, vi } from 'vitest';
import type { ServerItem } from '../../contract/generated';
import { ScriptedHost } from '../../host/scripted';
import { connection, server } from '../../model/servers/servers.fixture';
import { ModelProvider, createModel } from '../../model/workspace/context';
import { Rail } from './Rail';

const ROW = 28;
const SERVERS = ['a', 'b', 'c', 'd'].map((name) => server(name, connection({})));

async function open(items: ServerItem[] = SERVERS) {
  const host = new ScriptedHost({
    ui_state_get: () => ({ stateJson: JSON.stringify({ selectedServer: 'a' }) }),
    ui_state_set: () => ({}),
    server_list: () => ({ items }),
    server_reorder: () => ({}),
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
  const list = screen.getByRole('listbox', { name: 'Servers' });
  list.setPointerCapture = vi.fn<(id: number) => void>();
  const rows = screen.getAllByRole('option');
  rows.forEach((row, n) => {
    row.getBoundingClientRect = () => new DOMRect(0, n * ROW, 200, ROW);
  });
  list.getBoundingClientRect = () => new DOMRect(0, -100, 200, 1000);
  const at = (n: number) => ({ clientX: 20, clientY: n * ROW + ROW / 2, button: 0, pointerId: 1 });
  return {
    list,
    rows,
    model,
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
  fireEvent.pointerMove(list, { clientX: 22, clientY: ROW * 1.5 + 2, pointerId: 1 });
  expect(list.dataset['dragging']).toBeUndefined();
  letGo();
  press(1);
  to(3);
  to(1);
  letGo();
  expect(orders()).toEqual([]);
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
