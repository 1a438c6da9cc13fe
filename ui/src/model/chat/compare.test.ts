import { expect, it } from 'vitest';
import type { ChatEvent, ChatId, ChatItem, ChatSummary } from '../../contract/generated';
import { ScriptedHost } from '../../host/scripted';
import { createAppEvents } from '../workspace/appEvents';
import { Link } from '../../host/link';
import { createChats, FRESH_SETTINGS } from './chats';
import { MOST_COLUMNS, createCompare, turnCostOf } from './compare';

function harness() {
  let made = 0;
  const host = new ScriptedHost({
    chat_create: () => ({ chatId: `c${(made += 1)}` as ChatId }),
    chat_send: ({ chatId }) => {
      if (chatId === 'c2') throw new Error('busy');
      return {};
    },
    chat_stop: () => ({}),
  });
  const link = new Link();
  const events = createAppEvents(host, link);
  const compare = createCompare(host, events, createChats(host, events));
  /** Says in which phase a column is. */
  const phase = (chatId: string, is: ChatSummary['phase']): void => {
    const stream = host.streams('chat_open').find(({ params }) => params.chatId === chatId);
    const summary = { id: chatId as ChatId, phase: is } as ChatSummary;
    const state: ChatEvent = {
      type: 'state',
      summary,
      settings: FRESH_SETTINGS,
      attached: [],
      total: 0,
      versions: [],
      seen: [],
    };
    stream?.emit(state);
  };
  const called = (name: string) =>
    host.calls.filter((call) => call.name === name).map(({ params }) => params);
  return { host, link, compare, phase, called };
}

it('begins with two columns, and keeps them while it is hidden', async () => {
  const { compare } = harness();
  await compare.open(FRESH_SETTINGS);
  const { columns } = compare.getState();
  expect(columns.map(({ chatId }) => chatId)).toEqual(['c1', 'c2']);
  compare.hide();
  await compare.open(FRESH_SETTINGS);
  expect(compare.getState()).toMatchObject({ isOpen: true, columns });
  for (let more = 0; more < 9; more += 1) await compare.add(FRESH_SETTINGS);
  expect(compare.getState().columns).toHaveLength(MOST_COLUMNS);
});

it('begins with two columns also if it is opened twice at once', async () => {
  const { compare } = harness();
  const opening = [compare.open(FRESH_SETTINGS)];
  const stop = compare.subscribe(({ columns }) => {
    if (columns.length !== 1) return;
    stop();
    opening.push(compare.open(FRESH_SETTINGS));
  });
  await opening[0];
  await Promise.all(opening);
  expect(compare.getState().columns).toHaveLength(2);
});

it('sends to the columns that are idle, and keeps a prompt that none took', async () => {
  const { compare, phase, called } = harness();
  await compare.open(FRESH_SETTINGS);
  compare.write('hi');
  phase('c1', 'answering');
  phase('c2', 'idle');
  await compare.send();
  expect(called('chat_send')).toEqual([{ chatId: 'c2', text: 'hi' }]);
  expect(compare.getState().prompt).toBe('hi');
  expect(compare.getState().columns[1]?.getState().error?.message).toBe('busy');
  phase('c1', 'idle');
  await compare.send();
  expect(compare.getState().prompt).toBe('');
  phase('c1', 'answering');
  compare.stop();
  expect(called('chat_stop')).toEqual([{ chatId: 'c1' }]);
});

it('waits for a column that is still opened, and sends once', async () => {
  const { compare, phase, called } = harness();
  const opening = compare.open(FRESH_SETTINGS);
  compare.write('hi');
  const sending = [compare.send(), compare.send()];
  await opening;
  await compare.add(FRESH_SETTINGS);
  await compare.add(FRESH_SETTINGS);
  phase('c1', 'idle');
  await Promise.resolve();
  expect(called('chat_send')).toEqual([]);
  expect(compare.getState().isSending).toBe(true);
  // One that is taken away is not waited for.
  compare.remove('c2' as ChatId);
  phase('c3', 'idle');
  phase('c4', 'idle');
  await Promise.all(sending);
  expect(called('chat_send')).toContainEqual({ chatId: 'c1', text: 'hi' });
  expect(called('chat_send')).not.toContainEqual({ chatId: 'c2', text: 'hi' });
  const sent = called('chat_send').map((params) => JSON.stringify(params));
  expect(new Set(sent).size).toBe(sent.length);
  expect(compare.getState()).toMatchObject({ prompt: '', isSending: false });
});

it('takes a column away without ending its conversation', async () => {
  const { compare, host, called } = harness();
  await compare.open(FRESH_SETTINGS);
  compare.remove('c1' as ChatId);
  expect(compare.getState().columns.map(({ chatId }) => chatId)).toEqual(['c2']);
  expect(host.streams('chat_open')[0]?.closed).toBe(true);
  expect(called('chat_remove')).toEqual([]);
});

it('opens its columns again after the link was lost, also while something else is shown', async () => {
  const { host, link, compare } = harness();
  await compare.open(FRESH_SETTINGS);
  compare.hide();
  const lost = host.streams('chat_open');
  for (const stream of lost) stream.end();
  link.set('lost');
  link.set('up');
  const again = host.streams('chat_open').filter((stream) => !lost.includes(stream));
  expect(again.map(({ params, closed }) => [params.chatId, closed])).toEqual([
    ['c1', false],
    ['c2', false],
  ]);
});

it('adds up what the newest turn took', () => {
  const user = { type: 'user', id: '1', atMs: 1_000, content: [], from: null };
  const answer = (atMs: number, tookMs: number, tokens: number | null) => ({
    type: 'answer',
    atMs,
    tookMs,
    inputTokens: tokens,
    outputTokens: tokens,
  });
  const call = (alias: string, durationMs: number | null) => ({
    type: 'call',
    call: { alias, atMs: 1_500, durationMs },
  });
  const items = [
    answer(1, 9_000, 99),
    user,
    answer(1_000, 400, 10),
    call('a', 100),
    call('b', null),
    call('a', 2_000),
    answer(3_600, 400, null),
  ] as unknown as ChatItem[];
  expect(turnCostOf(items)).toEqual({
    ms: 3_000,
    inputTokens: 10,
    outputTokens: 10,
    answers: 2,
    calls: [
      { alias: 'a', count: 2 },
      { alias: 'b', count: 1 },
    ],
  });
  expect(turnCostOf([])).toBeNull();
});
