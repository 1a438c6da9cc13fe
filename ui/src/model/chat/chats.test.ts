import { expect, it } from 'vitest';
import type { ChatId, ChatItem, ChatSummary } from '../../contract/generated';
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

/** A message with a text, which may be too long to be here, and with what is attached to it. */
function message(id: string, text: object, ...attached: string[]): Extract<ChatItem, { type: 'user' }> {
  const content = [...attached.map((type) => ({ type })), { type: 'text', text }];
  return { type: 'user', id, atMs: 0, content, from: null, servers: [], masked: null } as never;
}

function forking() {
  const host = new ScriptedHost({ chat_fork: () => ({ chatId: OTHER }) });
  const { chats } = createModel(host);
  const forked = () => host.calls.filter(({ name }) => name === 'chat_fork').map(({ params }) => params);
  return { host, chats, forked };
}

it('takes the text of a message to the fork as its draft, however long it is', async () => {
  const { host, chats, forked } = forking();
  const item = message('3', { inline: null, body: host.setBody('long', 'too long to be here') });
  expect(await chats.forkAt(CHAT, [item], item)).toBe(OTHER);
  expect(forked()).toEqual([{ chatId: CHAT, before: '3' }]);
  expect(chats.getState().drafts[OTHER]).toBe('too long to be here');
});

it('takes a message with attachments to the fork, and edits it there', async () => {
  const { chats, forked } = forking();
  const items = [message('3', { inline: 'first' }, 'resource'), message('4', { inline: 'last' }, 'image')];
  const [first, last] = items;
  await chats.forkAt(CHAT, items, first!);
  await chats.forkAt(CHAT, items, last!);
  expect(forked()).toEqual([
    { chatId: CHAT, before: '4' },
    { chatId: CHAT, before: null },
  ]);
  const { unsent, drafts, wanted } = chats.getState();
  expect(unsent[OTHER]?.messages).toEqual({ '3': 'first', '4': 'last' });
  expect(wanted).toEqual({ chatId: OTHER, item: '4' });
  expect(drafts[OTHER]).toBeUndefined();
});

it('does not fork a conversation whose text cannot be read, and says why', async () => {
  const { chats, forked } = forking();
  const item = message('3', { inline: null, body: 'gone' });
  expect(await chats.forkAt(CHAT, [item], item)).toBeNull();
  expect(chats.getState().error?.message).toBe('no body gone');
  expect(forked()).toEqual([]);
});
