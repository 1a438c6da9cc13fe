import { describe, expect, it } from 'vitest';
import { quickDiff } from './quickDiff';

/** The second text, made from the first and the changes. */
function applied(before: string, after: string): string {
  let at = 0;
  let text = '';
  for (const { fromA, toA, fromB, toB } of quickDiff(before, after)) {
    expect(fromA).toBeGreaterThanOrEqual(at);
    text += before.slice(at, fromA) + after.slice(fromB, toB);
    at = toA;
  }
  return text + before.slice(at);
}

/** Numbers that look random, and are the same in every run. */
function* numbers(seed: number, below: number): Generator<number> {
  for (let state = seed; ;) {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    yield Math.floor((state / 2_147_483_648) * below);
  }
}

const lines = (count: number, of: (at: number) => string): string =>
  Array.from({ length: count }, (_, at) => `${of(at)}\n`).join('');

describe('what differs between two texts', () => {
  it.each([
    ['', ''],
    ['', 'a'],
    ['a', ''],
    ['same', 'same'],
    ['a\nb\nc\n', 'a\nx\nc\n'],
    ['😀a', '😁a'],
  ])('%j and %j', (before, after) => expect(applied(before, after)).toBe(after));

  it('is what was changed, in a long text too', () => {
    const before = lines(40_000, (at) => `line ${at}`);
    const after = before.replace('line 70\n', '').replace('line 20000\n', 'line twenty\n');
    expect(applied(before, after)).toBe(after);
    const changes = quickDiff(before, after);
    expect(
      changes.reduce((sum, { fromA, toA, fromB, toB }) => sum + toA - fromA + toB - fromB, 0),
    ).toBeLessThan(25);
  });

  it('is what was changed in a long line', () => {
    const before = Array.from({ length: 10_000 }, (_, at) => `word${at}`).join(' ');
    const after = before.replace('word100 ', '').replace('word9000 ', 'other ');
    expect(applied(before, after)).toBe(after);
    expect(quickDiff(before, after).length).toBeLessThan(8);
  });

  it.each([3, 50, 5_000])('is right for random lines of %i kinds', (kinds) => {
    const [one, other] = [numbers(1, kinds), numbers(2, kinds)];
    const before = lines(4_000, () => `${one.next().value}`);
    const after = lines(4_000, (at) => `${(at % 3 === 0 ? other : one).next().value}`);
    expect(applied(before, after)).toBe(after);
  });
});

// The library compared a repeated text with itself at each of its places: 64 kB took a second, and a megabyte minutes.
it.each([
  ['brackets', '[]'],
  ['one letter', 'a'],
  ['one line', '{}\n'],
  ['two lines', 'a\nb\n'],
  ['spaces', ' '],
  ['words', 'a b-'],
])('takes a bounded time for a megabyte of %s', (_, unit) => {
  const before = unit.repeat(1_000_000 / unit.length);
  const started = performance.now();
  for (const after of [
    `${before.slice(1)}x`,
    `x${before.slice(0, -7)}y`,
    before.slice(0, 400_000) + before.slice(0, 500_001),
  ]) {
    expect(applied(before, after)).toBe(after);
  }
  expect(performance.now() - started).toBeLessThan(20_000);
});

it('has a bounded number of changes', () => {
  const before = lines(100_000, (at) => `${at}`);
  const after = lines(100_000, (at) => (at % 2 === 0 ? `${at}` : 'x'));
  expect(applied(before, after)).toBe(after);
  expect(quickDiff(before, after)).toHaveLength(2_000);
});
