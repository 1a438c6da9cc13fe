import { describe, expect, it } from 'vitest';
import { type JsonObject, parseJson } from '../../text/json';
import { bytesOf, conversationOf } from './conversation';

const of = (params: unknown) => {
  const parsed = parseJson(JSON.stringify(params));
  return conversationOf((parsed.ok ? parsed.value : {}) as JsonObject);
};

describe('conversationOf', () => {
  it('reads every type of content, nested results too', () => {
    const { system, turns, tools } = of({
      systemPrompt: 'Be brief.',
      messages: [
        { role: 'user', content: { type: 'text', text: 'Hi' } },
        {
          role: 'user',
          content: [
            { type: 'image', mimeType: 'image/png', data: 'AAAA' },
            { type: 'audio', data: 'AA==' },
          ],
        },
        { role: 'assistant', content: { type: 'tool_use', id: 't1', name: 'add', input: { a: 1 } } },
        {
          role: 'user',
          content: [
            {
              type: 'tool_result',
              toolUseId: 't1',
              isError: true,
              content: [
                { type: 'resource_link', uri: 'file:///a', name: 'a' },
                { type: 'resource', resource: { uri: 'b:', mimeType: 'text/plain', text: 'B' } },
              ],
              structuredContent: { n: 2 },
            },
          ],
        },
      ],
      tools: [{ name: 'add', description: 'Adds.', inputSchema: { type: 'object' } }, 7],
    });
    expect(system).toBe('Be brief.');
    expect(tools.map(({ name }) => name)).toEqual(['add']);
    expect(turns.map(({ role, blocks }) => [role, blocks.map(({ type }) => type)])).toEqual([
      ['user', ['text']],
      ['user', ['media', 'media']],
      ['assistant', ['toolUse']],
      ['user', ['toolResult']],
    ]);
    expect(turns[3]?.blocks[0]).toMatchObject({
      isError: true,
      blocks: [
        { type: 'link', uri: 'file:///a' },
        { type: 'resource', text: 'B', blob: null },
      ],
    });
  });

  it('takes anything else as it is', () => {
    for (const params of [
      {},
      { messages: 7 },
      { messages: [7, null, {}, { role: 7, content: 7 }] },
      { tools: {} },
    ]) {
      expect(() => of(params)).not.toThrow();
    }
    expect(of({ messages: [{ role: 'user', content: { type: 'video' } }] }).turns[0]?.blocks).toMatchObject([
      { type: 'unknown', kind: 'video' },
    ]);
    // A result within a result within a result …
    let block: object = { type: 'text', text: 'x' };
    for (let i = 0; i < 50; i += 1) block = { type: 'tool_result', toolUseId: 't', content: [block] };
    expect(() => of({ messages: [{ role: 'user', content: block }] })).not.toThrow();
  });
});

it('bytes are those of base64, or none', () => {
  expect(new Uint8Array(bytesOf('AQID')!)).toEqual(new Uint8Array([1, 2, 3]));
  expect(bytesOf('AQ\nID')?.byteLength).toBe(3);
  expect(bytesOf('not base64!')).toBeNull();
});
