import { MantineProvider } from '@mantine/core';
import { act, fireEvent, render, screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import type { ChatId, ChatSummary } from '../../contract/generated';
import { ScriptedHost } from '../../host/scripted';
import { ModelProvider, createModel } from '../../model/workspace/context';
import { ChatList } from './ChatList';

/** Conversations with these titles, which only an empty search finds. */
async function open(...titles: string[]) {
  const item = { phase: 'idle', waiting: 0, readOnly: null, found: null };
  const items = (titles.length === 0 ? ['Plan'] : titles).map(
    (title) => ({ ...item, id: title as ChatId, title, messages: 1, updatedAtMs: 0 }) as ChatSummary,
  );
  const model = createModel(
    new ScriptedHost({ chat_list: ({ search }) => ({ items: search === null ? items : [], folder: null }) }),
  );
  await model.chats.refresh();
  render(
    <MantineProvider env="test">
      <ModelProvider model={model}>
        <ChatList />
      </ModelProvider>
    </MantineProvider>,
  );
  return model;
}

async function rename() {
  fireEvent.click(screen.getByRole('button', { name: 'Actions for Plan' }));
  fireEvent.click(await screen.findByRole('menuitem', { name: 'Rename…' }));
}

it.each(['Enter', 'Escape'])('gives the focus to a conversation whose renaming ends by %s', async (key) => {
  await open();
  await rename();
  const field = screen.getByRole('textbox', { name: 'Conversation name' });
  expect(document.activeElement).toBe(field);
  if (key === 'Escape') fireEvent.keyDown(field, { key });
  else fireEvent.submit(field);
  const row = screen.getByRole('button', { current: false, name: /^Plan/ });
  expect(document.activeElement).toBe(row);
});

it('says that there are no conversations only if none was searched for', async () => {
  const { chats } = await open();
  act(() => chats.find('other'));
  expect(await screen.findByText('No matching conversations')).toBeDefined();
  act(() => chats.find(''));
  // Until the list is there.
  expect(screen.queryByText('No conversations yet')).toBeNull();
  expect(await screen.findByRole('button', { name: 'Actions for Plan' })).toBeDefined();
});

it('is walked through with the arrow keys, from the search on', async () => {
  const model = await open('One', 'Two', 'Three');
  act(() => model.ui.setState({ selectedChat: 'Two' as ChatId }));
  const focused = (): string | undefined => document.activeElement?.textContent.slice(0, 3);
  const press = (key: string): void => {
    fireEvent.keyDown(document.activeElement ?? document.body, { key });
  };
  screen.getByLabelText('Search conversations').focus();
  press('ArrowDown');
  expect(focused()).toBe('Two');
  press('ArrowUp');
  press('ArrowUp');
  expect(focused()).toBe('One');
  press('End');
  expect(focused()).toBe('Thr');
  press('Home');
  expect(focused()).toBe('One');
  // What belongs to a row has keys of its own.
  screen.getByRole('button', { name: 'Actions for Two' }).focus();
  press('ArrowDown');
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Actions for Two' }));
});
