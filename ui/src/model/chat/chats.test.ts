import { expect, it } from 'vitest';
import type { ChatId, ChatSummary } from '../../contract/generated';
import { CommandFailure } from '../../host/host';
import { type Answers, ScriptedHost } from '../../host/scripted';
import { createModel } from '../workspace/context';
import { withMessage } from './unsent';

const CHAT = 'c' as ChatId;
const OTHER = 'd' as ChatId;

function begun(answers: Answers) {
  const { chats } = createModel(new ScriptedHost(answers));
  for (const chatId of [CHAT, OTHER]) {
    chats.write(chatId, 'draft');
    chats.keep(chatId, (old) => withMessage(old, '1', 'edited'));
  }
  return { chats, kept: (chatId: ChatId) => chats.getState().unsent[chatId]?.messages['1'] };
}

it('forgets what was begun in a conversation that is removed, and only that', async () => {
  const { chats, kept } = begun({ chat_remove: () => ({}) });
  await chats.remove(CHAT);
  expect(chats.getState().drafts[CHAT]).toBeUndefined();
  expect(kept(CHAT)).toBeUndefined();
  expect(chats.getState().drafts[OTHER]).toBe('draft');
  expect(kept(OTHER)).toBe('edited');
});

it('keeps what was begun when the conversation cannot be removed', async () => {
  const refusal = new CommandFailure({ code: 'internal', message: 'the disk is full', detail: null });
  const { chats, kept } = begun({ chat_remove: () => refusal });
  await chats.remove(CHAT);
  expect(chats.getState().drafts[CHAT]).toBe('draft');
  expect(kept(CHAT)).toBe('edited');
});

it('adds no text to the draft of a conversation that is read-only: it waits for another', async () => {
  const items = [
    { id: CHAT, readOnly: 'Its file is damaged.' },
    { id: OTHER, readOnly: null },
  ] as ChatSummary[];
  const { chats } = createModel(new ScriptedHost({ chat_list: () => ({ items, folder: null }) }));
  await chats.refresh();
  chats.hand(CHAT, 'one');
  chats.hand(OTHER, 'two');
  expect(chats.getState()).toMatchObject({ handed: 'one', drafts: { [OTHER]: 'two' } });
  expect(chats.getState().drafts[CHAT]).toBeUndefined();
});
