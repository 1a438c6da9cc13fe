import { describe, expect, it } from 'vitest';
import {
  emptyFileWatchForm,
  fileWatchDraftOf,
  fileWatchFormOf,
  fileWatchInWords,
  fileWatchProblemsOf,
  relative,
  resolved,
} from './fileWatchForm';

const good = { ...emptyFileWatchForm(), on: true, paths: ['src'] };

describe('fileWatchForm', () => {
  it('makes of a draft the form it came from, and nothing of the default', () => {
    expect(fileWatchDraftOf(emptyFileWatchForm())).toBeUndefined();
    const draft = fileWatchDraftOf({
      ...good,
      paths: [' src ', ''],
      ignored: 'dist/\n\n *.log ',
      command: ' npm ',
      args: ['run', 'build'],
      timeoutSeconds: '1.5',
    });
    expect(draft).toEqual({
      on: true,
      paths: ['src'],
      ignored: ['dist/', '*.log'],
      quietMs: 300,
      build: { command: 'npm', args: ['run', 'build'], timeoutMs: 1500 },
    });
    expect(fileWatchDraftOf(fileWatchFormOf(draft))).toEqual(draft);
  });

  it('keeps the settings while it is off', () => {
    const draft = fileWatchDraftOf({ ...good, on: false });
    expect(draft).toMatchObject({ on: false, paths: ['src'] });
    expect(fileWatchInWords({ ...good, on: false })).toBe('');
  });

  it.each([
    [{ paths: [' '] }, 'paths'],
    [{ paths: Array.from({ length: 101 }, (_, n) => `p${n}`) }, 'paths'],
    [{ ignored: 'x\n'.repeat(101) }, 'ignored'],
    [{ quietMs: '10' }, 'quietMs'],
    [{ quietMs: 'soon' }, 'quietMs'],
    [{ args: ['run'] }, 'command'],
    [{ timeoutSeconds: '0' }, 'timeoutSeconds'],
  ] as const)('finds what is wrong with %j', (part, field) => {
    const form = { ...good, ...structuredClone(part) } as typeof good;
    expect(Object.keys(fileWatchProblemsOf(form))).toEqual([field]);
  });

  it('finds nothing wrong with a good form, or one without paths that is off', () => {
    expect(fileWatchProblemsOf(good)).toEqual({});
    expect(fileWatchProblemsOf(emptyFileWatchForm())).toEqual({});
  });

  it('says what is set', () => {
    expect(fileWatchInWords(good)).toBe('src');
    expect(fileWatchInWords({ ...good, paths: ['a', 'b'], command: 'make' })).toBe('2 paths, after make');
  });

  it.each([
    ['src', '/srv/x/p', '/srv/x/p/src'],
    ['./src/../lib', '/srv/x/p/', '/srv/x/p/lib'],
    ['.', '/srv/x/p', '/srv/x/p'],
    ['/etc', '/srv/x/p', '/etc'],
    ['src', 'C:\\p', 'C:\\p\\src'],
    ['src', '', null],
    ['', '/srv', null],
  ])('resolves %j in %j', (path, cwd, expected) => {
    expect(resolved(path, cwd)).toBe(expected);
  });

  it('writes a chosen path relative to the working directory', () => {
    expect(relative('/p/src', '/p')).toBe('src');
    expect(relative('/p', '/p/')).toBe('.');
    expect(relative('/other', '/p')).toBe('/other');
    expect(relative('/p/src', '')).toBe('/p/src');
  });
});
