import { MantineProvider } from '@mantine/core';
import { act, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import type { ChatEvent, ChatId, ChatItem } from '../../../contract/generated';
import { ScriptedHost } from '../../../host/scripted';
import { FRESH_SETTINGS } from '../../../model/chat/chats';
import { openConversation } from '../../../model/chat/conversation';
import { ModelProvider, createModel } from '../../../model/workspace/context';
import { Items } from './Items';

const CHAT = 'c' as ChatId;

function notice(id: number): ChatItem {
  return { type: 'notice', id: `${id}`, atMs: 0, kind: 'limit', cause: `cause ${id}`, next: '', seq: null };
}

function state(phase: 'idle' | 'answering', readOnly: string | null = null): ChatEvent {
  const summary = {
    id: CHAT,
    title: '',
    updatedAtMs: 0,
    messages: 0,
    phase,
    waiting: 0,
    readOnly,
    found: null,
  };
  return { type: 'state', summary, settings: FRESH_SETTINGS, attached: [], total: 0, versions: [], seen: [] };
}

/** A conversation with items from 1 to `count`. */
function open(count: number, branch: () => object = () => ({})) {
  const host = new ScriptedHost({ chat_branch: () => branch() as never });
  const model = createModel(host);
  const conversation = openConversation(host, CHAT);
  const emit = (event: ChatEvent): void => act(() => host.stream('chat_open').emit(event));
  const items = Array.from({ length: count }, (_, at) => notice(at + 1));
  render(
    <MantineProvider env="test">
      <ModelProvider model={model}>
        <Items conversation={conversation} label="Messages" />
      </ModelProvider>
    </MantineProvider>,
  );
  emit(state('idle'));
  emit({ type: 'items', items });
  const want = (item: string | null): void => act(() => model.chats.want({ chatId: CHAT, item }));
  return { host, model, emit, want };
}

const drawn = (): number => screen.getAllByText(/^cause /).length;

it('draws the newest items, and those around one that is looked for', async () => {
  const { model, emit, want } = open(1_000);
  expect(drawn()).toBe(100);
  expect(screen.queryByText('cause 300')).toBeNull();

  want('300');
  await waitFor(() => expect(document.activeElement?.textContent).toContain('cause 300'));
  expect(document.activeElement?.getAttribute('data-found')).toBe('true');
  expect(model.chats.getState().wanted).toBeNull();
  expect(drawn()).toBe(100);
  fireEvent.click(screen.getByRole('button', { name: 'Show later (651 more)' }));
  fireEvent.click(screen.getByRole('button', { name: 'Show earlier (249 more)' }));
  expect(drawn()).toBe(300);

  // A turn that begins is at the end.
  emit(state('answering'));
  expect(screen.getByText('cause 1000')).toBeDefined();
  expect(screen.queryByText('cause 300')).toBeNull();
});

it('shows the branch of an item first, once', async () => {
  const { host, emit, want } = open(3);
  want('9');
  await waitFor(() => expect(host.calls.filter(({ name }) => name === 'chat_branch')).toHaveLength(1));
  emit({ type: 'branch', stay: 1 });
  emit({ type: 'items', items: [notice(9)] });
  await waitFor(() => expect(document.activeElement?.textContent).toContain('cause 9'));
  expect(host.calls.filter(({ name }) => name === 'chat_branch')).toEqual([
    { name: 'chat_branch', params: { chatId: CHAT, item: '9' } },
  ]);
});

it('gives up when the branch cannot be shown', async () => {
  const { model, want } = open(3, () => {
    throw new Error('A turn is running.');
  });
  want('9');
  await waitFor(() => expect(model.chats.getState().wanted).toBeNull());
  expect(drawn()).toBe(3);
});

it('leaves every item in its place while a button of the pointer is down', async () => {
  const { emit } = open(3);
  fireEvent.pointerDown(screen.getByText('cause 2'));
  emit({ type: 'items', items: [notice(4)] });
  expect(drawn()).toBe(3);
  fireEvent.pointerUp(window);
  await waitFor(() => expect(drawn()).toBe(4));
});

it('offers to go on at the end, but not in a conversation that is read-only', () => {
  const { emit } = open(2);
  expect(screen.getAllByRole('button', { name: 'Continue' })).toHaveLength(1);
  emit(state('idle', 'Its file is damaged.'));
  expect(screen.queryByRole('button', { name: 'Continue' })).toBeNull();
});
