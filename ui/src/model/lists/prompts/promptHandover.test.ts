import { expect, it } from 'vitest';
import type { ExchangeId, Seq, ServerId } from '../../../contract/generated';
import { ScriptedHost } from '../../../host/scripted';
import { newExchange } from '../../exchange/exchange';
import type { PromptRequest } from '../../exchange/request';
import { createPromptHandover, handoverOf } from './promptHandover';
import { messagesAsMarkdown } from './promptText';
import { aMessage, aPromptResult, aText } from './prompts.fixture';

const request: PromptRequest = { type: 'prompt', name: 'p', argumentsJson: '{"a":"b"}', timeouts: null };
const exchange = {
  ...newExchange(1, 's' as ServerId, request, 0),
  exchangeId: 'e' as ExchangeId,
  responseSeq: '2' as Seq,
};
const messages = [aMessage('user', 'Hello')];

it('hands over messages and what they were made from, once', () => {
  const handover = createPromptHandover();
  const offered = handoverOf({ ...exchange, outcome: aPromptResult(messages) })!;
  expect(handover.take()).toBeNull();
  handover.offer(offered);
  expect(handover.take()).toEqual({
    serverId: 's',
    prompt: 'p',
    argumentsJson: '{"a":"b"}',
    description: null,
    messages,
    exchangeId: 'e',
    responseSeq: '2',
  });
  expect(handover.take()).toBeNull();
});

it('has nothing to hand over without messages', () => {
  expect(handoverOf(exchange)).toBeNull();
  expect(handoverOf({ ...exchange, outcome: { type: 'cancelled' } })).toBeNull();
});

it('writes every type of content as Markdown', async () => {
  const annotationsJson = null;
  const blob = { body: 'b' as never, size: 2048, annotationsJson };
  const text = await messagesAsMarkdown(new ScriptedHost(), [
    aMessage('user', '# Hello'),
    { role: '', content: { type: 'image', mimeType: 'image/png', ...blob } },
    {
      role: 'assistant',
      content: {
        type: 'resourceText',
        uri: 'file:///a',
        mimeType: null,
        text: aText('```'),
        annotationsJson,
      },
    },
    { role: 'user', content: { type: 'resourceBlob', uri: 'file:///b', mimeType: null, ...blob } },
    { role: 'user', content: { type: 'unknown', kind: 'x', reason: 'r', json: aText('{"type":"x"}') } },
  ]);
  expect(text).toBe(
    [
      '## user\n\n# Hello\n',
      '## no role\n\n(image: image/png, 2.0 kB)\n',
      '## assistant\n\nfile:///a\n\n````\n```\n````\n',
      '## user\n\n(resource: file:///b, 2.0 kB)\n',
      '## user\n\n```json\n{"type":"x"}\n```\n',
    ].join('\n'),
  );
});
