import { expect, it } from 'vitest';
import type {
  ChatCall,
  ChatCallState,
  ChatEvent,
  ChatId,
  ChatItem,
  ContentItem,
  ErrorCode,
  ExchangeId,
} from '../../contract/generated';
import { CommandFailure } from '../../host/host';
import { ScriptedHost } from '../../host/scripted';
import { NOTHING, apply, lastWritten, openConversation, textOf } from './conversation';
import { skeletonOf } from './skeleton';
import { NO_TEXT, grown } from './streamed';

function notice(id: string, cause: string): ChatItem {
  return { type: 'notice', id, atMs: 0, kind: 'stopped', cause, next: '', seq: null };
}

it('replaces items in their place and adds new ones at the end', () => {
  const first = apply(NOTHING, { type: 'items', items: [notice('1', 'a'), notice('2', 'b')] });
  const second = apply(first, { type: 'items', items: [notice('1', 'A'), notice('3', 'c')] });
  expect(second.items).toEqual([notice('1', 'A'), notice('2', 'b'), notice('3', 'c')]);
  expect(second.items[1]).toBe(first.items[1]);
});

it('takes away what another branch does not have', () => {
  const old = apply(NOTHING, {
    type: 'items',
    items: [notice('1', 'a'), notice('2', 'b'), notice('3', 'c')],
  });
  const cut = apply(old, { type: 'branch', stay: 1 });
  expect(cut.items).toEqual([notice('1', 'a')]);
  const other = apply(cut, { type: 'items', items: [notice('4', 'd')] });
  expect(other.items).toEqual([notice('1', 'a'), notice('4', 'd')]);
});

it('has an answer once when it becomes an item before its end is told', () => {
  const answer = (atMs: number) => ({ type: 'answer', id: '1', by: 'm', atMs }) as ChatItem;
  const live = apply(NOTHING, { type: 'live', by: 'm', atMs: 5 });
  const other = apply(live, { type: 'items', items: [answer(4), notice('2', 'a')] });
  expect(other.live).toBe(live.live);
  expect(apply(live, { type: 'items', items: [answer(5)] }).live).toBeNull();
});

it('finds the last message of the user, and its text unless a part was left out', () => {
  const text = (inline: string | null) =>
    ({ type: 'text', text: { inline, body: 'b', size: 1, pretty: null } }) as unknown as ContentItem;
  const user = (id: string, from: string | null, ...content: ContentItem[]) => ({
    type: 'user' as const,
    id,
    atMs: 0,
    content,
    from,
    servers: [],
    masked: null,
  });
  const items = [
    user('1', null, text('a'), text('b')),
    user('2', 'the prompt x', text('c')),
    notice('3', 'd'),
  ];
  expect(lastWritten(items)).toBe('1');
  expect(lastWritten([])).toBeNull();
  expect(textOf(user('1', null, text('a'), text('b')))).toBe('a\nb');
  expect(textOf(user('1', null, text('a'), text(null)))).toBeNull();
});

it('adds what arrives to the live answer, and drops it when the answer has ended', () => {
  const begun = apply(NOTHING, { type: 'live', by: 'm', atMs: 5 });
  const more = { type: 'liveMore' as const, text: 'Hel', thinking: '', calls: [] };
  const live = apply(apply(begun, more), { ...more, text: 'lo' });
  expect(live.live).toMatchObject({ by: 'm', atMs: 5, text: 'Hello', thinking: '', calls: [] });
  expect(apply(live, { type: 'live', by: null, atMs: 0 }).live).toBeNull();
  expect(apply(NOTHING, more)).toBe(NOTHING);
});

it('shows why a command was refused', async () => {
  const host = new ScriptedHost({
    chat_send: () => {
      throw new Error('busy');
    },
  });
  const conversation = openConversation(host, 'c' as ChatId);
  expect(await conversation.run('chat_send', { text: 'hi' })).toBe(false);
  expect(conversation.getState().error?.message).toBe('busy');
  conversation.close();
});

