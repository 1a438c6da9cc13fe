import { describe, expect, it } from 'vitest';
import { MAX_CSV_COLUMNS, MAX_CSV_ROWS, parseCsv } from './csv';

describe('parseCsv', () => {
  it.each([
    [
      'a,b\r\n1,2\r\n',
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ],
    ['"a,1","b ""x""","line\nbreak"', [['a,1', 'b "x"', 'line\nbreak']]],
    [
      'a;b;c\n1;2,5;3',
      [
        ['a', 'b', 'c'],
        ['1', '2,5', '3'],
      ],
    ],
    [
      'a\tb\n1\t2',
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ],
    [
      'a,\n,b',
      [
        ['a', ''],
        ['', 'b'],
      ],
    ],
    ['a,', [['a', '']]],
    ['"never closed, ', [['never closed, ']]],
    ['"a"b,c', [['ab', 'c']]],
    ['"a""""b"""c', [['a""b"c']]],
    ['"a""', [['a"']]],
    ['\uFEFFa', [['a']]],
    ['', []],
  ])('%j', (text, rows) => {
    expect(parseCsv(text).rows).toEqual(rows);
  });

  it('stops at its bounds', () => {
    const long = parseCsv('x\n'.repeat(MAX_CSV_ROWS + 1));
    expect([long.rows.length, long.isCut]).toEqual([MAX_CSV_ROWS, true]);
    const wide = parseCsv(','.repeat(10_000));
    expect([wide.columns, wide.isCut]).toEqual([MAX_CSV_COLUMNS, true]);
  });
});
