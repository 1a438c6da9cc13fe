import { expect, it } from 'vitest';
import type { ChatCall, ChatItem, Seq, ServerId } from '../../contract/generated';
import { row } from '../traffic/trafficRows.fixture';
import { type Step, recordsOf, turnsOf } from './operations';
import { treeKey, treeRows } from './tree';

const seq = (number: number): Seq => String(number) as Seq;

function user(id: string, text: string, from: string | null = null): ChatItem {
  const content = { type: 'text' as const, text: { inline: text, bodyId: null, size: text.length } };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- only what is read
  return { type: 'user', id, atMs: 1_000, content: [content], from } as unknown as ChatItem;
}

function answer(id: string, atMs: number, record: number | null): ChatItem {
  return {
    type: 'answer',
    id,
    atMs,
    by: 'model',
    byModel: true,
    text: null,
    thinking: null,
    calls: 0,
    stopReason: null,
    incomplete: null,
    inputTokens: 1_200,
    outputTokens: 30,
    tookMs: 100,
    seq: record === null ? null : seq(record),
    masked: null,
  };
}

function call(id: string, atMs: number, record: number | null, part: Partial<ChatCall> = {}): ChatItem {
  return {
    type: 'call',
    call: {
      id,
      atMs,
      alias: 'greet',
      serverId: 's1' as ServerId,
      serverName: 'everything',
      tool: 'greet',
      hints: { readOnly: null, destructive: null, idempotent: null, openWorld: null },
      argumentsJson: '{}',
      editedJson: null,
      problems: [],
      notChecked: null,
      state: 'done',
      askedBecause: null,
      definitionChanged: false,
      decidedBy: null,
      progress: null,
      exchangeId: null,
      requestSeq: record === null ? null : seq(record),
      responseSeq: null,
      durationMs: 50,
      result: null,
      error: null,
      cutFrom: null,
      masked: null,
      carried: [],
      comparedInPart: false,
      ...part,
    },
  };
}

const outline = (steps: readonly Step[]): unknown[] =>
  steps.map(({ kind, title, steps: below }) =>
    below.length === 0 ? `${kind} ${title}` : [`${kind} ${title}`, ...outline(below)],
  );

it('puts calls below the answer that makes them, and answers below the message of the user', () => {
  const items = [
    user('1', 'from a prompt', 'p'),
    user('2', 'What is\n up?'),
    answer('3', 1_100, 7),
    call('4', 1_200, 8),
    call('5', 1_200, null),
    answer('6', 1_400, 9),
    user('7', 'Next'),
  ];
  const turns = turnsOf(items, []);
  expect(outline(turns)).toEqual([
    ['turn What is up?', ['answer model', 'call greet', 'call greet'], 'answer model'],
    'turn Next',
  ]);
  expect(turns[0]).toMatchObject({ startMs: 1_000, durationMs: 500 });
  expect(turns[0]?.steps[0]?.facts).toBe('1,200 tokens in, 30 out');
});

it('takes the time of a call from its record: the user may have taken a while to let it run', () => {
  const sent = row(8, { kind: 'request', direction: 'clientToServer', atMs: 9_000 });
  const items = [user('1', 'a'), answer('2', 1_100, 7), call('3', 1_200, 8)];
  expect(turnsOf(items, [sent])[0]?.steps[0]?.steps[0]).toMatchObject({ startMs: 9_000, durationMs: 50 });
});

it('puts a request of a server below the call that ran there at the time', () => {
  const sent = [8, 9].map((at) =>
    row(at, { kind: 'request', direction: 'clientToServer', atMs: at * 1_000 }),
  );
  const asked = (at: number, part = {}) =>
    row(at, { kind: 'request', method: 'sampling/createMessage', ...part });
  const items = [
    user('1', 'a'),
    answer('2', 1_100, 7),
    call('3', 1_200, 8, { durationMs: 500 }),
    call('4', 1_200, 9, { durationMs: null, state: 'running' }),
  ];
  const inFirst = asked(20, { atMs: 8_100 });
  const inSecond = asked(21, { atMs: 9_900 });
  const between = asked(22, { atMs: 8_600 });
  const elsewhere = asked(23, { atMs: 8_100, serverId: 's2' as ServerId });
  const turns = turnsOf(items, [...sent, inFirst, inSecond, between, elsewhere]);
  const calls = turns[0]?.steps[0]?.steps ?? [];
  expect(calls.map(({ steps }) => steps.map((each) => each.seq))).toEqual([['20'], ['21']]);
});

it('finds one record of each turn, the newest turns first and no more than asked for', () => {
  const items = [
    user('1', 'a'),
    answer('2', 1, 7),
    call('3', 1, 8),
    user('4', 'b'),
    answer('5', 1, null),
    user('6', 'c'),
    answer('7', 1, 9),
  ];
  expect(recordsOf(items, 9)).toEqual(['9', '7']);
  expect(recordsOf(items, 1)).toEqual(['9']);
});

it('walks the tree by keys', () => {
  const turns = turnsOf(
    [user('1', 'a'), answer('2', 1, 7), call('3', 1, 8), user('4', 'b'), answer('5', 1, 9)],
    [],
  );
  const rows = treeRows(turns, ({ id }) => id !== 'turn 4');
  expect(rows.map(({ level, isOpen, place, count }) => [level, isOpen, place, count])).toEqual([
    [1, true, 1, 2],
    [2, true, 1, 1],
    [3, undefined, 1, 1],
    [1, false, 2, 2],
  ]);
  expect(treeKey(rows, 0, 'ArrowRight')).toEqual({ type: 'move', to: 1 });
  expect(treeKey(rows, 0, 'ArrowLeft')).toEqual({ type: 'toggle', isOpen: false });
  expect(treeKey(rows, 0, 'ArrowUp')).toEqual({ type: 'move', to: 0 });
  expect(treeKey(rows, 2, 'ArrowRight')).toBeNull();
  expect(treeKey(rows, 2, 'ArrowLeft')).toEqual({ type: 'move', to: 1 });
  expect(treeKey(rows, 3, 'ArrowRight')).toEqual({ type: 'toggle', isOpen: true });
  expect(treeKey(rows, 3, 'ArrowLeft')).toBeNull();
  expect(treeKey(rows, 3, 'ArrowDown')).toEqual({ type: 'move', to: 3 });
  expect(treeKey(rows, 1, 'End')).toEqual({ type: 'move', to: 3 });
  expect(treeKey(rows, 1, 'x')).toBeNull();
});
