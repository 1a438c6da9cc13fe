import { expect, it } from 'vitest';
import { readRecords } from './readRecords';
import { recordText } from './recordText';
import { logHost } from '../trafficRows.fixture';

it('reads exactly the records of the range, over the pages of the engine', async () => {
  const host = logHost(1_300, () => '{}');
  const text = await readRecords(
    host,
    { filter: 'x' },
    { first: 100, last: 1_199 },
    ({ row: { seq } }) => seq,
  );
  const lines = text.split('\n');
  expect(lines.length).toBe(1_101);
  expect([lines[0], lines[1_099], lines[1_100]]).toEqual(['101', '1200', '']);
});

it('writes when, who and what before the message, also before one that is stored apart', async () => {
  for (const inline of [true, false]) {
    const host = logHost(1, () => '{"method":"ping"}\n', inline);
    const text = await readRecords(host, { filter: '' }, { first: 0, last: 0 }, recordText);
    expect(text).toMatch(/^\d\d:\d\d:\d\d\.\d{3} \S+ → ping \{"method":"ping"\}\n$/);
  }
});

it('refuses what is too long for the clipboard before it is read', async () => {
  const host = logHost(40, () => 'x'.repeat(1_000_000));
  await expect(readRecords(host, { filter: '' }, { first: 0, last: 39 }, recordText)).rejects.toThrow(
    'more than 16 MB',
  );
});
