import { describe, expect, it } from 'vitest';
import {
  asSentence,
  formatCount,
  formatDateTime,
  formatDuration,
  formatRunning,
  formatProgress,
  formatSize,
  formatTime,
  progressInWords,
  shortened,
  shortenedWithRest,
  shownLine,
} from './format';

describe('formatTime', () => {
  const at = new Date(2026, 10, 21, 12, 3, 4, 567).getTime();
  it('shows local time to the millisecond and drops microseconds', () => {
    expect(formatTime(at + 0.123)).toBe('12:03:04.567');
    expect(formatDateTime(at)).toBe('2026-11-21 12:03:04.567');
  });
  it('does not invent a time', () => expect(formatTime(Number.NaN)).toBe('–'));
});

it.each([
  [9_900, '9.90 s'],
  [10_000, '10 s'],
  [59_000, '59 s'],
  [61_000, '1 min 1 s'],
])('a timer of %d ms shows %s', (ms, text) => expect(formatRunning(ms)).toBe(text));

describe('formatDuration', () => {
  it.each([
    [0, '0 ms'],
    [0.42, '0.42 ms'],
    [0.999, '1.0 ms'],
    [4.2, '4.2 ms'],
    [99.96, '100 ms'],
    [420, '420 ms'],
    [999.7, '1.00 s'],
    [1340, '1.34 s'],
    [12_340, '12.3 s'],
    [59_960, '1 min 0 s'],
    [125_000, '2 min 5 s'],
    [3_720_000, '1 h 2 min'],
    [7_199_900, '2 h 0 min'],
    [-1, '–'],
  ])('%d ms is %s', (ms, text) => expect(formatDuration(ms)).toBe(text));
});

describe('formatSize', () => {
  it.each([
    [0, '0 B'],
    [999, '999 B'],
    [1234, '1.2 kB'],
    [123_456, '123 kB'],
    [999_700, '1.0 MB'],
    [10_500_000, '10.5 MB'],
    [Number.NaN, '–'],
  ])('%d bytes are %s', (bytes, text) => expect(formatSize(bytes)).toBe(text));
});

describe('formatCount', () => {
  it('groups digits and agrees with its noun', () => {
    expect(formatCount(10_000)).toBe('10,000');
    expect(formatCount(1, 'tool')).toBe('1 tool');
    expect(formatCount(0, 'reply', 'replies')).toBe('0 replies');
  });
});

describe('formatProgress', () => {
  it('names the total if there is one, and what the server says', () => {
    expect(formatProgress({ progress: 2, total: 4 })).toBe('2 of 4');
    expect(formatProgress({ progress: 1234.5678, total: null })).toBe('1234.568');
    expect(progressInWords({ progress: 2, total: 4, message: 'Reading' })).toBe('2 of 4 · Reading');
    expect(progressInWords({ progress: 2, total: null, message: null })).toBe('2');
  });
});

describe('asSentence', () => {
  it.each([
    ['at https://a.example, the issuer is another', 'At https://a.example, the issuer is another'],
    ['https://a.example answered with 500', 'https://a.example answered with 500'],
    ['client_id is missing', 'client_id is missing'],
    ['It is another.', 'It is another.'],
    ['', ''],
  ])('%s', (clause, sentence) => expect(asSentence(clause)).toBe(sentence));
});

describe('shownLine', () => {
  it('keeps words apart', () => {
    expect(shownLine('node', ['a b', '', '--x'])).toBe('node "a b" "" --x');
  });
});

it('cuts a long text, never within a surrogate pair', () => {
  expect(shortened('abc', 3)).toBe('abc');
  expect(shortened('abcd', 3)).toBe('abc…');
  expect(shortened('ab😀d', 3)).toBe('ab…');
  expect(shortened('a😀cd', 3)).toBe('a😀…');
});

it('says how much more a shortened text has, and splits no character', () => {
  expect(shortenedWithRest('abc', 3)).toBe('abc');
  expect(shortenedWithRest('abcd', 3)).toBe('abc… (1 more character)');
  expect(shortenedWithRest(`ab😀${'c'.repeat(1_000)}`, 3)).toBe('ab… (1,002 more characters)');
});
