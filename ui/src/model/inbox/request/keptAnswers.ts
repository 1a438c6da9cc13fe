import type { InputId, InputItem } from '../../../contract/generated';
import type { InputsState, InputsStore, MayKeep } from '../inputs';
import type { KeptTurns } from '../sampling/keptTurns';
import type { ModelOfRequest, Sampling, SamplingStore } from '../sampling/sampling';

/** What was begun about requests of servers and not sent, for a page that is reloaded while they wait. */

/** What was begun about one request. */
export interface BegunAnswer {
  /** Names the request: the ids of requests begin again when Patchbay is started. */
  of: string;
  /** The answer as text. */
  draft?: string;
  /** A request for a model as edited, and which messages it has left. */
  request?: string;
  turns?: KeptTurns;
  model?: ModelOfRequest;
}

function nameOf({ serverId, seq, key, waitingSinceMs }: InputItem): string {
  return [serverId, seq, key, waitingSinceMs].join(' ');
}

/** What was begun about the pending requests; nothing of an answer that may hold a secret. */
export function begunAnswers(
  { items, drafts, keepers }: Pick<InputsState, 'items' | 'drafts' | 'keepers'>,
  { requests, turns, models }: Pick<Sampling, 'requests' | 'turns' | 'models'>,
): BegunAnswer[] {
  return items.flatMap((item) => {
    const { id } = item;
    const draft = keptDraft(item, drafts[id], keepers[id]);
    const begun: BegunAnswer = {
      of: nameOf(item),
      ...(draft !== undefined && { draft }),
      ...(requests[id] !== undefined && { request: requests[id] }),
      ...(turns[id] !== undefined && { turns: turns[id] }),
      ...(models[id] !== undefined && { model: models[id] }),
    };
    return Object.keys(begun).length > 1 ? [begun] : [];
  });
}

function keptDraft(
  item: InputItem,
  draft: string | undefined,
  mayKeep: MayKeep | undefined,
): string | undefined {
  if (draft === undefined || item.kind !== 'elicitation') return draft;
  return mayKeep?.(item, draft) === true ? draft : undefined;
}

/** What was written down may be written down again. */
const may: MayKeep = () => true;

/** Goes on with what was begun about the requests that still wait, as soon as they are pulled. What was written since then stays. */
export function restoreAnswers(
  begun: readonly BegunAnswer[],
  { inputs, sampling }: { inputs: InputsStore; sampling: SamplingStore },
): void {
  if (begun.length === 0) return;
  const stop = inputs.subscribe(({ items, drafts }, before) => {
    if (items === before.items) return;
    stop();
    for (const item of items) {
      const found = begun.find(({ of }) => of === nameOf(item));
      if (found === undefined) continue;
      const { draft, ...rest } = found;
      restore(item.id, { ...rest, ...(draft !== undefined && drafts[item.id] === undefined && { draft }) });
    }
  });

  function restore(id: InputId, { draft, request, turns, model }: Partial<BegunAnswer>): void {
    if (draft !== undefined) inputs.keepDraft(id, draft, may);
    if (request !== undefined) sampling.edit(id, request, turns);
    if (model !== undefined) sampling.choose(id, model);
  }
}
