import { expect, it } from 'vitest';
import type { ConnectionId, ServerItem } from '../../contract/generated';
import { ScriptedHost } from '../../host/scripted';
import { createModel } from './context';
import { connection, server } from '../servers/servers.fixture';
import type { UiState } from './uiState';

/** What was pulled when a server became ready, for this state of the window. */
async function pulled(
  state: Partial<UiState>,
  become: Partial<ServerItem['connection']>,
): Promise<unknown[]> {
  const items = [server('a', connection({}))];
  const host = new ScriptedHost({ server_list: () => ({ items: [...items] }) });
  const model = createModel(host);
  await model.servers.refresh();
  model.ui.setState({ selectedServer: items[0]!.id, ...state });
  items[0] = server('a', connection(become));
  await model.servers.refresh();
  return host.calls.filter(({ name }) => name === 'tool_list').map(({ params }) => params);
}

const ready = { state: 'ready', connectionId: '7' as ConnectionId } as const;

it('lists the tools of the selected server when it becomes ready', async () => {
  expect(await pulled({}, ready)).toEqual([{ serverId: 'a', refresh: false, cursor: null }]);
});

it('lists nothing that is not shown', async () => {
  expect(await pulled({ selectedServer: null }, ready)).toEqual([]);
  expect(await pulled({ exploreTab: 'info' }, ready)).toEqual([]);
  expect(await pulled({ modes: { a: 'authorization' } }, ready)).toEqual([]);
  expect(await pulled({}, { ...ready, state: 'negotiating' })).toEqual([]);
});
