import { useEffect, useState } from 'react';
import type {
  CompletionCompleteParams,
  CompletionCompleteResponse,
  ConnectionId,
} from '../../contract/generated';
import { commandError } from '../store/errors';
import { useModel } from '../workspace/context';

/** How long to wait for further keys before the server is asked, in ms. */
const DEBOUNCE_MS = 200;

export interface Completion {
  /** The values the server proposes for the latest text; until they arrive, those for an earlier text. */
  values: readonly string[];
  total: number | null;
  hasMore: boolean;
  isLoading: boolean;
  /** Why the server was not able to propose values. */
  error: string | null;
}

const NONE: CompletionCompleteResponse = { values: [], total: null, hasMore: false, seq: null };

/**
 * The values a server proposes for an argument, debounced and cached. Null asks for nothing. A server that is slow to answer
 * is asked for the latest text when it has answered.
 */
export function useCompletion(
  connectionId: ConnectionId | null,
  params: CompletionCompleteParams | null,
): Completion {
  const { completions } = useModel();
  const [known, setKnown] = useState<{
    key: string;
    answer: CompletionCompleteResponse;
    error: string | null;
  }>({
    key: '',
    answer: NONE,
    error: null,
  });
  const key = connectionId === null || params === null ? '' : JSON.stringify([connectionId, params]);
  useEffect(() => {
    if (key === '' || connectionId === null || params === null) return undefined;
    const stop = new AbortController();
    const { signal } = stop;
    const timer = setTimeout(() => {
      completions.complete(connectionId, params, signal).then(
        (answer) => !signal.aborted && setKnown({ key, answer, error: null }),
        (thrown: unknown) =>
          !signal.aborted && setKnown({ key, answer: NONE, error: commandError(thrown).message }),
      );
    }, DEBOUNCE_MS);
    return () => {
      stop.abort();
      clearTimeout(timer);
    };
    // The key has everything in it.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [completions, key]);
  if (key === '') return { ...NONE, isLoading: false, error: null };
  return { ...known.answer, isLoading: known.key !== key, error: known.error };
}
