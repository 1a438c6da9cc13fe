import { expect, it } from 'vitest';
import { logHost, rows } from '../trafficRows.fixture';
import { comparedRecords } from './comparedRecords';

it('compares the first and the last record, with keys in the same order', async () => {
  const host = logHost(9, (seq) => (seq === '4' ? '{"b":1,"a":2}' : '{"a":2,"b":3}'));
  const [before, after] = await comparedRecords(host, { filter: '' }, { first: 3, last: 5 });
  expect(before.text.replaceAll(/\s/g, '')).toBe('{"a":2,"b":1}');
  expect(after.text.replaceAll(/\s/g, '')).toBe('{"a":2,"b":3}');
  expect([before.isJson, after.isCut]).toEqual([true, false]);
  expect([before.title.slice(0, 5), after.title.slice(0, 5)]).toEqual(['#4 · ', '#6 · ']);
  expect(before.title).toContain(' · ping · ');
});

it('takes the rows that are shown where they are sorted', async () => {
  const host = logHost(100, (seq) => `"${seq}"`);
  const sorted = rows(1, 100).toReversed();
  const from = { filter: '', log: { row: (index: number) => sorted[index] }, isSorted: true };
  const sides = await comparedRecords(host, from, { first: 0, last: 9 });
  expect(sides.map(({ text }) => text.trim())).toEqual(['"100"', '"91"']);
});

it('rejects when a record is gone', async () => {
  const gone = comparedRecords(
    logHost(1, () => ''),
    { filter: '' },
    { first: 0, last: 1 },
  );
  await expect(gone).rejects.toThrow('no longer in the log');
});
