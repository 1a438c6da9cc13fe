import { render, screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import type { ChatEvent, ChatId, ServerId } from '../../../contract/generated';
import { ScriptedHost } from '../../../host/scripted';
import { FRESH_SETTINGS } from '../../../model/chat/chats';
import { openConversation } from '../../../model/chat/conversation';
import { connection, server } from '../../../model/servers/servers.fixture';
import { ModelProvider, createModel } from '../../../model/workspace/context';
import { NotConnected } from './NotConnected';

/** The note of a conversation with these servers, of which `a` is connected, `b` is not, and there is no other. */
async function note(...servers: string[]): Promise<string | undefined> {
  const host = new ScriptedHost({
    server_list: () => ({
      items: [server('a', connection({ state: 'ready' })), server('b', connection({ state: 'failed' }))],
    }),
  });
  const model = createModel(host);
  const conversation = openConversation(host, 'c' as ChatId);
  const settings = { ...FRESH_SETTINGS, servers: servers as ServerId[] };
  const state = { type: 'state', settings, attached: [], total: 0, versions: [], seen: [] };
  host.stream('chat_open').emit(state as unknown as ChatEvent);
  await model.servers.refresh();
  render(
    <ModelProvider model={model}>
      <NotConnected conversation={conversation} />
    </ModelProvider>,
  );
  return screen.queryByRole('note')?.textContent;
}

it('names the chosen servers whose tools the model does not get', async () => {
  expect(await note('a', 'b', 'gone')).toBe(
    'Not connected: b, a removed server. The model gets tools only from servers that are connected.',
  );
});

it('says nothing if all are connected', async () => {
  expect(await note('a')).toBeUndefined();
});
