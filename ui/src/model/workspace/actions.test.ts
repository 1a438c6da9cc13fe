import { describe, expect, it } from 'vitest';
import type { ServerId, ServerItem } from '../../contract/generated';
import { ScriptedHost } from '../../host/scripted';
import { createActions, freeName } from './actions';
import { createModel } from './context';
import { connection, server } from '../servers/servers.fixture';

async function setUp(items: ServerItem[], answers: ConstructorParameters<typeof ScriptedHost>[0]) {
  const host = new ScriptedHost({ server_list: () => ({ items }), ...answers });
  const model = createModel(host);
  await model.servers.refresh();
  const called = (name: string): unknown[] =>
    host.calls.filter((call) => call.name === name).map(({ params }) => params);
  return { model, actions: createActions(model), called };
}

const a = server('a', connection({}));
const b = server('b', connection({}));

describe('actions', () => {
  it('copies a server under a free name and selects the copy', async () => {
    const { model, actions, called } = await setUp([a, server('a 2', connection({}))], {
      server_duplicate: () => ({ serverId: 'copy' as ServerId }),
    });
    await actions.duplicate(a.id);
    expect(called('server_duplicate')).toEqual([{ serverId: a.id, name: 'a 3' }]);
    expect(model.ui.getState().selectedServer).toBe('copy');
  });

  it('moves a server by one place, and not beyond the ends', async () => {
    const { actions, called } = await setUp([a, b], { server_reorder: () => ({}) });
    await actions.move(a.id, 1);
    await actions.move(a.id, -1);
    expect(called('server_reorder')).toEqual([{ serverIds: ['b', 'a'] }]);
  });

  it('moves made in quick succession each begin from the order before', async () => {
    let items = ['a', 'b', 'c', 'd'].map((name) => server(name, connection({})));
    let groups = ['Work', 'Home', 'Demo'];
    const { model, actions, called } = await setUp([], {
      server_list: () => ({ items, groups }),
      async server_reorder({ serverIds }) {
        await Promise.resolve();
        if (serverIds[0] === 'd') throw new Error('no');
        items = serverIds.flatMap((id) => items.filter((item) => item.id === id));
        return {};
      },
      async group_reorder(order) {
        await Promise.resolve();
        groups = order.groups;
        return {};
      },
    });
    // What the menu does is another object of the same actions.
    const menu = createActions(model);
    const [first, second, , last] = items.map(({ id }) => id);
    if (first === undefined || second === undefined || last === undefined) throw new Error('four servers');
    await Promise.all([
      actions.moveRow(first, 1),
      actions.drop(last, second),
      actions.moveRow(first, 1),
      menu.move(first, 1),
      actions.moveRow(first, 1),
      actions.drop(second, last),
      actions.moveGroup('Work', 1),
      actions.moveGroup('Work', 1),
    ]);
    const orders = called('server_reorder') as { serverIds: ServerId[] }[];
    expect(orders.map(({ serverIds }) => serverIds.join(''))).toEqual([
      'bacd',
      'dbac',
      'bcad',
      'bcda',
      'cdba',
    ]);
    // One that fails is shown, and stops no other.
    expect(model.workspace.getState().serverErrors[last]?.message).toBe('no');
    expect(called('group_reorder')).toEqual([
      { groups: ['Home', 'Work', 'Demo'] },
      { groups: ['Home', 'Demo', 'Work'] },
    ]);
  });

  it('keeps what went wrong with its server until the next command', async () => {
    let broken = true;
    const { model, actions } = await setUp([a], {
      connection_open: () => {
        if (broken) throw new Error('no');
        return {};
      },
    });
    await actions.connect(a.id);
    expect(model.workspace.getState().serverErrors[a.id]?.message).toBe('no');
    broken = false;
    await actions.connect(a.id);
    expect(model.workspace.getState().serverErrors[a.id]).toBeUndefined();
  });

  it('does not connect twice what is double-clicked', async () => {
    const open = server('open', connection({ state: 'connecting' }));
    const { actions, called } = await setUp([a, open], { connection_open: () => ({}) });
    await actions.connect(open.id);
    await actions.connect(a.id);
    expect(called('connection_open')).toEqual([{ serverId: a.id }]);
  });

  it('takes the demo server that is there already', async () => {
    const demo = server('demo', connection({}), { isDemo: true });
    const { model, actions, called } = await setUp([a, demo], { connection_open: () => ({}) });
    await actions.openDemo();
    expect(called('server_add_demo')).toEqual([]);
    expect(called('connection_open')).toEqual([{ serverId: 'demo' }]);
    expect(model.ui.getState().selectedServer).toBe('demo');
  });
});

describe('freeName', () => {
  it('counts on from the name without its number', () => {
    expect(freeName('a', ['a'])).toBe('a 2');
    expect(freeName('a 2', ['a', 'a 2', 'a 3'])).toBe('a 4');
  });
});
