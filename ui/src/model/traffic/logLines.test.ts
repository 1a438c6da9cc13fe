import { describe, expect, it } from 'vitest';
import type { BodyId, TrafficRecordResponse, TrafficRow } from '../../contract/generated';
import { formatLine, lineData, lineText, loggersIn } from './logLines';
import { row } from './trafficRows.fixture';

function record(part: Partial<TrafficRow>, inline: string | null): TrafficRecordResponse {
  const body = 'body' as BodyId;
  return {
    row: row(7, { atMs: Date.UTC(2026, 0, 2, 3, 4, 5, 6), ...part }),
    raw: { inline, body, size: inline?.length ?? 1e6, pretty: null },
    bytes: body,
    isUtf8: true,
    redactions: 0,
    violations: [],
    pair: null,
    related: [],
    http: null,
  };
}

describe('the text of a log line', () => {
  it('has neither level nor logger, which have columns of their own', () => {
    const text = (part: Partial<TrafficRow>): string => lineText(row(1, part));
    expect(text({ log: 'info', logger: 'db', summary: 'info db: a: b' })).toBe('a: b');
    expect(text({ log: 'error', summary: 'error: {"n":1}' })).toBe('{"n":1}');
    expect(text({ log: 'unknown', summary: '?: 7' })).toBe('7');
    expect(text({ log: 'stderr', summary: 'info db: a' })).toBe('info db: a');
    expect(text({ log: 'stderr', summary: '\u001b[2;36mINFO\u001b[0m a[0]' })).toBe('INFO a[0]');
    expect(text({ log: 'info', logger: 'other', summary: 'info db: a' })).toBe('info db: a');
    expect(text({ log: 'info', summary: null })).toBe('');
  });
});

describe('the data of a log line', () => {
  it('is exact, and told apart from text', () => {
    const frame = '{"params":{"level":"info","data":{"n":9007199254740993}}}';
    expect(formatLine(record({ log: 'info', logger: 'db' }, frame), 'jsonl')).toBe(
      '{"at":"2026-01-02T03:04:05.006Z","server":"everything","level":"info","logger":"db","data":{"n":9007199254740993}}',
    );
    expect(lineData(record({ log: 'info' }, '{"params":{"data":"<b>x</b>"}}'))).toEqual({
      type: 'text',
      text: '<b>x</b>',
    });
    expect(lineData(record({ log: 'stderr' }, 'a line'))).toEqual({ type: 'text', text: 'a line' });
  });

  it('is the whole record where there is none, or too much of it', () => {
    for (const inline of [null, '{"params":{}}', '{"params":[1]}', 'not JSON']) {
      expect(lineData(record({ log: 'info' }, inline))).toEqual({ type: 'record' });
    }
  });

  it('is copied as one line of text', () => {
    const line = formatLine(
      record({ log: 'error', logger: 'db' }, '{"params":{"data":{"a":[1,null]}}}'),
      'text',
    );
    expect(line).toMatch(/^\d\d:\d\d:05\.006 everything error db \{"a":\[1,null\]\}$/);
  });
});

it('the loggers of the loaded lines are offered once each', () => {
  const known = ['b', null, 'a', 'b', ''].map((logger, seq) => row(seq, { logger }));
  expect(loggersIn({ total: 7, row: (index) => known[index] })).toEqual(['a', 'b']);
});
