import { describe, expect, it } from 'vitest';
import type { Seq } from '../../contract/generated';
import { attempt, run, step } from './authorization.fixture';
import { type Arrow, bandsOf, hostsOf } from './sequence';

const SERVER = 'https://mcp.example/mcp';
const AUTH = 'https://auth.example';
const ADDRESS = `${AUTH}/authorize?state=s`;

const lines = (arrows: readonly Arrow[]): string[] =>
  arrows.map(
    ({ from, to, text, words, kind }) => `${from} → ${to}: ${text}${words && ` ${words}`} (${kind})`,
  );

const bands = (...given: Parameters<typeof run>): Record<string, string[]> =>
  Object.fromEntries(bandsOf(run(...given), SERVER).map(({ step: name, arrows }) => [name, lines(arrows)]));

describe('bandsOf', () => {
  it('draws each exchange as a request and its answer, in the lane of who is asked', () => {
    const challenge = step('challenge', {
      attempts: [attempt('POST', SERVER, { status: 401, words: 'It wants a token.' })],
    });
    const metadata = step('serverMetadata', {
      attempts: [
        attempt('GET', `${AUTH}/.well-known/oauth-authorization-server`, {
          status: 404,
          verdict: 'absent',
          words: 'Nothing there.',
        }),
        attempt('GET', `${AUTH}/.well-known/openid-configuration`, {
          status: null,
          verdict: 'failed',
          words: '',
        }),
      ],
    });
    expect(bands([challenge, metadata])).toEqual({
      challenge: [
        'patchbay → server: POST /mcp (recorded)',
        'server → patchbay: 401 It wants a token. (recorded)',
      ],
      serverMetadata: [
        'patchbay → issuer: GET /.well-known/oauth-authorization-server (recorded)',
        'issuer → patchbay: 404 Nothing there. (recorded)',
        'patchbay → issuer: GET /.well-known/openid-configuration (recorded)',
        'issuer → patchbay: no response (recorded)',
      ],
    });
  });

  it('leads both halves of an exchange to its record, and judges only the answer', () => {
    const [band] = bandsOf(run([step('token', { attempts: [attempt('POST', `${AUTH}/token`)] })]), SERVER);
    expect(band?.arrows.map(({ seq, verdict }) => [seq, verdict])).toEqual([
      ['7' as Seq, null],
      ['7' as Seq, 'ok'],
    ]);
  });

  it('names the host where it is not the one of the lane', () => {
    const token = step('token', {
      attempts: [attempt('POST', `${AUTH}/token`), attempt('POST', 'https://idp.example/token?x=1')],
    });
    expect(bands([token])['token']?.[2]).toBe('patchbay → issuer: POST idp.example/token?… (recorded)');
  });

  it('shows what Patchbay does with the browser, and what it cannot see', () => {
    const part = { authorizationUrl: ADDRESS, redirectUri: 'http://localhost:1/callback' };
    const waiting = bands([step('authorization', { state: 'waiting' })], part);
    expect(waiting['authorization']).toEqual([
      'patchbay → browser: open the authorization URL (action)',
      'browser → issuer: GET /authorize?… you sign in and consent (unseen)',
    ]);
    const done = bands([step('authorization')], part);
    expect(done['authorization']?.slice(2)).toEqual([
      'issuer → browser: 302 redirect with code (unseen)',
      'browser → patchbay: GET /callback code and state (action)',
    ]);
    expect(bands([step('authorization', { state: 'skipped' })], part)).toEqual({});
  });

  it('draws a pasted text as what it is, which says nothing about the authorization server', () => {
    const redirectUri = 'http://localhost:1/callback';
    const pasted = attempt('paste', redirectUri, {
      seq: null,
      status: null,
      verdict: 'refused',
      words: 'It does not belong here.',
    });
    const part = { authorizationUrl: ADDRESS, redirectUri };
    expect(bands([step('authorization', { attempts: [pasted] })], part)).toEqual({
      authorization: [
        'patchbay → browser: open the authorization URL (action)',
        'browser → issuer: GET /authorize?… (unseen)',
        'browser → patchbay: pasted text It does not belong here. (action)',
        'issuer → browser: 302 redirect with code (unseen)',
        'browser → patchbay: GET /callback code and state (action)',
      ],
    });
    const given = run([step('authorization', { attempts: [pasted] })], part);
    expect(hostsOf(given, SERVER).issuer).toBe('auth.example');
  });

  it('says at the browser that it could not be started', () => {
    const words = 'The browser could not be started: no such program.';
    const opened = attempt('open', `${AUTH}/authorize`, {
      seq: null,
      status: null,
      verdict: 'failed',
      words,
    });
    const given = run([step('authorization', { state: 'waiting', attempts: [opened] })], {
      authorizationUrl: ADDRESS,
    });
    expect(
      bandsOf(given, SERVER)[0]?.arrows.map((arrow) => [arrow.text, arrow.words, arrow.verdict]),
    ).toEqual([
      ['open', words, 'failed'],
      ['GET /authorize?…', 'you sign in and consent', null],
    ]);
  });

  it('has no part for a step without an exchange', () => {
    expect(bands([step('challenge')])).toEqual({});
  });
});

it('takes the authorization server from its first exchange, or from where the browser is sent', () => {
  expect(hostsOf(run([]), SERVER)).toEqual({ server: 'mcp.example', issuer: null });
  expect(hostsOf(run([], { authorizationUrl: ADDRESS }), SERVER).issuer).toBe('auth.example');
  expect(hostsOf(run([]), 'no address').server).toBe('no address');
});
