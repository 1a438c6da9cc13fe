import { MantineProvider } from '@mantine/core';
import { fireEvent, render, screen, waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import type { ChatId } from '../../../contract/generated';
import { CommandFailure } from '../../../host/host';
import { type Answers, ScriptedHost } from '../../../host/scripted';
import { openConversation } from '../../../model/chat/conversation';
import { ModelProvider, createModel } from '../../../model/workspace/context';
import { ManualAnswer } from './ManualAnswer';

/** The answers of two conversations, one at a time. */
function open(chat_write: Answers['chat_write'] = () => ({})) {
  const tool = {
    serverId: 's',
    tool: 'echo',
    alias: 'echo',
    included: true,
    blocked: null,
    offered: true,
    givenJson: '{"name":"echo","inputSchema":{"type":"object"}}',
  };
  const host = new ScriptedHost({
    chat_write,
    chat_tools: () => ({ tools: [tool], search: null, bytes: 1, notes: [] }) as never,
  });
  const model = createModel(host);
  const page = (id: string) => (
    <MantineProvider env="test">
      <ModelProvider model={model}>
        <ManualAnswer key={id} conversation={openConversation(host, id as ChatId)} />
      </ModelProvider>
    </MantineProvider>
  );
  const { rerender } = render(page('c'));
  return { host, show: (id: string) => rerender(page(id)) };
}

const field = () => screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Answer' });
const write = (value: string) => fireEvent.change(field(), { target: { value } });
const callRow = () => screen.queryByRole('button', { name: 'Remove call to echo' });

async function addCall(): Promise<void> {
  await screen.findByRole('option', { name: 'echo' });
  fireEvent.click(screen.getByRole('button', { name: 'Add call' }));
}

it('keeps an answer of each conversation while another is shown', async () => {
  const { show } = open();
  await addCall();
  write('not sent yet');
  show('d');
  expect(field().value).toBe('');
  expect(callRow()).toBeNull();
  show('c');
  expect(field().value).toBe('not sent yet');
  expect(callRow()).not.toBeNull();
});

it('sends the answer, and begins the next one empty', async () => {
  const { host, show } = open();
  await addCall();
  write('sent');
  fireEvent.click(screen.getByRole('button', { name: 'Send answer' }));
  await waitFor(() => expect(field().value).toBe(''));
  expect(callRow()).toBeNull();
  const sent = host.calls.filter(({ name }) => name === 'chat_write').map(({ params }) => params);
  expect(sent).toEqual([
    { chatId: 'c', text: 'sent', calls: [{ alias: 'echo', argumentsJson: expect.any(String) as string }] },
  ]);
  show('d');
  show('c');
  expect(field().value).toBe('');
});

it('keeps an answer that is refused', async () => {
  const refusal = new CommandFailure({ code: 'invalidParams', message: 'no', detail: null });
  const { host, show } = open(() => refusal);
  write('refused');
  fireEvent.click(screen.getByRole('button', { name: 'Send answer' }));
  await waitFor(() => expect(host.calls.map(({ name }) => name)).toContain('chat_write'));
  show('d');
  show('c');
  expect(field().value).toBe('refused');
});

it('has the focus, unless the user is elsewhere, and keeps it when a call is removed', async () => {
  const { show } = open();
  expect(document.activeElement).toBe(field());
  await addCall();
  callRow()?.focus();
  fireEvent.click(callRow()!);
  await waitFor(() => expect(document.activeElement).toBe(field()));
  const other = document.body.appendChild(document.createElement('input'));
  other.focus();
  show('d');
  expect(document.activeElement).toBe(other);
  other.remove();
});
