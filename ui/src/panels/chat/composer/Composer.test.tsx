import { MantineProvider } from '@mantine/core';
import { act, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import type { ChatAttachment, ChatId } from '../../../contract/generated';
import { ScriptedHost } from '../../../host/scripted';
import { openConversation } from '../../../model/chat/conversation';
import { ModelProvider, createModel } from '../../../model/workspace/context';
import { Composer } from './Composer';

/** The composer of a conversation whose engine takes a message when told to. */
function open() {
  let take = () => {};
  const host = new ScriptedHost({
    chat_send: () =>
      new Promise((resolve) => {
        take = () => resolve({});
      }),
  });
  const model = createModel(host);
  const conversation = openConversation(host, 'c' as ChatId);
  render(
    <MantineProvider env="test">
      <ModelProvider model={model}>
        <Composer conversation={conversation} phase="idle" />
      </ModelProvider>
    </MantineProvider>,
  );
  const field = screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Message' });
  const write = (value: string) => fireEvent.change(field, { target: { value } });
  return {
    field,
    conversation,
    write,
    take: async () => {
      await waitFor(() => expect(host.calls.map(({ name }) => name)).toContain('chat_send'));
      await act(async () => take());
    },
  };
}

it('empties the field when the message is taken', async () => {
  const { field, write, take } = open();
  write('first');
  fireEvent.click(screen.getByRole('button', { name: 'Send' }));
  expect(field.value).toBe('first');
  await take();
  expect(field.value).toBe('');
});

it('keeps what is written while a message is being sent', async () => {
  const { field, write, take } = open();
  write('first');
  fireEvent.click(screen.getByRole('button', { name: 'Send' }));
  write('second');
  await take();
  expect(field.value).toBe('second');
});

it('leaves the focus in the field when an attachment is removed', async () => {
  const { field, conversation } = open();
  const attachment = { id: '1', name: 'a.txt', serverId: null, serverName: '', bytes: 1, parts: 1 };
  const shown = { ...attachment, image: null, preview: 'x', seq: null, subscription: null };
  act(() => conversation.setState({ attached: [shown as unknown as ChatAttachment] }));
  screen.getByRole('button', { name: 'Remove a.txt' }).focus();
  expect(document.activeElement).not.toBe(field);
  act(() => conversation.setState({ attached: [] }));
  expect(document.activeElement).toBe(field);
});
