import { MantineProvider } from '@mantine/core';
import { act, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import { useStore } from 'zustand';
import type { ChatId, ChatSettings, ServerId } from '../../../contract/generated';
import { CommandFailure } from '../../../host/host';
import { type Answers, ScriptedHost } from '../../../host/scripted';
import { FRESH_SETTINGS } from '../../../model/chat/chats';
import { type ConversationStore, openConversation } from '../../../model/chat/conversation';
import { connection, server } from '../../../model/servers/servers.fixture';
import { ModelProvider, createModel } from '../../../model/workspace/context';
import { stateOf } from '../items/WaitingCalls.fixture';
import { ToolChoice } from './ToolChoice';

const SERVER = 'a' as ServerId;

/** The tools of a conversation with one server and one tool. */
async function open(answers: Answers = {}) {
  const given = { serverId: SERVER, tool: 'greet', alias: 'greet', included: true, offered: true, bytes: 1 };
  const tool = { ...given, renamed: null, blocked: null, description: null, hints: {}, givenJson: '{}' };
  const listed = { serverId: SERVER, name: 'a', problem: null, instructionsBytes: null };
  const host = new ScriptedHost({
    server_list: () => ({ items: [server('a', connection({ state: 'ready' }))] }),
    chat_tools: () => ({ servers: [listed], tools: [tool], search: null, systemPrompt: '' }) as never,
    chat_settings_set: () => ({}),
    ...answers,
  });
  const model = createModel(host);
  await model.servers.refresh();
  const conversation = openConversation(host, 'c' as ChatId);
  const aliases = [{ serverId: SERVER, tool: 'greet', alias: 'greet' }];
  const settings = { ...FRESH_SETTINGS, servers: [SERVER], aliases };
  host.stream('chat_open').emit({ ...stateOf('idle'), settings } as never);
  render(
    <MantineProvider env="test">
      <ModelProvider model={model}>
        <Shown conversation={conversation} />
      </ModelProvider>
    </MantineProvider>,
  );
  const box = await screen.findByRole<HTMLInputElement>('checkbox', { name: 'Give greet to the model' });
  const sent = (): ChatSettings[] =>
    host.calls.flatMap(({ name, params }) =>
      name === 'chat_settings_set' ? [(params as { settings: ChatSettings }).settings] : [],
    );
  return { box, sent };
}

function Shown({ conversation }: { conversation: ConversationStore }) {
  const settings = useStore(conversation, (state) => state.settings);
  return settings === undefined ? null : <ToolChoice conversation={conversation} settings={settings} />;
}

it('takes a tool out and back at once, before the list of tools follows', async () => {
  const { box, sent } = await open();
  fireEvent.click(box);
  expect(box.checked).toBe(false);
  fireEvent.click(box);
  expect(box.checked).toBe(true);
  await waitFor(() => expect(sent()).toHaveLength(2));
  expect(sent().map(({ excluded }) => excluded)).toEqual([[{ serverId: SERVER, tool: 'greet' }], []]);
});

it('keeps a name for the model that is refused', async () => {
  const refusal = new CommandFailure({
    code: 'invalidParams',
    message: 'A name has no spaces.',
    detail: null,
  });
  const { box, sent } = await open({ chat_settings_set: () => refusal });
  const details = box.closest('details');
  if (details !== null) details.open = true;
  const field = await screen.findByRole<HTMLInputElement>('textbox', { name: 'Name for the model' });
  fireEvent.change(field, { target: { value: 'say hello' } });
  fireEvent.blur(field);
  await waitFor(() => expect(sent()).toHaveLength(1));
  await act(async () => {});
  expect(field.value).toBe('say hello');
});
