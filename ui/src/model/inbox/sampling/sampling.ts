import { createStore, type StoreApi } from 'zustand/vanilla';
import type {
  CommandError,
  InputId,
  ModelFailure,
  ProviderId,
  SamplingEvent,
} from '../../../contract/generated';
import type { Host, StreamHandle } from '../../../host/host';
import { formatDuration } from '../../text/format';
import { MAX_LIVE, parseJson, writeJson } from '../../text/json';
import type { KeptTurns } from './keptTurns';

/** Answers of models to pending requests, and the requests as the user edited them. Kept while the dialog is closed. */
export interface Sampling {
  /** The requests as edited; none if unchanged. */
  requests: Partial<Record<InputId, string>>;
  /** Which messages these have left; none if they were edited as JSON. */
  turns: Partial<Record<InputId, KeptTurns>>;
  /** The chosen models; none if the user chose none. */
  models: Partial<Record<InputId, ModelOfRequest>>;
  runs: Partial<Record<InputId, SamplingRun>>;
  /** What models answered last. */
  answers: Partial<Record<InputId, ModelAnswer>>;
}

/** The answer of a model as JSON text. */
export interface ModelAnswer {
  text: string;
  /** Whether it became the draft: one that the user wrote is not replaced. */
  isUsed: boolean;
}

export interface ModelOfRequest {
  providerId: ProviderId;
  model: string;
}

/** A model that answers, or has answered. */
export interface SamplingRun {
  state: 'running' | 'finished' | 'stopped' | 'failed';
  model: string;
  /** The text so far. */
  text: string;
  /** What the model thought so far; not part of the answer. */
  thinking: string;
  /** The calls of tools so far. */
  calls: { name: string; input: string }[];
  failure: ModelFailure | null;
  /** Tokens and duration. */
  facts: string;
}

export type SamplingStore = StoreApi<Sampling> & {
  /** Keeps an edited request, with the messages that it has left, if that is known. */
  edit(id: InputId, paramsJson: string | undefined, kept?: KeptTurns): void;
  /** The texts of the request that are being edited and not applied, by place: the caller changes them. */
  draftsOf(id: InputId): Map<string, string>;
  /** Keeps what a model answered. */
  answered(id: InputId, answer: ModelAnswer): void;
  /** Keeps the chosen model. */
  choose(id: InputId, choice: ModelOfRequest): void;
  /** Sends the request to a model. `onResult` gets the answer as JSON text. */
  generate(
    id: InputId,
    choice: ModelOfRequest,
    paramsJson: string,
    onResult: (resultJson: string) => void,
  ): void;
  /** Stops the model. What arrived so far goes to `onResult` of its start. */
  stop(id: InputId): void;
  /** Forgets the requests that are no longer shown, and stops their models. */
  keepOnly(ids: ReadonlySet<InputId>): void;
};

