import type { ChatAnswers, ChatItem, ModelItem, ProviderItem } from '../../contract/generated';

/** What a conversation uses of its model. */
export interface Usage {
  /** The tokens that the newest answer read and wrote: about what the next request begins with. Null if no provider counted them. */
  context: number | null;
  /** The context of the model that answers next, in tokens. Null if its provider does not say. */
  size: number | null;
  /** What the shown answers with a known price cost, in US dollars: not those of other versions, nor requests that failed. Null if there is none. */
  cost: number | null;
  /** The number of shown model answers whose price or tokens are not known. */
  unpriced: number;
}

/** The usage of a conversation, as far as providers count tokens and tell their prices. */
export function usageOf(
  items: readonly ChatItem[],
  answers: ChatAnswers,
  providers: readonly ProviderItem[],
): Usage {
  const models = modelsByName(providers);
  const usage: Usage = { context: null, size: null, cost: null, unpriced: 0 };
  for (const item of items) {
    if (item.type !== 'answer' || !item.byModel) continue;
    const { inputTokens, outputTokens } = item;
    if (inputTokens !== null) usage.context = inputTokens + (outputTokens ?? 0);
    const price = models.get(item.by)?.price;
    if (price === undefined || price === null || inputTokens === null || outputTokens === null)
      usage.unpriced += 1;
    else usage.cost = (usage.cost ?? 0) + (inputTokens * price.input + outputTokens * price.output) / 1e6;
  }
  if (answers.type === 'model') {
    const provider = providers.find(({ id }) => id === answers.providerId);
    usage.size = provider?.models?.find(({ id }) => id === answers.model)?.context ?? null;
  }
  return usage;
}

/** The listed models by the name that answers carry: the model and its provider. */
function modelsByName(providers: readonly ProviderItem[]): Map<string, ModelItem> {
  return new Map(
    providers.flatMap(({ name, models }) => (models ?? []).map((model) => [`${model.id} · ${name}`, model])),
  );
}

/** A part of the context, in percent: below one "<1%". */
export function percentOf(context: number, size: number): string {
  const percent = (100 * context) / size;
  return percent > 0 && percent < 1 ? '<1%' : `${Math.round(percent)}%`;
}
