import { MantineProvider } from '@mantine/core';
import { act, render, screen, waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import type { ChatId, ServerId } from '../../contract/generated';
import { CommandFailure } from '../../host/host';
import { ScriptedHost } from '../../host/scripted';
import { ModelProvider, createModel } from '../../model/workspace/context';
import { ChatPanel } from './ChatPanel';

/** The chat after a restart, with a conversation that was never used and is therefore gone. */
async function open() {
  const host = new ScriptedHost({
    ui_state_get: () => ({ stateJson: '{"selectedChat":"gone"}' }),
    ui_state_set: () => ({}),
    provider_list: () => ({ items: [] }),
    chat_list: () => ({ items: [], folder: null }),
    chat_create: () => ({ chatId: 'new' as ChatId }),
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
  const end = () => act(() => host.stream('chat_open').end(unknown.error));
  return { host, model, end };
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
