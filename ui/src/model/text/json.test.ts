import { describe, expect, it } from 'vitest';
import { indentJson } from './json';

describe('indentJson', () => {
  it('changes nothing but white space between tokens', () => {
    const text = '{"b":1.10, "2":{}, "1":[ ] ,"b":1.10,"b":9007199254740993,"e":["\\u00e9\\/","{,:}"] }';
    const lines = [
      '{',
      '  "b": 1.10,',
      '  "2": {},',
      '  "1": [],',
      '  "b": 1.10,',
      '  "b": 9007199254740993,',
      '  "e": [',
      '    "\\u00e9\\/",',
      '    "{,:}"',
      '  ]',
      '}',
    ];
    expect(indentJson(text)).toBe(lines.join('\n'));
    expect(indentJson(' true ')).toBe('true');
  });

  it('leaves what is not JSON as it is', () => {
    expect(['{"a":1,}', '"open', ''].map(indentJson)).toEqual(['{"a":1,}', '"open', '']);
  });

  it('does not indent deep levels without end', () => {
    const depth = 20_000;
    expect(indentJson('['.repeat(depth) + ']'.repeat(depth)).length).toBeLessThan(300 * depth);
  });
});
