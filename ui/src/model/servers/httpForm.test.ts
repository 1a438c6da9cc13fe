import { describe, expect, it } from 'vitest';
import {
  emptyHttpForm,
  hasHttpProblems,
  httpDraftOf,
  httpFormOf,
  httpProblemsOf,
  isInTheClear,
  readableFingerprint,
} from './httpForm';

const FINGERPRINT = 'ab'.repeat(32);
const good = { ...emptyHttpForm(), url: 'https://mcp.example/mcp' };

describe('httpForm', () => {
  it('makes of a draft the form it came from', () => {
    const draft = httpDraftOf({
      ...good,
      kind: 'sse',
      headers: [{ name: 'X-Key', value: 'v', isSecret: true }],
      proxy: 'url',
      proxyUrl: 'http://user:pw@proxy:3128',
      caFile: '/ca.pem',
      clientCertificate: '/me.pem',
      fingerprint: `SHA256:${readableFingerprint(FINGERPRINT)}`,
    });
    expect(draft).toMatchObject({ kind: 'sse', caFile: '/ca.pem', acceptedFingerprint: FINGERPRINT });
    expect(httpDraftOf(httpFormOf(draft))).toEqual(draft);
  });

  it('leaves out what is empty', () => {
    const headers = [
      { name: '', value: '', isSecret: false },
      { name: 'A', value: '', isSecret: false },
    ];
    expect(httpDraftOf({ ...good, url: ' https://a/ ', headers })).toMatchObject({
      url: 'https://a/',
      headers: [{ name: 'A', value: '' }],
      caFile: null,
      clientCertificate: null,
      acceptedFingerprint: null,
      proxy: { type: 'app' },
    });
  });

  it.each(['https://mcp.example/mcp?a=1', 'http://127.0.0.1:3001/mcp', 'https://[::1]:8443/'])(
    'finds nothing wrong with %s',
    (url) => expect(hasHttpProblems(httpProblemsOf({ ...good, url }))).toBe(false),
  );

  it.each([
    ['', 'Enter a URL'],
    ['mcp.example/mcp', 'http:// or https://'],
    ['ftp://mcp.example', 'http:// or https://'],
    ['https://', 'Not a valid URL'],
    ['https://a b/', 'spaces'],
    ['https://a:99999/', 'Not a valid URL'],
    ['https://a/#part', '#'],
    ['https://me:secret@a/', 'header'],
  ])('says what is wrong with %j', (url, words) => {
    expect(httpProblemsOf({ ...good, url }).url).toContain(words);
  });

  it('finds headers that cannot be sent, by their row', () => {
    const header = (name: string, value: string) => ({ name, value, isSecret: false });
    const headers = [
      header('X-Ok', '1'),
      header('X:', '1'),
      header('', '1'),
      header('A', 'a\r\nB: b'),
      header('', ''),
    ];
    expect(Object.keys(httpProblemsOf({ ...good, headers }).headers)).toEqual(['1', '2', '3']);
  });

  it('finds a proxy and a fingerprint that are none', () => {
    const problems = httpProblemsOf({ ...good, proxy: 'url', proxyUrl: 'proxy', fingerprint: 'abc' });
    expect(problems.proxyUrl).toBeTypeOf('string');
    expect(problems.fingerprint).toContain('64');
    expect(hasHttpProblems(problems)).toBe(true);
    expect(hasHttpProblems(httpProblemsOf({ ...good, proxy: 'none', proxyUrl: 'proxy' }))).toBe(false);
  });

  it.each([
    ['http://mcp.example/', true],
    ['https://mcp.example/', false],
    ['http://localhost:1/', false],
    ['http://127.0.0.1/', false],
    ['http://[::1]/', false],
    ['not an address', false],
  ])('knows whether %s can be read on the way', (url, clear) => expect(isInTheClear(url)).toBe(clear));
});
