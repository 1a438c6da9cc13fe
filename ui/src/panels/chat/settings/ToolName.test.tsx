import { MantineProvider } from '@mantine/core';
import { act, fireEvent, render, screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import type { ChatEvent, ChatId, ChatSettings, ServerId } from '../../../contract/generated';
import { CommandFailure } from '../../../host/host';
import { ScriptedHost } from '../../../host/scripted';
import { FRESH_SETTINGS } from '../../../model/chat/chats';
import { openConversation } from '../../../model/chat/conversation';
import { connection, server } from '../../../model/servers/servers.fixture';
import { ModelProvider, createModel } from '../../../model/workspace/context';
import { ChatSettingsPane } from './ChatSettingsPane';

const serverId = 'a' as ServerId;
const TOOL = {
  serverId,
  tool: 'echo',
  alias: 'echo',
  renamed: null,
  included: true,
  offered: true,
  blocked: null,
  description: null,
  hints: {},
  givenJson: '{}',
  bytes: 9,
};

/** The field for the name of a tool. The engine does not say what the model gets until `list` is called. */
async function open() {
  let isListed = true;
  const host = new ScriptedHost({
    server_list: () => ({ items: [server('a', connection({ state: 'ready' }))] }),
    chat_settings_set: () => ({}),
    chat_rules_get: () => ({ rules: [] }),
    chat_tools: () =>
      isListed
        ? ({
            tools: [TOOL],
            servers: [{ serverId, name: 'a', problem: null, instructionsBytes: null }],
            search: null,
          } as never)
        : new Promise(() => {}),
  });
  const model = createModel(host);
  await model.servers.refresh();
  const conversation = openConversation(host, 'c' as ChatId);
  render(
    <MantineProvider env="test">
      <ModelProvider model={model}>
        <ChatSettingsPane conversation={conversation} />
      </ModelProvider>
    </MantineProvider>,
  );
  const aliases = [{ serverId, tool: 'echo', alias: 'echo' }];
  const settings: ChatSettings = { ...FRESH_SETTINGS, servers: [serverId], aliases };
  const state = { type: 'state', settings, attached: [], total: 0, versions: [], seen: [] };
  await act(async () => host.stream('chat_open').emit(state as unknown as ChatEvent));
  isListed = false;
  const tool = screen.getByText('echo').closest('details');
  if (tool === null) throw new Error('no tool');
  tool.open = true;
  fireEvent(tool, new Event('toggle'));
  return {
    host,
    field: await screen.findByRole<HTMLInputElement>('textbox', { name: 'Name for the model' }),
  };
}

it('shows a name that was saved, and one that was refused, as it was typed', async () => {
  const { host, field } = await open();
  const type = async (text: string): Promise<void> => {
    fireEvent.change(field, { target: { value: text } });
    fireEvent.blur(field);
    await act(async () => {});
    expect(field.value).toBe(text);
  };
  await type('say');
  host.answers.chat_settings_set = () =>
    new CommandFailure({ code: 'invalidParams', message: 'taken', detail: null });
  await type('read');
  expect(host.calls.filter(({ name }) => name === 'chat_settings_set')).toHaveLength(2);
});
