import { describe, expect, it } from 'vitest';
import type { Seq } from '../../contract/generated';
import { isLogFiltered, levelWords, levelsBelow, logTerms, loggerFilter } from './logQuery';

const ALL = { source: 'all', hiddenLevels: [], logger: '', text: '' } as const;

describe('the terms of a log filter', () => {
  it('select messages, stderr or both', () => {
    const levels = 'debug,info,notice,warning,error,critical,alert,emergency,unknown';
    expect(logTerms({ ...ALL, hiddenLevels: [] }, null)).toEqual([`level:${levels},stderr,gap`]);
    expect(logTerms({ ...ALL, hiddenLevels: [], source: 'messages' }, null)).toEqual([`level:${levels}`]);
    expect(logTerms({ ...ALL, hiddenLevels: [], source: 'stderr', logger: 'db' }, null)).toEqual([
      'level:stderr,gap',
    ]);
  });

  it('select levels, loggers by their beginning, and what came later', () => {
    const filter = {
      source: 'messages',
      hiddenLevels: levelsBelow('critical'),
      logger: ' db, "x"* ',
    } as const;
    expect(logTerms(filter, '17' as Seq)).toEqual([
      'level:critical,alert,emergency',
      'logger:"db*","\\"x\\"*"',
      'after:17',
    ]);
  });

  it('select nothing when every level is hidden', () => {
    const hiddenLevels = [...levelsBelow('emergency'), 'emergency', 'nonsense'];
    expect(logTerms({ ...ALL, source: 'messages', hiddenLevels }, null)).toEqual(['level:debug level:info']);
  });
});

describe('a log filter', () => {
  it('knows whether it may hide lines', () => {
    expect(isLogFiltered({ ...ALL, hiddenLevels: [] })).toBe(false);
    expect(isLogFiltered({ ...ALL, hiddenLevels: ['nonsense'] })).toBe(false);
    expect(isLogFiltered({ ...ALL, hiddenLevels: ['debug'] })).toBe(true);
    expect(isLogFiltered({ ...ALL, hiddenLevels: ['debug'], source: 'stderr' })).toBe(false);
    expect(isLogFiltered({ ...ALL, hiddenLevels: [], text: 'x' })).toBe(true);
  });

  it('is named by its levels', () => {
    expect(levelWords([])).toBe('All levels');
    expect(levelWords(levelsBelow('warning'))).toBe('warning and above');
    expect(levelWords(levelsBelow('emergency'))).toBe('emergency');
    expect(levelWords(['debug'])).toBe('8 of 9 levels');
  });

  it('finds a logger whose name has a comma by what precedes it', () => {
    expect(loggerFilter('db.pool')).toBe('db.pool');
    expect(loggerFilter('a,b')).toBe('a');
  });
});
