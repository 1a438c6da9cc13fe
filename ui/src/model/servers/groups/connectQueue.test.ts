import { expect, it, vi } from 'vitest';
import type { ServerId, ServerItem } from '../../../contract/generated';
import { ScriptedHost } from '../../../host/scripted';
import { createActions } from '../../workspace/actions';
import { createModel } from '../../workspace/context';
import { connection, server } from '../servers.fixture';
import { affected, connectable } from './connectQueue';

const disabled = (item: ServerItem): ServerItem => ({ ...item, draft: { ...item.draft, disabled: true } });

async function open(all: ServerItem[]) {
  let items = all;
  const host = new ScriptedHost({
    server_list: () => ({ items }),
    connection_open: ({ serverId }) => {
      set(serverId, { state: 'connecting' });
      return {};
    },
    connection_close: ({ serverId }) => {
      set(serverId, { state: 'closed' });
      return {};
    },
  });
  function set(id: ServerId, part: Partial<ServerItem['connection']>): void {
    items = items.map((item) => (item.id === id ? { ...item, connection: connection(part) } : item));
  }
  const model = createModel(host);
  await model.servers.refresh();
  const named = (name: string) =>
    host.calls
      .filter((call) => call.name === name)
      .map(({ params }) => (params as { serverId: string }).serverId);
  return { model, actions: createActions(model), set, named };
}

it('what is disabled or connected is not connected', () => {
  const items = [
    server('a', connection({ state: 'ready' })),
    disabled(server('b', connection({}))),
    server('c', connection({})),
  ];
  const ids = items.map(({ id }) => id);
  expect(connectable(items, ids)).toEqual(['c']);
  expect(affected(items, ids).open.map(({ id }) => id)).toEqual(['a']);
});

it('two hundred servers are connected eight at a time', async () => {
  const items = Array.from({ length: 200 }, (_, n) => server(`s${n}`, connection({})));
  const { model, actions, set, named } = await open(items);
  actions.connectMany(items.map(({ id }) => id));
  // Asked twice, they are connected once.
  actions.connectMany(items.map(({ id }) => id));
  await vi.waitFor(() => expect(named('connection_open')).toHaveLength(8));
  set('s0' as ServerId, { state: 'failed' });
  set('s1' as ServerId, { state: 'ready' });
  await model.servers.refresh();
  await vi.waitFor(() => expect(named('connection_open')).toHaveLength(10));
  // Those that have not begun are left out when all are disconnected.
  actions.switchServers({ disconnect: items.map(({ id }) => id), connect: [] });
  await vi.waitFor(() => expect(named('connection_close')).toHaveLength(9));
  await model.servers.refresh();
  await Promise.resolve();
  expect(named('connection_open')).toHaveLength(10);
});

it('a switch connects some and disconnects the others, and asks if requests are pending', async () => {
  const [a, b] = [server('a', connection({ state: 'ready', pendingCount: 2 })), server('b', connection({}))];
  const { model, actions, named } = await open([a, b]);
  const change = { disconnect: [a.id], connect: [b.id] };
  actions.switchServers(change);
  expect(model.workspace.getState().dialog).toEqual({ type: 'switchServers', change });
  expect(named('connection_close')).toEqual([]);
  actions.switchServers(change, true);
  await vi.waitFor(() =>
    expect([named('connection_close'), named('connection_open')]).toEqual([['a'], ['b']]),
  );
});

it('connecting a disabled server shows where it can be enabled', async () => {
  const { model, actions, named } = await open([disabled(server('a', connection({})))]);
  await actions.connect('a' as ServerId);
  expect(named('connection_open')).toEqual([]);
  expect(model.ui.getState()).toMatchObject({ selectedServer: 'a', modes: { a: 'explore' } });
});
