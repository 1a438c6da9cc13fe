import { describe, expect, it } from 'vitest';
import type { RootItem, RootsRule } from '../../../contract/generated';
import { answeredInWords, isAbsolute, rootStatus, rootsInWords, rootsProblem, spelled } from './rootWords';

const ITEM: RootItem = {
  path: '/a',
  name: 'a',
  uri: 'file:///a',
  state: 'ready',
  consent: 'allowed',
  isOwn: true,
  sets: [],
};

describe('roots in words', () => {
  it('a folder that cannot be read is not sent, whatever was decided', () => {
    expect(rootStatus(ITEM)).toEqual({ status: 'ok', word: 'Allowed' });
    expect(rootStatus({ ...ITEM, consent: 'open' })).toEqual({ status: 'waiting', word: 'Waiting for you' });
    expect(rootStatus({ ...ITEM, consent: 'declined' })).toEqual({ status: 'skipped', word: 'Declined' });
    expect(rootStatus({ ...ITEM, state: 'missing' })).toEqual({ status: 'failed', word: 'Missing' });
    expect(rootStatus({ ...ITEM, state: 'notAnswering', consent: 'open' }).word).toBe('Not responding');
  });

  it('says what the server gets', () => {
    const rule: RootsRule = { type: 'folders', paths: [] };
    expect(answeredInWords(undefined, [])).toBe('The server gets an empty list.');
    expect(answeredInWords({ type: 'ask' }, [])).toMatch(/You are asked/);
    expect(answeredInWords(rule, [])).toBe('The server gets an empty list.');
    expect(answeredInWords(rule, [ITEM])).toBe('The server gets 1 folder.');
    expect(answeredInWords(rule, [ITEM, { ...ITEM, consent: 'open' }])).toBe(
      'The server gets 1 of 2 folders.',
    );
    expect(answeredInWords(rule, [{ ...ITEM, state: 'missing' }])).toBe('The server gets none of 1 folder.');
  });

  it('says the settings in a word or two', () => {
    const folders = [
      { path: '/a', name: '' },
      { path: ' ', name: '' },
    ];
    expect(rootsInWords('none', folders, 1)).toBe('');
    expect(rootsInWords('folders', folders, 0)).toBe('1 folder');
    expect(rootsInWords('folders', [], 2)).toBe('2 shared sets');
    expect(rootsInWords('folders', folders, 1)).toBe('1 folder, 1 shared set');
  });

  it('knows paths of Unix and Windows', () => {
    for (const path of ['/', '/a', 'C:\\', 'c:/a', '\\\\server\\share', '/a/..b'])
      expect(isAbsolute(path)).toBe(true);
    for (const path of ['a', '~/a', './a', 'C:', 'C:a', '/a/../b', 'C:\\..'])
      expect(isAbsolute(path)).toBe(false);
    const draft = (path: string) => ({ path, name: '' });
    expect(rootsProblem(['', '/a'].map(draft))).toBeUndefined();
    expect(rootsProblem(['/a', ' src '].map(draft))).toBe('“src” is not an absolute path.');
    expect(rootsProblem(Array.from({ length: 1_001 }, (_, n) => draft(`/${n}`)))).toBe(
      'At most 1,000 folders.',
    );
  });

  it('takes spellings of a folder for one', () => {
    for (const path of ['/a/b', '/a/b/', '//a//b', '/a/./b', ' /a/b ', '/a/b/.'])
      expect(spelled(path)).toBe('/a/b');
    expect(spelled('/')).toBe('/');
  });
});
