import { expect, it } from 'vitest';
import type { ChatItem, ProviderId, ProviderItem } from '../../contract/generated';
import { percentOf, usageOf } from './usage';

type Answer = Extract<ChatItem, { type: 'answer' }>;

function answer(by: string, inputTokens: number | null, outputTokens: number | null): Answer {
  return {
    type: 'answer',
    id: `${by}${inputTokens}`,
    atMs: 0,
    by,
    byModel: by !== 'You',
    text: null,
    thinking: null,
    calls: 0,
    stopReason: null,
    incomplete: null,
    inputTokens,
    outputTokens,
    tookMs: 1,
    seq: null,
    masked: null,
  };
}

const provider: ProviderItem = {
  id: 'p' as ProviderId,
  name: 'Router',
  api: 'chatCompletions',
  baseUrl: 'http://127.0.0.1:1/v1',
  hasKey: false,
  defaultModel: null,
  models: [
    { id: 'big', name: null, context: 200_000, price: { input: 3, output: 15 }, images: null },
    { id: 'free', name: null, context: null, price: null, images: null },
  ],
};
const answers = { type: 'model' as const, providerId: provider.id, model: 'big' };

it('is the context of the newest answer and the cost of all', () => {
  const items = [
    answer('big · Router', 1000, 100),
    answer('You', null, null),
    answer('big · Router', 2000, 200),
  ];
  const { cost, ...rest } = usageOf(items, answers, [provider]);
  expect(rest).toEqual({ context: 2200, size: 200_000, unpriced: 0 });
  expect(cost).toBeCloseTo((3000 * 3 + 300 * 15) / 1e6, 12);
});

it('counts what has no price, and takes nothing for free that is unknown', () => {
  const items = [
    answer('free · Router', 10, 1),
    answer('big · Router', 1000, null),
    answer('big · Elsewhere', 5, 5),
    answer('big · Router', null, null),
  ];
  expect(usageOf(items, answers, [provider])).toEqual({
    context: 10,
    size: 200_000,
    cost: null,
    unpriced: 4,
  });
});

it('knows no size of a model that was not listed, or where the user answers', () => {
  const listed = { ...answers, model: 'other' };
  expect(usageOf([], listed, [provider]).size).toBeNull();
  expect(usageOf([], answers, [{ ...provider, models: null }]).size).toBeNull();
  expect(usageOf([], { type: 'manual' }, [provider])).toEqual({
    context: null,
    size: null,
    cost: null,
    unpriced: 0,
  });
});

it('writes a part of the context in percent', () => {
  expect([percentOf(0, 100), percentOf(1, 1000), percentOf(2200, 200_000), percentOf(300, 200)]).toEqual([
    '0%',
    '<1%',
    '1%',
    '150%',
  ]);
});