export function createSampling(host: Host): SamplingStore {
  const store = createStore<Sampling>(() => ({ requests: {}, turns: {}, models: {}, runs: {}, answers: {} }));
  const open = new Map<InputId, { handle: StreamHandle; onResult: (resultJson: string) => void }>();
  const drafts = new Map<InputId, Map<string, string>>();
  /** Pieces that are not shown yet: at most one update per frame, however many tokens arrive. */
  const pending = new Map<InputId, SamplingEvent[]>();
  let scheduled = false;

  function flush(): void {
    scheduled = false;
    store.setState(({ runs }) => {
      const next = { ...runs };
      for (const [id, events] of pending) {
        const run = next[id];
        if (run !== undefined) next[id] = events.reduce(apply, run);
      }
      pending.clear();
      return { runs: next };
    });
  }

  function take(id: InputId, event: SamplingEvent): void {
    const known = pending.get(id);
    if (known === undefined) pending.set(id, [event]);
    else known.push(event);
    if (event.type === 'finished' || event.type === 'failed') flush();
    else if (!scheduled) {
      scheduled = true;
      setTimeout(flush, 16);
    }
    if (event.type === 'finished') open.get(id)?.onResult(event.resultJson);
  }

  function end(id: InputId, error: CommandError | undefined): void {
    if (error !== undefined) {
      const failure = { cause: error.message, next: '', retryAfterMs: null };
      take(id, { type: 'failed', failure });
    }
    flush();
    const onResult = open.get(id)?.onResult;
    open.delete(id);
    stopped(id, onResult);
  }

  /** Hands over what arrived of an answer without an end. */
  function stopped(id: InputId, onResult: ((resultJson: string) => void) | undefined): void {
    const run = store.getState().runs[id];
    if (run?.state !== 'running') return;
    put(id, { ...run, state: 'stopped' });
    if (run.text !== '') onResult?.(partialResult(run));
  }

  function put(id: InputId, run: SamplingRun | undefined): void {
    store.setState(({ runs }) => ({ runs: { ...runs, [id]: run } }));
  }

  function close(id: InputId): void {
    open.get(id)?.handle.close();
    open.delete(id);
    flush();
  }

  return Object.assign(store, {
    edit(id: InputId, paramsJson: string | undefined, kept?: KeptTurns): void {
      store.setState(({ requests, turns }) => ({
        requests: { ...requests, [id]: paramsJson },
        turns: { ...turns, [id]: kept },
      }));
    },
    draftsOf(id: InputId): Map<string, string> {
      const known = drafts.get(id) ?? new Map<string, string>();
      drafts.set(id, known);
      return known;
    },
    answered(id: InputId, answer: ModelAnswer): void {
      store.setState(({ answers }) => ({ answers: { ...answers, [id]: answer } }));
    },
    choose(id: InputId, choice: ModelOfRequest): void {
      store.setState(({ models }) => ({ models: { ...models, [id]: choice } }));
    },
    generate(
      id: InputId,
      { providerId, model }: ModelOfRequest,
      paramsJson: string,
      onResult: (resultJson: string) => void,
    ): void {
      close(id);
      // Where nobody used it, it is not taken for that of this run.
      store.setState(({ answers }) => ({
        answers: answers[id]?.isUsed === false ? { ...answers, [id]: undefined } : answers,
      }));
      put(id, {
        state: 'running',
        model,
        text: '',
        thinking: '',
        calls: [],
        failure: null,
        facts: '',
      });
      const handle = host.openStream(
        'sampling_generate',
        { inputId: id, providerId, model, paramsJson },
        { onEvent: (event) => take(id, event), onEnd: (error) => end(id, error) },
      );
      open.set(id, { handle, onResult });
    },
    stop(id: InputId): void {
      const onResult = open.get(id)?.onResult;
      close(id);
      stopped(id, onResult);
    },
    keepOnly(ids: ReadonlySet<InputId>): void {
      for (const id of open.keys()) if (!ids.has(id)) close(id);
      for (const id of drafts.keys()) if (!ids.has(id)) drafts.delete(id);
      store.setState(({ requests, turns, models, runs, answers }) => ({
        requests: only(requests, ids),
        turns: only(turns, ids),
        models: only(models, ids),
        runs: only(runs, ids),
        answers: only(answers, ids),
      }));
    },
  });
}

function only<T>(all: Partial<Record<InputId, T>>, ids: ReadonlySet<InputId>): Partial<Record<InputId, T>> {
  return Object.fromEntries(Object.entries(all).filter(([id]) => ids.has(id as InputId)));
}

function apply(run: SamplingRun, event: SamplingEvent): SamplingRun {
  switch (event.type) {
    case 'text':
      return { ...run, text: run.text + event.text };
    case 'thinking':
      return { ...run, thinking: run.thinking + event.text };
    case 'toolUse':
      return { ...run, calls: [...run.calls, { name: event.name, input: '' }] };
    case 'toolInput': {
      const last = run.calls.at(-1);
      if (last === undefined) return run;
      return { ...run, calls: [...run.calls.slice(0, -1), { ...last, input: last.input + event.text }] };
    }
    case 'finished':
      return { ...run, state: 'finished', facts: usage(event) };
    case 'failed':
      return { ...run, state: 'failed', failure: event.failure };
  }
}

function usage(event: Extract<SamplingEvent, { type: 'finished' }>): string {
  const { inputTokens, outputTokens, tookMs } = event;
  const tokens = [
    inputTokens === null ? [] : [`${inputTokens} tokens in`],
    outputTokens === null ? [] : [`${outputTokens} tokens out`],
  ].flat();
  return [...tokens, formatDuration(tookMs)].join(' · ');
}

/** The text that arrived before the model was stopped, as a result. Unfinished calls of tools are left out. */
function partialResult({ text, model }: SamplingRun): string {
  return writeJson({ role: 'assistant', content: { type: 'text', text }, model, stopReason: 'endTurn' });
}

/** Whether a text can be sent as a request: it is JSON. A long one is checked by the engine only. */
export function isRequest(text: string): boolean {
  return text.length > MAX_LIVE || parseJson(text).ok;
}