it('splits a streamed text at blank lines outside of code, the same however it arrives', () => {
  const texts: [string, string[]][] = [
    ['a\n\nb\nc\n\n\nd', ['a\n', 'b\nc\n', 'd']],
    ['```js\na\n\nb\n```\n\nc', ['```js\na\n\nb\n```\n', 'c']],
    ['', []],
    ['````\n```\n\nx', ['````\n```\n\nx']],
    ['a\n\n', ['a\n']],
  ];
  for (const [text, wanted] of texts) {
    for (const step of [1, 2, 3, 100]) {
      let streamed = NO_TEXT;
      for (let end = 0; end < text.length + step; end += step) streamed = grown(streamed, text.slice(0, end));
      const rest = text.slice(streamed.begin);
      expect([...streamed.complete, ...(rest === '' ? [] : [rest])], text).toEqual(wanted);
    }
  }
  // Another answer begins from its start.
  expect(grown(grown(NO_TEXT, 'a\n\nb'), 'x').complete).toEqual([]);
});

it('is loaded when all that it had has come, in however many parts', () => {
  const state = {
    type: 'state',
    summary: {},
    settings: {},
    attached: [],
    versions: [],
  } as unknown as Extract<ChatEvent, { type: 'state' }>;
  expect(apply(NOTHING, { ...state, total: 0 }).isLoaded).toBe(true);
  const begun = apply(NOTHING, { ...state, total: 2 });
  const half = apply(begun, { type: 'items', items: [notice('1', 'a')] });
  expect(half.isLoaded).toBe(false);
  const whole = apply(half, { type: 'items', items: [notice('2', 'b')] });
  expect(whole.isLoaded).toBe(true);
  // What is new later comes after its number.
  expect(apply(whole, { ...state, total: 3 }).isLoaded).toBe(true);
});

it('starts the arguments of a call with what the schema requires', () => {
  const schema = {
    type: 'object',
    properties: { text: { type: 'string' }, n: { type: 'integer', default: 3 }, kind: { enum: ['a', 'b'] } },
    required: ['text', 'n', 'kind', 'other'],
  };
  const given = JSON.stringify({ name: 't', inputSchema: schema });
  expect(skeletonOf(given)).toBe('{"text":"","n":3,"kind":"a","other":null}');
  // Numbers stay as they are written.
  expect(skeletonOf(given.replace('3', '9007199254740993'))).toContain('"n":9007199254740993,');
  expect(skeletonOf(given.replace('3', '{"price":1.10}'))).toContain('"n":{"price":1.10},');
  expect(skeletonOf(given.replace(',"default":3', ''))).toContain('"n":0,');
  expect(skeletonOf('{')).toBe('{}');
});

/** A call, with a result if it has ended. */
function callItem(id: string, state: ChatCallState): ChatItem {
  const result = state === 'done' ? { isError: false, content: [], structured: null } : null;
  return { type: 'call', call: { id, state, result } as unknown as ChatCall };
}

it('shows the apps of calls that have just ended, until the user says something', () => {
  const message: ChatItem = {
    type: 'user',
    id: '9',
    atMs: 0,
    content: [],
    from: null,
    servers: [],
    masked: null,
  };
  const opened = apply({ ...NOTHING, expected: 1 }, { type: 'items', items: [callItem('1', 'done')] });
  expect(opened.apps).toEqual([]);
  const running = apply(opened, {
    type: 'items',
    items: [callItem('2', 'waiting'), callItem('3', 'running')],
  });
  const ended = apply(running, { type: 'items', items: [callItem('2', 'done'), callItem('3', 'done')] });
  expect(ended.apps).toEqual(['2', '3']);
  // One more word about a call that has ended changes nothing.
  expect(apply({ ...ended, apps: [] }, { type: 'items', items: [callItem('3', 'done')] }).apps).toEqual([]);
  expect(apply(ended, { type: 'branch', stay: 2 }).apps).toEqual(['2']);
  expect(apply(ended, { type: 'items', items: [message] }).apps).toEqual([]);
  const many = Array.from({ length: 9 }, (_, at) => `${10 + at}`);
  const busy = apply(ended, { type: 'items', items: many.map((id) => callItem(id, 'running')) });
  const all = apply(busy, { type: 'items', items: many.map((id) => callItem(id, 'done')) });
  // Which of them have an app is not known here.
  expect(all.apps).toEqual(['2', '3', ...many]);
});

