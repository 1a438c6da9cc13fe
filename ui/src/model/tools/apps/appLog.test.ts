import { expect, test } from 'vitest';
import type { ServerId } from '../../../contract/generated';
import { LONGEST_TEXT, MOST_MESSAGES, createAppLog } from './appLog';

const MESSAGE = {
  serverId: 's' as ServerId,
  uri: 'ui://a',
  kind: 'console',
  subject: 'log',
  tone: null,
} as const;

test('the newest messages are kept, and the others counted', () => {
  const log = createAppLog(() => 7);
  for (let i = 0; i < MOST_MESSAGES + 3; i += 1) log.add({ ...MESSAGE, text: String(i) });
  const { messages, forgotten } = log.getState();
  expect(messages).toHaveLength(MOST_MESSAGES);
  expect(messages[0]?.text).toBe('3');
  expect(messages.at(-1)).toMatchObject({ text: String(MOST_MESSAGES + 2), atMs: 7 });
  expect(forgotten).toBe(3);
  log.clear();
  expect(log.getState()).toEqual({ messages: [], forgotten: 0 });
});

test('a long text is cut off', () => {
  const log = createAppLog(() => 0);
  log.add({ ...MESSAGE, text: 'x'.repeat(LONGEST_TEXT + 10) });
  expect(log.getState().messages[0]?.text).toBe(`${'x'.repeat(LONGEST_TEXT)}…`);
});
