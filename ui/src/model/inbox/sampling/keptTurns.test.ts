import { expect, it } from 'vitest';
import { keptAfter, keptIn, turnKey } from './keptTurns';

const remove = (turn: number) => ({ type: 'removeTurn', turn }) as const;

it('messages keep their names when others are removed', () => {
  const all = keptIn('0123', '0123', undefined);
  const two = keptAfter(keptAfter(all, remove(2), '013'), remove(0), '13');
  expect([0, 1].map((at) => turnKey(two, at))).toEqual([1, 3].map((at) => turnKey(all, at)));
  const one = keptAfter(two, remove(0), '3');
  expect(turnKey(one, 0)).toBe(turnKey(all, 3));
  const edited = keptAfter(one, { type: 'turnText', turn: 0, block: 0, text: 'x' }, 'x');
  expect([edited.text, turnKey(edited, 0)]).toEqual(['x', turnKey(all, 3)]);
});

it('what was removed is known of one text only', () => {
  const kept = keptAfter(keptIn('01', '01', undefined), remove(0), '1');
  expect(keptIn('1', '01', kept)).toBe(kept);
  expect(keptIn('01', '01', kept)).toEqual({ text: '01', base: 'received', removed: [] });
  // Nobody knows which messages a text has that was edited as JSON.
  expect(keptIn('2', '01', kept)).toEqual({ text: '2', base: 'edited', removed: [] });
});
