import { describe, expect, it } from 'vitest';
import SOURCE from '../../../../../src-tauri/crates/traffic/src/query/filter/parse.rs?raw';
import { FILTER_TERMS, termsFor, withTerm } from './filterTerms';

const keys = (text: string): string[] => termsFor(text, FILTER_TERMS).map(({ key }) => key);

describe('the terms of the filter', () => {
  it('are those that the engine reads', () => {
    const read = /const KEYS: &str = "([^"]+)"/.exec(SOURCE)?.[1]?.split(', ');
    expect(FILTER_TERMS.map(({ key }) => key).toSorted()).toEqual(read?.toSorted());
    for (const { key, example } of FILTER_TERMS) expect(example.startsWith(key)).toBe(true);
  });

  it('are proposed for the beginning of a key only', () => {
    expect(keys('')).toEqual([]);
    expect(keys('me')).toEqual(['method:']);
    expect(keys('kind:http st')).toEqual(['status:']);
    expect(keys('-STAT')).toEqual(['status:']);
    expect(keys('method:')).toEqual([]);
    expect(keys('ping ')).toEqual([]);
    expect(keys('"a quoted s')).toEqual([]);
  });

  it('take the place of what was typed', () => {
    const [method] = FILTER_TERMS;
    expect(withTerm('kind:http -me', method!)).toBe('kind:http -method:');
    expect(withTerm('m', method!)).toBe('method:');
  });
});
