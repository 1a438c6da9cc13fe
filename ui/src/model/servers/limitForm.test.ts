import { describe, expect, it } from 'vitest';
import type { LimitItem } from '../../contract/generated';
import {
  limitFormOf,
  limitInWords,
  limitOf,
  limitProblemsOf,
  limitsInWords,
  limitsOf,
  rangeProblem,
} from './limitForm';

describe('limits', () => {
  it('are written with the largest unit that leaves them whole', () => {
    expect(limitInWords(268_435_456, 'bytes')).toBe('256 MiB');
    expect(limitInWords(65_537, 'bytes')).toBe('65,537 B');
    expect(limitInWords(86_400_000, 'milliseconds')).toBe('1 d');
    expect(limitInWords(1500, 'milliseconds')).toBe('1,500 ms');
    expect(limitInWords(100_000, 'count')).toBe('100,000');
  });

  it('are read with and without a unit', () => {
    const read = ['20', ' 1,000 ', '64 KiB', '1.5s', '2 min', '0', '', '-1', '1 x', 'ten', '1e3'].map(
      limitOf,
    );
    const none = undefined;
    expect(read).toEqual([20, 1000, 65_536, 1500, 120_000, 0, none, none, none, none, none]);
  });

  it('are kept where something is entered', () => {
    expect(limitsOf(limitFormOf())).toBeUndefined();
    const form = { ...limitFormOf({ listPages: 20 }), frameBytes: '1 MiB', redirects: ' ' };
    expect(limitsOf(form)).toEqual({ listPages: 20, frameBytes: 1_048_576 });
    expect(limitsInWords(form)).toBe('listPages 20 · frameBytes 1 MiB');
    expect(Object.keys(limitProblemsOf({ ...form, listRows: 'many' }))).toEqual(['listRows']);
  });

  it('are shown with their unit, and read back as they were', () => {
    const limits = {
      frameBytes: 1_048_576,
      pageBytes: 98_304,
      listsBytes: 65_537,
      schemaCheckMs: 1500,
      listRows: 20_000,
    };
    const form = limitFormOf(limits);
    expect(Object.values(form)).toEqual(['1 MiB', '96 KiB', '65,537 B', '1,500 ms', '20,000']);
    expect(limitsOf(form)).toEqual(limits);
    expect(limitProblemsOf(form)).toEqual({});
  });

  it('have a range', () => {
    const limit: LimitItem = {
      name: 'a',
      meaning: '',
      unit: 'bytes',
      default: 1 << 20,
      least: 1 << 16,
      most: 1 << 28,
    };
    expect(rangeProblem('64 KiB', limit)).toBeUndefined();
    expect(rangeProblem('', limit)).toBeUndefined();
    expect(rangeProblem('63 KiB', limit)).toBe('From 64 KiB to 256 MiB.');
    expect(rangeProblem('1 GiB', limit)).toBe('From 64 KiB to 256 MiB.');
  });
});
