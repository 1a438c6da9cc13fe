import { describe, expect, it } from 'vitest';
import { kindsOf, wireFilter, withKinds } from './filterText';

describe('the kinds of a filter', () => {
  it('are read from its text and written into it', () => {
    expect(kindsOf('ping kind:http,request')).toEqual(['request', 'http']);
    expect(kindsOf('"kind:http"')).toEqual([]);
    expect(withKinds('ping kind:http "a b"', ['request'])).toBe('kind:request ping "a b"');
    expect(withKinds('kind:http ping', [])).toBe('ping');
  });
});

describe('a filter', () => {
  const filter = (text: string) => wireFilter({ text, serverId: null });

  it('is kinds and text; quotes keep a text together', () => {
    expect(filter('kind:http "a  b" c')).toEqual({ serverId: null, kinds: ['http'], text: 'a  b c' });
    expect(filter('"kind:http"')).toEqual({ serverId: null, kinds: [], text: 'kind:http' });
    expect(filter('')).toEqual({ serverId: null, kinds: [], text: null });
  });

  it('names what is wrong, and where, in characters', () => {
    expect(filter('😀 kind:request,bogus')).toMatchObject({ at: 2, length: 18 });
    expect(filter('kind:')).toMatchObject({
      at: 0,
      message: expect.stringContaining('needs a value') as string,
    });
  });
});
