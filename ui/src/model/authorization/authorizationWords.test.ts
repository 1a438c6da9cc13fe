import { describe, expect, it } from 'vitest';
import { AT, authorization, run, step, token } from './authorization.fixture';
import {
  type AuthorizationStatus,
  foldMasks,
  scopesOf,
  statusOf,
  statusWords,
  stepToShow,
  timeLeft,
  waitingWords,
} from './authorizationWords';

describe('stepToShow', () => {
  it.each([
    [
      'where it failed',
      [step('challenge'), step('resourceMetadata', { state: 'failed' })],
      'resourceMetadata',
    ],
    ['where it waits', [step('challenge'), step('registration', { state: 'waiting' })], 'registration'],
    ['where it is', [step('challenge', { state: 'running' })], 'challenge'],
    ['what it came to', [step('challenge'), step('token')], 'token'],
    ['the first, before anything', [], 'challenge'],
  ] as const)('is %s', (_, steps, expected) => {
    expect(stepToShow(run(steps))?.step).toBe(expected);
  });
});

describe('statusOf', () => {
  const failed = run([step('token', { state: 'failed' })], { state: 'failed', endedAtMs: AT + 5 });
  const cases: [string, Parameters<typeof authorization>[0], number, AuthorizationStatus['type'], string][] =
    [
      ['nothing yet', {}, AT, 'none', 'No token'],
      ['under way', { run: run([step('challenge')]) }, AT, 'running', 'Authorizing: Challenge'],
      ['waiting', { run: run([], { state: 'waiting' }) }, AT, 'waiting', 'Waiting for you'],
      ['failed', { run: failed }, AT, 'failed', 'Failed at: Token'],
      ['failed after a token', { run: failed, token: token() }, AT + 10, 'failed', 'Failed at: Token'],
      [
        'a token from after a failure',
        { run: failed, token: token({ obtainedAtMs: AT + 9 }) },
        AT + 10,
        'valid',
        'Authorized',
      ],
      ['a good token', { token: token() }, AT, 'valid', 'Authorized'],
      ['a token without an end', { token: token({ expiresAtMs: null }) }, AT * 2, 'valid', 'Authorized'],
      ['cancelled', { run: run([], { state: 'cancelled' }) }, AT, 'cancelled', 'Cancelled'],
      [
        'an ended token that is renewed',
        { token: token() },
        AT + 3_600_000,
        'expired',
        'Token expired; renewed when needed',
      ],
      ['an ended token', { token: token({ hasRefresh: false }) }, AT + 3_600_000, 'expired', 'Token expired'],
    ];
  it.each(cases)('%s', (_, part, now, type, words) => {
    const status = statusOf(authorization(part), now);
    expect(status.type).toBe(type);
    expect(statusWords(status)).toBe(words);
  });
});

it('takes scopes apart as people type them, each once', () => {
  expect(scopesOf(' a  b,c\nb ')).toEqual(['a', 'b', 'c']);
  expect(scopesOf(' , ')).toEqual([]);
});

it('counts down in whole seconds, and not below zero', () => {
  expect(timeLeft(AT + 61_400, AT)).toBe('1 min 2 s');
  expect(timeLeft(AT - 1, AT)).toBe('0 ms');
});

it('says what a run waits for', () => {
  expect(waitingWords(run([], { question: { type: 'callback' } }))).toBe('Sign in using the browser');
  expect(waitingWords(run([], { question: null }))).toBe('Waiting for you');
});

it('folds a long mask to its length, and leaves all else', () => {
  expect(foldMasks(`Bearer ${'*'.repeat(1000)}Qx4w`)).toBe(
    'Bearer ************ … (1,000 characters masked) Qx4w',
  );
  expect(foldMasks('••••••••Qx4w **bold**')).toBe('••••••••Qx4w **bold**');
});
