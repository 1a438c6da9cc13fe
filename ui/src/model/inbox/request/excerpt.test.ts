import { describe, expect, it } from 'vitest';
import { editedText, excerptOf } from './excerpt';

const message = (text: string) => ({ role: 'user', content: { type: 'text', text } });
const result = { role: 'user', content: [{ type: 'tool_result', toolUseId: 't', content: [] }] };

function excerpt(params: unknown, from = -2, count = 2) {
  const found = excerptOf(JSON.stringify(params), from, count);
  return { ...found, params: JSON.parse(found.json) as Record<string, unknown> };
}

describe('excerptOf', () => {
  const request = {
    systemPrompt: 'Be "brief": [1, 2] {',
    messages: [message('a\\"[{'), result, message('the word tool_result'), message('c'), message('d')],
    maxTokens: 5,
  };

  it('has the messages in view, and everything around them', () => {
    const { params, ...facts } = excerpt(request);
    expect(params).toEqual({ ...request, messages: request.messages.slice(3) });
    expect(facts).toMatchObject({ messages: 5, from: 3, toolRounds: 1, isCut: false });
    expect(excerpt(request, 1, 2)).toMatchObject({
      from: 1,
      params: { messages: request.messages.slice(1, 3) },
    });
    expect(excerpt(request, 90, 2)).toMatchObject({
      from: 4,
      params: { messages: request.messages.slice(4) },
    });
    expect(excerpt({ messages: [] })).toMatchObject({ from: 0, messages: 0, params: { messages: [] } });
  });

  it('keeps the text of numbers, and white space is no matter', () => {
    const json = ' {"messages" : [ {"n" : 9007199254740993} , 1.10 ] , "t":1e5}\n';
    expect(excerptOf(json, -2, 2).json).toBe('{"messages":[{"n":9007199254740993},1.10],"t":1e5}');
  });

  it('is bounded whatever is large', () => {
    const many = (count: number, of: unknown) => Array.from({ length: count }, () => of);
    let deep: unknown = 'x';
    for (let depth = 0; depth < 1_000; depth += 1) deep = [deep];
    for (const params of [
      { tools: many(50_000, { name: 't', inputSchema: { properties: { a: {} } } }) },
      { messages: [{ role: 'user', content: many(50_000, { type: 'text', text: 'x' }) }] },
      { messages: many(50_000, message('x')) },
      { metadata: Object.fromEntries(many(50_000, 0).map((_, at) => [`m${at}`, at])) },
      { metadata: 'x'.repeat(5_000_000) },
      { messages: [message('x')], metadata: deep },
    ]) {
      const { json, isCut } = excerptOf(JSON.stringify(params), -8, 8);
      expect(json.length).toBeLessThan(300_000);
      expect(isCut || 'messages' in params).toBe(true);
      JSON.parse(json);
    }
  });

  it.each([
    '',
    '7',
    '{',
    '{"messages":',
    '{"messages":[',
    '{"messages":[1',
    '{"a" 1}',
    '{a:1}',
    '{"a":1 "b":2}',
    '{"a":"',
  ])('rejects what is not JSON: %s', (json) => {
    expect(() => excerptOf(json, -8, 8)).toThrow();
  });
});

describe('edits of a request', () => {
  const request =
    '{"messages":[{"role":"user","content":[{"type":"text","text":"a"}]},{"role":"user","content":"b"}],"maxTokens":9007199254740993}';

  it('change one thing and keep everything else as it is written', () => {
    expect(editedText(request, { type: 'turnText', turn: 0, block: 0, text: 'A"' })).toBe(
      request.replace('"a"', '"A\\""'),
    );
    expect(editedText(request, { type: 'turnText', turn: 1, block: 0, text: 'B' })).toBe(
      request.replace('"b"', '"B"'),
    );
    expect(editedText(request, { type: 'param', name: 'systemPrompt', valueJson: '"S"' })).toBe(
      request.replace(/}$/, ',"systemPrompt":"S"}'),
    );
    expect(editedText(request, { type: 'param', name: 'maxTokens', valueJson: '7' })).toContain(
      '"maxTokens":7}',
    );
    expect(editedText(request, { type: 'param', name: 'maxTokens', valueJson: null })).not.toContain(
      'maxTokens',
    );
    expect(JSON.parse(editedText(request, { type: 'removeTurn', turn: 0 }))).toMatchObject({
      messages: [{ content: 'b' }],
    });
  });

  it('leave alone what is not there', () => {
    expect(editedText(request, { type: 'turnText', turn: 2, block: 0, text: 'b' })).toBe(request);
    expect(editedText(request, { type: 'turnText', turn: 0, block: 1, text: 'b' })).toBe(request);
    expect(editedText(request, { type: 'removeTurn', turn: 3 })).toBe(request);
  });
});
