import { describe, expect, it } from 'vitest';
import { Link } from '../../host/link';
import { ScriptedHost } from '../../host/scripted';
import { createAppEvents } from '../workspace/appEvents';
import { createServers } from './servers';
import { connection, server } from './servers.fixture';

describe('servers', () => {
  it('keeps unchanged objects, so that they do not render again', async () => {
    let items = [server('a', connection({ state: 'ready' })), server('b', connection({ state: 'idle' }))];
    const host = new ScriptedHost({ server_list: () => ({ items: structuredClone(items) }) });
    const servers = createServers(host, createAppEvents(host, new Link()));
    await servers.refresh();
    const first = servers.getState();
    await servers.refresh();
    expect(servers.getState().items).toBe(first.items);
    items = [items[0]!, server('b', connection({ state: 'connecting' }))];
    await servers.refresh();
    expect(servers.getState().items).toEqual(items);
    expect(servers.getState().items?.[0]).toBe(first.items?.[0]);
    items = [items[1]!];
    await servers.refresh();
    expect(servers.getState().items).toEqual(items);
  });

  it('keeps the list and says why when it cannot be pulled', async () => {
    const host = new ScriptedHost();
    const servers = createServers(host, createAppEvents(host, new Link()));
    await servers.refresh();
    expect(servers.getState()).toMatchObject({ items: undefined, error: { code: 'notFound' } });
    host.answers.server_list = () => ({ items: [] });
    await servers.refresh();
    expect(servers.getState()).toMatchObject({ items: [], error: null });
  });
});
