import { expect, it } from 'vitest';
import type { ChatCall, ChatItem } from '../../contract/generated';
import { inWords, namesOf, seenBy } from './flow';

/* oxlint-disable typescript/no-unsafe-type-assertion -- only what is read */
const user = (id: string): ChatItem => ({ type: 'user', id }) as unknown as ChatItem;
const answer = (id: string): ChatItem => ({ type: 'answer', id }) as unknown as ChatItem;
const call = (id: string, part: Partial<ChatCall>): ChatItem =>
  ({
    type: 'call',
    call: { id, alias: 'post', serverName: 'B', state: 'done', requestSeq: '9', carried: [], ...part },
  }) as unknown as ChatItem;
/* oxlint-enable typescript/no-unsafe-type-assertion */

const carried = (item: string, excerpt: string) => ({
  item,
  serverId: null,
  serverName: '',
  excerpt,
  crosses: false,
});

it('says which models were sent an item: everything before what they were sent', () => {
  const items = [user('1'), answer('2'), user('5'), answer('6')];
  const seen = [
    { by: 'a', upTo: '6' },
    { by: 'b', upTo: '1' },
  ];
  expect(seenBy('1', items, seen).models).toEqual(['a', 'b']);
  expect(seenBy('2', items, seen).models).toEqual(['a']);
  expect(seenBy('6', items, seen).models).toEqual(['a']);
  expect(seenBy('7', items, seen).models).toEqual([]);
  expect(seenBy('1', items, [{ by: 'c', upTo: '99' }]).models).toEqual([]);
});

it('says which servers got a part of an item in a call that was sent', () => {
  const parts = { carried: [carried('1', 'secret-plan-7')] };
  const items = [
    user('1'),
    call('2', parts),
    call('3', { ...parts, state: 'denied' }),
    call('4', { ...parts, state: 'failed', requestSeq: null }),
    call('5', { ...parts, serverName: 'C', state: 'interrupted' }),
  ];
  const by = seenBy('1', items, [{ by: 'm', upTo: '5' }]);
  expect(namesOf(by)).toEqual(['m', 'B', 'C']);
  expect(inWords(by)).toBe(
    'm received it.\nA request cuts long results and may have words in place of media: see “Request” at the answer.\nB received “secret-plan-7” in a call to post.\nC received “secret-plan-7” in a call to post.',
  );
  expect(inWords(seenBy('9', items, []))).toBe('');
});