it('ends the app that began first when a fifth begins', () => {
  const conversation = openConversation(new ScriptedHost(), 'c' as ChatId);
  for (const id of ['1', '2', '3', '4', '5', '6']) conversation.showApp(id, true);
  for (const id of ['1', '3', '4', '5']) conversation.appBegan(id);
  expect(conversation.getState().apps).toEqual(['1', '2', '3', '4', '5', '6']);
  // One that is shown again is the newest.
  conversation.appBegan('1');
  conversation.appBegan('6');
  expect(conversation.getState().apps).toEqual(['1', '2', '4', '5', '6']);
  // One that was closed no longer counts.
  conversation.showApp('4', false);
  conversation.appBegan('2');
  expect(conversation.getState().apps).toEqual(['1', '2', '5', '6']);
  conversation.close();
});

it('shows and ends an app on demand', () => {
  const conversation = openConversation(new ScriptedHost(), 'c' as ChatId);
  conversation.showApp('1', true);
  conversation.showApp('2', true);
  conversation.showApp('1', false);
  expect(conversation.getState().apps).toEqual(['2']);
  conversation.close();
});

it('begins a turn with the settings that are shown: it waits until the engine has them', async () => {
  let take = () => {};
  const host = new ScriptedHost({
    chat_settings_set: () =>
      new Promise((resolve) => {
        take = () => resolve({});
      }),
    chat_send: () => ({}),
  });
  const conversation = openConversation(host, 'c' as ChatId);
  host.stream('chat_open').emit({
    type: 'state',
    summary: {},
    settings: { maxTokens: 1 },
    attached: [],
    versions: [],
    seen: [],
    total: 0,
  } as unknown as ChatEvent);
  const changed = conversation.set({ maxTokens: 2 });
  const sent = conversation.run('chat_send', { text: 'hi' });
  await Promise.resolve();
  await Promise.resolve();
  expect(host.calls.map(({ name }) => name)).toEqual(['chat_settings_set']);
  take();
  expect(await changed).toBe(true);
  expect(await sent).toBe(true);
  expect(host.calls.map(({ name }) => name)).toEqual(['chat_settings_set', 'chat_send']);
  conversation.close();
});

it('gives a command once that is given again while it is under way', async () => {
  const taken: (() => void)[] = [];
  const host = new ScriptedHost({
    chat_edit: () => new Promise((resolve) => void taken.push(() => resolve({}))),
  });
  const conversation = openConversation(host, 'c' as ChatId);
  const edit = (text: string) => conversation.run('chat_edit', { item: '1', text });
  const first = [edit('new'), edit('new')];
  await Promise.resolve();
  await Promise.resolve();
  for (const take of taken.splice(0)) take();
  expect(await Promise.all(first)).toEqual([true, true]);
  expect(host.calls).toHaveLength(1);
  expect(conversation.getState()).toMatchObject({ turns: 1, error: null });
  const again = edit('new');
  await Promise.resolve();
  await Promise.resolve();
  for (const take of taken) take();
  expect(await again).toBe(true);
  expect(host.calls).toHaveLength(2);
  conversation.close();
});

it('shows why a call cannot be cancelled, unless it has ended', async () => {
  let code: ErrorCode = 'notFound';
  const host = new ScriptedHost({
    exchange_cancel: () => {
      throw new CommandFailure({ code, message: 'Not done.', detail: null });
    },
  });
  const conversation = openConversation(host, 'c' as ChatId);
  await conversation.cancelCall('7' as ExchangeId);
  expect(conversation.getState().error).toBeNull();
  code = 'internal';
  await conversation.cancelCall('7' as ExchangeId);
  expect(conversation.getState().error?.message).toBe('Not done.');
  expect(host.calls.at(-1)).toEqual({ name: 'exchange_cancel', params: { exchangeId: '7' } });
});
