import { expect, it } from 'vitest';
import { recycleRows } from './rowRecycler';

const slotsOf = (held: Map<string, number>, rows: string): Map<string, number> =>
  recycleRows(held, rows.split('')) as Map<string, number>;

it('keeps the element of a row, and gives that of a removed row to a new one', () => {
  const first = slotsOf(new Map(), 'abcd');
  expect([...first]).toEqual(Object.entries({ a: 0, b: 1, c: 2, d: 3 }));
  const scrolled = slotsOf(first, 'cdef');
  expect(Object.fromEntries(scrolled)).toEqual({ c: 2, d: 3, e: 0, f: 1 });
  expect([...scrolled.keys()]).toEqual(['c', 'd', 'e', 'f']);
});

it('makes elements only where there are more rows than before', () => {
  const few = slotsOf(slotsOf(new Map(), 'abcd'), 'd');
  expect(Object.fromEntries(few)).toEqual({ d: 3 });
  const more = slotsOf(few, 'xdyz');
  expect(more.get('d')).toBe(3);
  expect(new Set(more.values()).size).toBe(4);
});
