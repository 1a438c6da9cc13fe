import { describe, expect, it } from 'vitest';
import type { ServerId } from '../../contract/generated';
import { filterProblem, kindsOf, wireFilter, withKinds, withOnly, withoutThose } from './filterText';

describe('the kinds of a filter', () => {
  it('are read from its text and written into it', () => {
    expect(kindsOf('ping kind:http,request')).toEqual(['request', 'http']);
    expect(kindsOf('"kind:http"')).toEqual([]);
    expect(withKinds('ping kind:http "a b"', ['request'])).toBe('kind:request ping "a b"');
    expect(withKinds('kind:http ping', [])).toBe('ping');
  });

  it('are those of the engine, which ignores case and reads quoted values', () => {
    expect(kindsOf('Kind:Request,HTTP')).toEqual(['request', 'http']);
    expect(kindsOf('kind:"http","request" ping')).toEqual(['request', 'http']);
    expect(kindsOf('kind:"http","re\\quest" ping')).toEqual(['http']);
    expect(kindsOf('kind:"http,request"')).toEqual([]);
    expect(withKinds('KIND:"Request" ping', ['http'])).toBe('kind:http ping');
  });
});

describe('the kinds that a filter excludes', () => {
  it('are not shown, and can be switched on again', () => {
    expect(kindsOf('-kind:http,stderr ping')).toEqual([
      'request',
      'response',
      'notification',
      'batch',
      'invalid',
      'lifecycle',
      'gap',
    ]);
    expect(kindsOf('kind:request,http -Kind:HTTP')).toEqual(['request']);
    expect(kindsOf('"-kind:http" --kind:http')).toEqual([]);
    expect(withKinds('ping -kind:http', [])).toBe('ping');
    expect(withKinds('-kind:http ping', ['http'])).toBe('kind:http ping');
  });
});

describe('a filter by a value', () => {
  it('asks for it in place of other values', () => {
    expect(withOnly('', 'method:', 'method:ping')).toBe('method:ping');
    expect(withOnly('Method:tools/* dur>1s -method:ping', 'method:', 'method:ping')).toBe(
      'dur>1s method:ping',
    );
    expect(withOnly('"a b" -method:x', 'method:', 'method:ping')).toBe('"a b" -method:x method:ping');
  });

  it('excludes it, once', () => {
    expect(withoutThose('tool:echo method:ping', 'tool:echo')).toBe('method:ping -tool:echo');
    expect(withoutThose('-tool:echo', 'tool:echo')).toBe('-tool:echo');
    expect(withoutThose('-tool:a', 'tool:"b c"')).toBe('-tool:a -tool:"b c"');
  });

  it('replaces a text whose quote is open, in which a term would be text', () => {
    expect(withOnly('method:"a', 'tool:', 'tool:echo')).toBe('tool:echo');
  });
});

describe('a filter', () => {
  it('is the text of the user, within a server and with further terms', () => {
    const serverId = 'a "b"' as ServerId;
    expect(wireFilter({ text: 'kind:http "a  b"', serverId: null })).toBe('kind:http "a  b"');
    expect(wireFilter({ text: 'x ', serverId, terms: ['kind:stderr,gap', 'after:3'] })).toBe(
      'x server:"a \\"b\\"" kind:stderr,gap after:3',
    );
    expect(wireFilter({ text: '', serverId: null })).toBe('');
  });

  it('is the text alone while a quote in it is open, so that the place of the error is in it', () => {
    const serverId = 's' as ServerId;
    const sent = (text: string): string => wireFilter({ text, serverId, terms: ['after:3'] });
    expect(sent('"abc ')).toBe('"abc');
    expect(sent('method:"a\\"')).toBe('method:"a\\"');
    expect(sent('"a\\"b"')).toBe('"a\\"b" server:"s" after:3');
    expect(sent('a\\ "b"')).toBe('a\\ "b" server:"s" after:3');
  });

  it('says where it is wrong', () => {
    const error = { code: 'invalidParams', message: 'No.', detail: '{"at":2,"length":18}' } as const;
    expect(filterProblem(error)).toEqual({ at: 2, length: 18, message: 'No.' });
    expect(filterProblem({ ...error, detail: null })).toBeNull();
    expect(filterProblem({ ...error, code: 'storage' })).toBeNull();
  });
});
