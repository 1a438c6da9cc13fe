import { describe, expect, it } from 'vitest';
import { requiredUrls, urlRequestOf } from './urlRequest';

const of = (url: string) => urlRequestOf({ message: 'm', url });

describe('a page that a server asks the user to visit', () => {
  it('has a host, and no warning if nothing is odd', () => {
    expect(
      urlRequestOf({ message: 'Log in', url: 'https://a.example:8443/x?y=1', elicitationId: 'e' }),
    ).toEqual({
      message: 'Log in',
      url: 'https://a.example:8443/x?y=1',
      host: 'a.example:8443',
      decoded: null,
      warnings: [],
      canOpen: true,
      elicitationId: 'e',
    });
    expect(of('http://localhost:1234/').warnings).toEqual([]);
    expect(of('http://127.0.0.1/').warnings).toEqual([]);
  });

  it('is never opened if it is not an address of the web', () => {
    for (const url of [
      'javascript:alert(1)',
      'data:text/html,x',
      'file:///etc/passwd',
      'not a url',
      '',
      'ftp://a.example',
    ]) {
      expect(of(url), url).toMatchObject({ canOpen: false });
      expect(of(url).warnings, url).not.toEqual([]);
    }
    const disguised = of('https://bank.example@evil.example/');
    expect(disguised).toMatchObject({ host: 'evil.example', canOpen: false });
    expect(disguised.warnings[0]).toContain('user name');
  });

  it('is marked if it may imitate another site', () => {
    expect(of('https://xn--pypal-4ve.example/')).toMatchObject({
      host: 'xn--pypal-4ve.example',
      decoded: { text: 'p\u0430ypal.example', letters: ['\u0430 (Cyrillic)'] },
      warnings: [expect.stringContaining('\u0430 (Cyrillic). They are mixed with Latin letters')],
    });
    expect(of('https://p\u0430ypal.example/').decoded?.text).toBe('p\u0430ypal.example');
    expect(of('https://xn--80ak6aa92e.com/').warnings[0]).toContain('Cyrillic');
    expect(of('https://xn--a.example/')).toMatchObject({ decoded: null, canOpen: false });
    expect(of('https://a.example/\u202Etxt').warnings[0]).toContain('every character');
    expect(of('http://a.example/').warnings[0]).toContain('not encrypted');
  });
});

// Each took minutes: marks are put into their order one by one, and so are the letters of Punycode.
it.each([
  `http://${'\u0301\u0323'.repeat(500_000)}`,
  ` \nHTT\tPS:\\\\${'\u0301\u0323'.repeat(500_000)}`,
  `https:xn--${'aB'.repeat(500_000)}`,
  `https://${'xn--a.'.repeat(200_000)}`,
])('a host that is longer than any is not decoded: %.12j…', (url) => {
  const started = performance.now();
  expect(urlRequestOf({ url })).toMatchObject({ host: null, canOpen: false });
  expect(performance.now() - started).toBeLessThan(2_000);
});

it('an address may be long after its host', () => {
  expect(urlRequestOf({ url: `https://a.example/?${'b'.repeat(10_000)}` }).canOpen).toBe(true);
});

describe('the pages of an error', () => {
  const data = JSON.stringify({
    elicitations: [{ mode: 'url', message: 'm', url: 'https://a.example' }, 7, {}],
  });

  it('are those of URLElicitationRequiredError', () => {
    expect(requiredUrls('-32042', data).map(({ url }) => url)).toEqual(['https://a.example', '']);
    expect(requiredUrls('-32602', data)).toEqual([]);
    expect(requiredUrls('-32042', null)).toEqual([]);
    expect(requiredUrls('-32042', '{"elicitations":7}')).toEqual([]);
    expect(requiredUrls('-32042', 'not JSON')).toEqual([]);
  });

  it('are bounded', () => {
    const many = JSON.stringify({
      elicitations: Array.from({ length: 1_000 }, () => ({ url: 'https://a.example' })),
    });
    expect(requiredUrls('-32042', many)).toHaveLength(50);
  });
});
