import { MantineProvider } from '@mantine/core';
import { act, render, screen, waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import type { ChatEvent, ChatId, Seq, ServerId } from '../../contract/generated';
import { CommandFailure } from '../../host/host';
import { ScriptedHost } from '../../host/scripted';
import type { PromptHandover } from '../../model/lists/prompts/promptHandover';
import { ModelProvider, createModel } from '../../model/workspace/context';
import { ChatPanel } from './ChatPanel';
import { stateOf } from './items/WaitingCalls.fixture';

/** The chat after a restart, with a conversation that was shown before. */
async function open() {
  const host = new ScriptedHost({
    ui_state_get: () => ({ stateJson: '{"selectedChat":"gone"}' }),
    ui_state_set: () => ({}),
    provider_list: () => ({ items: [] }),
    chat_list: () => ({ items: [], folder: null }),
    chat_create: () => ({ chatId: 'new' as ChatId }),
    chat_attach: () => ({}) as never,
  });
  const model = createModel(host);
  await model.ui.load();
  render(
    <MantineProvider env="test">
      <ModelProvider model={model}>
        <ChatPanel serverId={'s' as ServerId} lead={null} />
      </ModelProvider>
    </MantineProvider>,
  );
  const unknown = new CommandFailure({ code: 'notFound', message: 'no such conversation', detail: null });
  /** It was never used, and is therefore gone. */
  const end = () => act(() => host.stream('chat_open').end(unknown.error));
  /** A conversation is there, and read-only if there is a reason. */
  const arrive = async (chatId: string, readOnly: string | null): Promise<void> => {
    await waitFor(() => expect(host.stream('chat_open').params.chatId).toBe(chatId));
    const state = stateOf('idle') as Extract<ChatEvent, { type: 'state' }>;
    act(() => host.stream('chat_open').emit({ ...state, summary: { ...state.summary, readOnly } }));
  };
  return { host, model, end, arrive };
}

it('shows the way to begin one in place of a conversation that is gone', async () => {
  const { model, end } = await open();
  end();
  expect(await screen.findByRole('button', { name: 'Start a conversation' })).toBeDefined();
  expect(model.ui.getState().selectedChat).toBeNull();
});

it('hands a text over to a new conversation if the one that was shown is gone', async () => {
  const { model, end } = await open();
  act(() => model.chats.hand(null, 'from an app'));
  end();
  await waitFor(() => expect(model.ui.getState().selectedChat).toBe('new'));
  expect(model.chats.getState().handed).toBe('from an app');
  expect(model.chats.getState().drafts).toEqual({});
});

it('begins a conversation for what is handed over to one that is read-only', async () => {
  const { host, model, arrive } = await open();
  await arrive('gone', 'Its file is damaged.');
  act(() => model.chats.hand(null, 'from an app'));
  await waitFor(() => expect(model.ui.getState().selectedChat).toBe('new'));
  await arrive('new', null);
  await waitFor(() => expect(model.chats.getState().drafts).toEqual({ new: 'from an app' }));
  expect(model.chats.getState().handed).toBeNull();

  act(() => model.ui.setState({ selectedChat: 'gone' as ChatId }));
  await arrive('gone', 'Its file is damaged.');
  const prompt = { serverId: 's' as ServerId, prompt: 'p', responseSeq: '7' as Seq };
  act(() => model.promptHandover.offer(prompt as PromptHandover));
  await waitFor(() => expect(model.ui.getState().selectedChat).toBe('new'));
  await arrive('new', null);
  await waitFor(() => expect(host.calls.some(({ name }) => name === 'chat_attach')).toBe(true));
  expect(host.calls.find(({ name }) => name === 'chat_attach')?.params).toMatchObject({ chatId: 'new' });
});
