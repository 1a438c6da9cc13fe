import { describe, expect, it } from 'vitest';
import type { InputItem, InputKind } from '../../contract/generated';
import { runTask } from '../background/tasks';
import type { Checked } from '../form/check/checker';
import type { Validation } from '../form/check/validate';
import { checkAnswer, endingAnswer, quickAnswers, skeletonOf } from './inputAnswer';

const ask = (kind: InputKind, params: object) => ({ kind, paramsJson: JSON.stringify(params) });

const form = ask('elicitation', {
  message: 'Who are you?',
  requestedSchema: {
    type: 'object',
    properties: {
      name: { type: 'string' },
      age: { type: 'integer', minimum: 18 },
      plan: { type: 'string', enum: ['free', 'pro'] },
      colour: { type: 'string', oneOf: [{ const: 'r', title: 'Red' }] },
      tags: { type: 'array', minItems: 1, items: { anyOf: [{ const: 'a', title: 'A' }] } },
      news: { type: 'boolean', default: true },
      note: { type: 'string' },
    },
    required: ['name', 'age', 'plan', 'colour', 'tags'],
  },
});

/** What the worker finds. */
const contentProblems = (content: Checked) => {
  const { value } = runTask({ type: 'check', ...content }) as { value: Validation };
  return value.type === 'checked' ? value.problems : [];
};

const problemsOf = (of: ReturnType<typeof ask>, answer: unknown): string[] => {
  const check = checkAnswer(of, JSON.stringify(answer));
  if (check.type === 'broken') return ['broken'];
  if (check.content === null) return check.problems.map(({ pointer }) => pointer);
  return contentProblems(check.content).map(({ pointer }) => `/content${pointer}`);
};

describe('skeletonOf', () => {
  it('accepts with the defaults, and leaves what is required without one to the user', () => {
    expect(JSON.parse(skeletonOf(form))).toEqual({
      action: 'accept',
      content: { news: true },
    });
    const check = checkAnswer(form, skeletonOf(form));
    const problems = check.type === 'object' && check.content !== null ? contentProblems(check.content) : [];
    expect(problems.map(({ missing }) => missing)).toEqual([true, true, true, true, true]);
  });

  it('keeps the text of numbers', () => {
    const schema =
      '{"requestedSchema":{"type":"object","properties":{"n":{"type":"number","default":9007199254740993.10}}}}';
    expect(skeletonOf({ kind: 'elicitation', paramsJson: schema })).toContain('9007199254740993.10');
  });

  it('accepts a URL without content', () => {
    expect(JSON.parse(skeletonOf(ask('elicitation', { mode: 'url', url: 'https://a/' })))).toEqual({
      action: 'accept',
    });
  });

  it.each([['{'], ['[]'], ['{"requestedSchema": 1}'], ['{"requestedSchema":{"properties":{"a":1}}}']])(
    'survives invalid params: %s',
    (paramsJson) => {
      for (const kind of ['elicitation', 'sampling', 'roots'] as const) {
        expect(checkAnswer({ kind, paramsJson }, skeletonOf({ kind, paramsJson })).type).toBe('object');
      }
    },
  );
});

describe('checkAnswer', () => {
  it('lets nothing pass that is not a JSON object', () => {
    for (const text of ['', '{', '[1]', '"x"', 'null']) {
      expect(checkAnswer(form, text).type).toBe('broken');
    }
  });

  it('holds content against the schema, and only of an answer that accepts', () => {
    expect(problemsOf(form, { action: 'accept', content: { name: 1, age: 3, plan: 'x' } })).toEqual(
      expect.arrayContaining(['/content/name', '/content/age', '/content/plan']),
    );
    expect(problemsOf(form, { action: 'accept' })).toEqual(['/content']);
    expect(problemsOf(form, { action: 'decline' })).toEqual([]);
    expect(problemsOf(form, { action: 'decline', content: {} })).toEqual(['/content']);
    expect(problemsOf(form, { action: 'yes' })).toEqual(['/action']);
  });

  it('finds what is missing of a sampling answer', () => {
    const sampling = ask('sampling', {});
    expect(problemsOf(sampling, {})).toEqual(['/role', '/model', '/content']);
    expect(problemsOf(sampling, JSON.parse(skeletonOf(sampling)))).toEqual(['/content/text']);
    const text = { role: 'assistant', model: 'm', content: { type: 'text', text: 'Hello' } };
    expect(problemsOf(sampling, text)).toEqual([]);
    const call = { ...text, content: [{ type: 'tool_use', id: 'c', name: 'add', input: {} }] };
    expect(problemsOf(sampling, call)).toEqual(['/content/0/name']);
    expect(problemsOf(ask('sampling', { tools: [{ name: 'add' }] }), call)).toEqual([]);
    expect(
      problemsOf(sampling, { ...text, stopReason: 7, content: [{ type: 'video' }, 7, { type: 'image' }] }),
    ).toEqual(['/stopReason', '/content/0/type', '/content/1', '/content/2/data', '/content/2/mimeType']);
  });

  it('begins with no roots, and takes only file URIs', () => {
    const roots = ask('roots', {});
    expect(JSON.parse(skeletonOf(roots))).toEqual({ roots: [] });
    expect(problemsOf(roots, { roots: [{ uri: '/home' }, { uri: 'file:///home' }] })).toEqual([
      '/roots/0/uri',
    ]);
    expect(problemsOf(roots, { roots: [] })).toEqual([]);
    expect(problemsOf(roots, {})).toEqual(['/roots']);
  });
});

const asked = (kind: InputKind, round: InputItem['round'] = null) => ({ kind, round });

describe('endingAnswer', () => {
  it('says what it sends, which is nothing in a round of a call', () => {
    expect(endingAnswer(asked('sampling')).meaning).toContain('Sends error -1');
    expect(endingAnswer(asked('sampling', {} as never)).meaning).toContain('Sends nothing');
    expect(endingAnswer(asked('roots', {} as never)).meaning).toContain('Sends nothing');
    expect(endingAnswer(asked('elicitation')).answer).toEqual({
      type: 'result',
      json: '{"action":"cancel"}',
    });
  });
});

describe('quickAnswers', () => {
  it('tells decline and cancel apart, rejects sampling with an error, shares no roots', () => {
    expect(quickAnswers(asked('elicitation')).map(({ answer }) => answer)).toEqual([
      { type: 'result', json: '{"action":"decline"}' },
      { type: 'result', json: '{"action":"cancel"}' },
    ]);
    expect(quickAnswers(asked('sampling'))[0]?.answer).toMatchObject({ type: 'error', code: -1 });
    expect(quickAnswers(asked('sampling'))[0]?.meaning).toContain('Sends error -1');
    // An answer in a round of a call has no place for an error.
    expect(quickAnswers(asked('sampling', { call: 'c', at: 0 } as never))[0]?.meaning).toContain(
      'Sends nothing',
    );
    expect(quickAnswers(asked('roots'))[0]?.answer).toEqual({ type: 'result', json: '{"roots":[]}' });
  });
});
