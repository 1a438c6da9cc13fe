import { describe, expect, it } from 'vitest';
import type { ServerId } from '../../../contract/generated';
import { type JsonObject, parseJson } from '../../text/json';
import { type UiState, initialUiState, readUiState } from '../../workspace/uiState';
import { answerInWords, offeredAnswers, withAnswer, withoutAnswers } from './earlierAnswers';

const S = 's' as ServerId;
const json = (value: object): JsonObject => {
  const parsed = parseJson(JSON.stringify(value));
  if (!parsed.ok) throw new Error('not JSON');
  return parsed.value as JsonObject;
};
const asking = (properties: object): JsonObject => json({ requestedSchema: { type: 'object', properties } });
const keep = (state: UiState, properties: object, content: object, atMs = 1): UiState =>
  withAnswer(state, S, { params: asking(properties), content: json(content), atMs });
const offered = (state: UiState, properties: object, current: object = {}) =>
  offeredAnswers(state, S, asking(properties), json(current)).map(({ content }) => answerInWords(content));

const NAME = { name: { type: 'string' }, age: { type: 'integer', maximum: 100 } };

describe('earlier answers', () => {
  it('are offered again to the same server, without fields that look like secrets', () => {
    const asked = { ...NAME, api_key: { type: 'string' }, note: { type: 'string', title: 'Your password' } };
    const state = keep(initialUiState, asked, { name: 'Ada', age: 36, api_key: 'k', note: 'p' });
    expect(JSON.stringify(state.earlierAnswers)).not.toMatch(/"k"|"p"|api_key|note/);
    expect(offered(state, asked)).toEqual(['name: Ada · age: 36']);
    expect(offeredAnswers(state, 'other' as ServerId, asking(asked), {})).toEqual([]);
    expect(offered(withoutAnswers(state, S), asked)).toEqual([]);
  });

  it('have nothing of a field in any part of which there is a secret', () => {
    const login = { type: 'object', properties: { user: { type: 'string' }, password: { type: 'string' } } };
    const asked = {
      ...NAME,
      login,
      referred: { $ref: '#/properties/login' },
      logins: { type: 'array', items: { $ref: '#/properties/login' } },
      either: { anyOf: [{ type: 'null' }, { type: 'string', title: 'Your API key' }] },
      free: { type: 'object' },
    };
    const hidden = { user: 'u', password: 'hidden' };
    const content = { login: hidden, referred: hidden, logins: [hidden], either: 'hidden', free: hidden };
    const state = keep(initialUiState, asked, { name: 'Ada', ...content });
    expect(JSON.stringify(state.earlierAnswers)).not.toContain('hidden');
    expect(offered(state, asked)).toEqual(['name: Ada']);
    // Neither is it offered if it was kept before.
    const contentJson = JSON.stringify(content);
    expect(offered({ ...state, earlierAnswers: { [S]: [{ contentJson, atMs: 1 }] } }, asked)).toEqual([]);
  });

  it('have a field that leads back to itself, and a choice that is named like a secret', () => {
    const asked = {
      tree: { type: 'object', properties: { inner: { $ref: '#/properties/tree' } } },
      by: { type: 'string', oneOf: [{ const: 'a', title: 'Password' }] },
    };
    const state = keep(initialUiState, asked, { tree: { inner: {} }, by: 'a' });
    expect(offered(state, asked)).toEqual(['tree: {"inner":{}} · by: a']);
  });

  it('fill in what fits a request, and are not offered if they change nothing', () => {
    let state = keep(initialUiState, NAME, { name: 'Ada', age: 36 });
    state = keep(state, { name: { type: 'string' } }, { name: 'Grace' }, 2);
    expect(offered(state, NAME)).toEqual(['name: Ada · age: 36', 'name: Grace']);
    expect(offered(state, { name: { type: 'string', maxLength: 4 } })).toEqual(['name: Ada']);
    expect(offered(state, NAME, { name: 'Ada', age: 36 })).toEqual(['name: Grace']);
    expect(offered(state, { age: { type: 'integer', maximum: 30 } })).toEqual([]);
    // A field that has become one for a secret gets nothing.
    expect(offered(state, { name: { type: 'string', format: 'password' } })).toEqual([]);
  });

  it('are offered while patterns that could take long are not tried, as the dialog is being drawn', () => {
    const text = `${'a'.repeat(40)}!`;
    const state = keep(initialUiState, NAME, { name: text });
    for (const slow of [{ pattern: '^(a+)+$' }, { pattern: '^(.+)+\\u0000$' }, { format: 'url' }]) {
      expect(offered(state, { name: { type: 'string', ...slow } })).toEqual([`name: ${text}`]);
    }
    expect(offered(state, { name: { type: 'string', pattern: '^b+$' } })).toEqual([]);
    // A schema that would be looked at for long is given up: nothing is offered.
    const doubling = Object.fromEntries(
      Array.from({ length: 40 }, (_, at) => {
        const next = { $ref: `#/properties/l${at + 1}` };
        return [`l${at}`, at === 39 ? {} : { allOf: [next, next] }];
      }),
    );
    expect(offered(state, { ...doubling, name: { $ref: '#/properties/l0' } })).toEqual([]);
  });

  it('are bounded, not kept when that is turned off, and survive a restart', () => {
    let state: UiState = initialUiState;
    for (let i = 0; i < 30; i += 1) state = keep(state, NAME, { name: `n${i}` }, i);
    expect(state.earlierAnswers[S]).toHaveLength(20);
    expect(keep(state, NAME, { name: 'x'.repeat(30_000) })).toBe(state);
    const off = { ...state, keepsAnswers: false };
    expect(keep(off, NAME, { name: 'new' })).toBe(off);
    expect(readUiState(JSON.stringify(state)).earlierAnswers).toEqual(state.earlierAnswers);
    expect(
      readUiState('{"earlierAnswers":{"s":[{"contentJson":7},{"contentJson":"{}","atMs":1}]}}'),
    ).toMatchObject({
      earlierAnswers: { s: [{ contentJson: '{}', atMs: 1 }] },
    });
  });
});
