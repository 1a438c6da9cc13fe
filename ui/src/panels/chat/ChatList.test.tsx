import { MantineProvider } from '@mantine/core';
import { act, fireEvent, render, screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import type { ChatId, ChatSummary } from '../../contract/generated';
import { ScriptedHost } from '../../host/scripted';
import { ModelProvider, createModel } from '../../model/workspace/context';
import { ChatList } from './ChatList';

/** One conversation, which only an empty search finds. */
async function open() {
  const item = { id: 'c' as ChatId, title: 'Plan', phase: 'idle', waiting: 0, readOnly: null, found: null };
  const items = [{ ...item, messages: 1, updatedAtMs: 0 } as ChatSummary];
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
