import { useStore } from 'zustand';
import type { Seq, ServerId } from '../../contract/generated';
import { useModel } from '../workspace/context';
import type { ComposerDraft } from './composer';
import type { ExchangesState } from './exchanges';

/** The newest record in which this page has sent a record again; null if it has not. */
export function useNewestRepeat(seq: Seq | null): Seq | null {
  const { exchanges, composer } = useModel();
  const request = useStore(exchanges, (lists) => newestRequest(lists, seq));
  const message = useStore(composer, (drafts) => newestMessage(drafts, seq));
  return newestOf(request, message);
}

function newestRequest(lists: ExchangesState, seq: Seq | null): Seq | null {
  let newest: Seq | null = null;
  for (const { items } of Object.values(lists)) {
    // A list holds requests of one kind.
    if (items[0]?.request.type !== 'raw') continue;
    for (const { request, requestSeq } of items) {
      if (request.type === 'raw' && request.repeats === seq) newest = newestOf(newest, requestSeq);
    }
  }
  return newest;
}

function newestMessage(drafts: Record<ServerId, ComposerDraft>, seq: Seq | null): Seq | null {
  return Object.values(drafts)
    .filter(({ repeats }) => repeats === seq)
    .reduce<Seq | null>((newest, { sent }) => newestOf(newest, sent), null);
}

function newestOf(a: Seq | null, b: Seq | null): Seq | null {
  if (a === null || b === null) return a ?? b;
  return Number(a) > Number(b) ? a : b;
}
