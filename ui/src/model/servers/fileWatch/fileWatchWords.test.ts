import { describe, expect, it } from 'vitest';
import type { FileWatchItem, FileWatchState } from '../../../contract/generated';
import { changedInWords, fileWatchInSentences, fileWatchLook } from './fileWatchWords';

const item = (state: FileWatchState, part: Partial<FileWatchItem> = {}): FileWatchItem => ({
  state,
  changed: [],
  changedCount: 0,
  restarts: 0,
  ...part,
});

describe('fileWatchWords', () => {
  it('says what happens and what can be done', () => {
    expect(fileWatchInSentences(item({ type: 'watching' }, { restarts: 2 }))).toContain('2 times');
    expect(fileWatchInSentences(item({ type: 'looping', path: 'data.db' }))).toContain('data.db');
    expect(fileWatchInSentences(item({ type: 'waitingForCalls', pending: 1, untilAtMs: 0 }))).toContain(
      '1 pending request',
    );
    expect(fileWatchInSentences(item({ type: 'failed', cause: 'No.', next: 'Do.' }))).toBe('No. Do.');
  });

  it('marks in the list only what is worth a look', () => {
    expect(fileWatchLook({ type: 'watching' }).sign).toBeNull();
    expect(fileWatchLook({ type: 'buildFailed' })).toEqual({ status: 'failed', sign: 'build failed' });
  });

  it('names some of the files that changed', () => {
    expect(changedInWords(item({ type: 'watching' }))).toBeNull();
    const many = item({ type: 'watching' }, { changed: ['a', 'b', 'c'], changedCount: 500 });
    expect(changedInWords(many)).toBe('a, b, c and 497 more');
  });
});
