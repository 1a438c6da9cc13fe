import { MantineProvider } from '@mantine/core';
import { act, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import type { ChatId, ChatItem } from '../../../contract/generated';
import { ScriptedHost } from '../../../host/scripted';
import { openConversation } from '../../../model/chat/conversation';
import { ModelProvider, createModel } from '../../../model/workspace/context';
import { Items } from './Items';
import { CHAT, stateOf } from './WaitingCalls.fixture';

function message(id: string, inline: string | null, ...attached: object[]): ChatItem {
  const content = [...attached, { type: 'text', text: { inline, body: 'long', size: 9, pretty: null } }];
  return { type: 'user', id, atMs: 0, content, from: null, servers: [], masked: null } as never;
}

/** A conversation of two messages, which can be left and opened again. */
function open(items = [message('1', 'first'), message('2', 'second')]) {
  const host = new ScriptedHost({ chat_edit: () => ({}), chat_fork: () => ({ chatId: 'copy' as ChatId }) });
  host.setBody('long', 'a long text');
  const model = createModel(host);
  function show(chatId = CHAT) {
    const conversation = openConversation(host, chatId);
    const { unmount } = render(
      <MantineProvider env="test">
        <ModelProvider model={model}>
          <Items conversation={conversation} label="Messages" />
        </ModelProvider>
      </MantineProvider>,
    );
    act(() => {
      host.stream('chat_open').emit(stateOf('idle'));
      host.stream('chat_open').emit({ type: 'items', items });
    });
    return () => {
      unmount();
      conversation.close();
    };
  }
  let leave = show();
  return {
    host,
    model,
    comeBack: (chatId?: ChatId): void => {
      leave();
      leave = show(chatId);
    },
  };
}

const edit = (at: number) => {
  const pencil = screen.getAllByRole('button', { name: 'Edit and send again' })[at];
  if (pencil !== undefined) fireEvent.click(pencil);
};
const fields = () => screen.queryAllByRole<HTMLTextAreaElement>('textbox', { name: 'Edited message' });
const write = (value: string) => {
  const [field] = fields();
  if (field !== undefined) fireEvent.change(field, { target: { value } });
};

it('keeps an edited message while another conversation is shown', () => {
  const { comeBack } = open();
  edit(1);
  expect(document.activeElement).toBe(fields()[0]);
  write('second, changed');
  comeBack();
  expect(fields().map(({ value }) => value)).toEqual(['second, changed']);
  fireEvent.click(screen.getByRole('button', { name: 'Cancel' }));
  expect(fields()).toEqual([]);
  edit(1);
  expect(fields().map(({ value }) => value)).toEqual(['second']);
});

it('gives the focus to an edited message when the edit begins, not when the conversation is shown again', () => {
  const { comeBack } = open();
  edit(1);
  comeBack();
  expect(fields().map(({ value }) => value)).toEqual(['second']);
  expect(document.activeElement).toBe(document.body);
  fireEvent.click(screen.getByRole('button', { name: 'Cancel' }));
  edit(1);
  expect(document.activeElement).toBe(fields()[0]);
});

it('is ended by Escape, and not by one that ends a composition', () => {
  open();
  edit(1);
  write('second, changed');
  const escape = (isComposing: boolean): void => {
    for (const field of fields()) fireEvent.keyDown(field, { key: 'Escape', isComposing });
  };
  escape(true);
  expect(fields().map(({ value }) => value)).toEqual(['second, changed']);
  escape(false);
  expect(fields()).toEqual([]);
});

it('ends the edit when the message is sent', async () => {
  const { host, comeBack } = open();
  edit(0);
  write('first, changed');
  fireEvent.click(screen.getByRole('button', { name: 'Send' }));
  await waitFor(() => expect(fields()).toEqual([]));
  expect(host.calls.find(({ name }) => name === 'chat_edit')?.params).toEqual({
    chatId: CHAT,
    item: '1',
    text: 'first, changed',
  });
  comeBack();
  expect(fields()).toEqual([]);
});

it('keeps what is attached to a message from which a conversation is forked, and a text that is not here', async () => {
  const image = { type: 'image', mimeType: 'image/png', body: 'b', size: 1, annotationsJson: null };
  const { host, model, comeBack } = open([message('1', null, image)]);
  fireEvent.click(screen.getByRole('button', { name: 'Fork conversation from here' }));
  await waitFor(() => expect(model.ui.getState().selectedChat).toBe('copy'));
  comeBack('copy' as ChatId);
  expect(fields().map(({ value }) => value)).toEqual(['a long text']);
  expect(screen.getByText(/^Keeps 1 attachment/)).toBeDefined();
  fireEvent.click(screen.getByRole('button', { name: 'Send' }));
  await waitFor(() => expect(fields()).toEqual([]));
  const sent = host.calls.find(({ name }) => name === 'chat_edit')?.params;
  expect(sent).toEqual({ chatId: 'copy', item: '1', text: 'a long text' });
});
