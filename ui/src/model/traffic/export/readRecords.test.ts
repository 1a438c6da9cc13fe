import { expect, it } from 'vitest';
import type { Seq, TrafficRecordResponse } from '../../../contract/generated';
import { ScriptedHost } from '../../../host/scripted';
import { readRecords } from './readRecords';
import { recordText } from './recordText';
import { row, rows } from '../trafficRows.fixture';

/** A log of these many records, each with this text. */
function hostOf(count: number, text: string, inline = true): ScriptedHost {
  const stored = rows(1, count);
  const host: ScriptedHost = new ScriptedHost({
    traffic_rows: ({ offset, limit }) => ({ rows: stored.slice(offset, offset + limit), total: count }),
    traffic_record: ({ seq }) => record(seq, text, inline, host),
  });
  return host;
}

function record(seq: Seq, text: string, inline: boolean, host: ScriptedHost): TrafficRecordResponse {
  return {
    row: row(Number(seq), { direction: 'clientToServer', method: 'ping' }),
    raw: {
      inline: inline ? text : null,
      body: host.setBody(`raw-${seq}`, text),
      size: text.length,
      pretty: host.setBody('pretty', text),
    },
    bytes: host.setBody('bytes', text),
    isUtf8: true,
    redactions: 0,
    violations: [],
    pair: null,
    related: [],
    http: null,
  };
}

it('reads exactly the records of the range, over the pages of the engine', async () => {
  const host = hostOf(1_300, '{}');
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
    const host = hostOf(1, '{"method":"ping"}\n', inline);
    const text = await readRecords(host, { filter: '' }, { first: 0, last: 0 }, recordText);
    expect(text).toMatch(/^\d\d:\d\d:\d\d\.\d{3} \S+ → ping \{"method":"ping"\}\n$/);
  }
});

it('refuses what is too long for the clipboard before it is read', async () => {
  const host = hostOf(40, 'x'.repeat(1_000_000));
  await expect(readRecords(host, { filter: '' }, { first: 0, last: 39 }, recordText)).rejects.toThrow(
    'more than 16 MB',
  );
});
