import { describe, expect, it } from 'vitest';
import { runTask } from '../background/tasks';
import { findingsOf, messageOf } from './elicitation/formRequest';
import { samplingFacts } from './inputRequest';
import { paramsOf } from './request/params';

const params = (value: object) => paramsOf(JSON.stringify(value));

describe('findingsOf', () => {
  it('names the fields that look like secrets, and those the specification does not allow', () => {
    const json = JSON.stringify({
      message: 'Sign in',
      requestedSchema: {
        properties: {
          mail: { type: 'string', format: 'email' },
          api_key: { type: 'string' },
          plan: { type: 'string', oneOf: [{ const: 'a', title: 'A' }] },
          tags: { type: 'array', items: { anyOf: [{ const: 'x', title: 'X' }] } },
          days: { type: 'array', items: { type: 'string', enum: ['mo', 'tu'] } },
          address: { type: 'object', properties: {} },
          list: { type: 'array', items: { type: 'string' } },
          anything: true,
        },
      },
    });
    const found = findingsOf(paramsOf(json));
    expect(found).toEqual({
      secrets: [{ name: 'api_key', hint: { where: 'name', word: 'api key' } }],
      secretInMessage: null,
      nested: ['address', 'list', 'anything'],
    });
    // A worker that reads the text finds the same.
    expect(runTask({ type: 'findings', json })).toEqual({ type: 'done', value: found });
    expect(findingsOf(params({ message: 'Enter your password' })).secretInMessage).toBe('password');
  });

  it('names a field in whose members or references a secret is requested', () => {
    const requestedSchema = {
      $defs: { login: { type: 'object', properties: { password: { type: 'string' } } } },
      properties: { login: { $ref: '#/$defs/login' }, more: { type: 'array', items: { title: 'API key' } } },
    };
    expect(findingsOf(params({ requestedSchema })).secrets).toEqual([
      { name: 'login', hint: { where: 'name', word: 'password' } },
      { name: 'more', hint: { where: 'title', word: 'API key' } },
    ]);
  });

  it('stays small however much was sent, and takes anything', () => {
    const properties = Object.fromEntries(
      Array.from({ length: 10_000 }, (_, at) => [`token_${at}_${'x'.repeat(100)}`, { type: 'object' }]),
    );
    const huge = params({ message: 'x'.repeat(1_000_000), requestedSchema: { properties } });
    expect(JSON.stringify(findingsOf(huge)).length).toBeLessThan(20_000);
    expect(messageOf(huge).length).toBeLessThan(20_000);
    for (const requestedSchema of [7, null, [], { properties: 7 }, { properties: { a: null } }]) {
      const odd = params({ message: 7, requestedSchema });
      expect(messageOf(odd)).toBe('');
      expect(findingsOf(odd).secrets).toEqual([]);
    }
  });
});

describe('samplingFacts', () => {
  it('says what is wanted of the model', () => {
    expect(
      samplingFacts(
        params({
          modelPreferences: { hints: [{ name: 'claude' }, { name: 'gpt' }], speedPriority: 0.5 },
          toolChoice: { mode: 'required' },
          stopSequences: ['END', '\n'],
          includeContext: 'none',
          metadata: { user: 1 },
        }),
      ),
    ).toEqual([
      { name: 'Model hints', value: 'claude, else gpt' },
      { name: 'Priorities', value: 'speed 0.5 (0 to 1)' },
      { name: 'Stop at', value: '"END", "\\n"' },
      { name: 'Context', value: 'none' },
      { name: 'Tool choice', value: 'required' },
      { name: 'Metadata', value: '{"user":1}' },
    ]);
  });

  it('is short, and takes anything', () => {
    const found = samplingFacts(
      params({ metadata: { a: 'x'.repeat(10_000) }, stopSequences: ['y'.repeat(10_000)] }),
    );
    expect(JSON.stringify(found).length).toBeLessThan(1_000);
    expect(samplingFacts(params({ modelPreferences: 7, stopSequences: {}, toolChoice: [] }))).toEqual([]);
  });
});
