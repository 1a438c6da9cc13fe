import type { AppFrameId, BodyId, Calls, CommandError, Streams } from '../contract/generated';
import { CommandFailure, type Host, type StreamHandle, type StreamHandlers } from './host';

/** What to answer, by command. */
export type Answers = {
  [N in keyof Calls]?: (
    params: Calls[N]['params'],
  ) => Calls[N]['response'] | CommandFailure | Promise<Calls[N]['response']>;
};

/**
 * The answers of an engine that keeps the state of the window. A script that forgets it is another window that resets it: what is shown
 * goes back once a change is saved.
 */
export function keepsUiState(stateJson: string | null = null): Answers {
  let kept = stateJson;
  return {
    ui_state_get: () => ({ stateJson: kept }),
    ui_state_set: (params) => {
      kept = params.stateJson;
      return {};
    },
  };
}

/** A stream the code under test has open. */
export interface OpenStream<N extends keyof Streams = keyof Streams> {
  readonly name: N;
  readonly params: Streams[N]['params'];
  /** Whether the code under test has closed it. */
  readonly closed: boolean;
  /** Sends an event to it. */
  emit(event: Streams[N]['event']): void;
  /** Ends it. */
  end(error?: CommandError): void;
}

/** A `Host` that answers from a script: for tests only. */
export class ScriptedHost implements Host {
  readonly front = 'browser';
  /** Every call made, in order. */
  readonly calls: { name: keyof Calls; params: unknown }[] = [];
  readonly #streams: OpenStream[] = [];
  readonly #bodies = new Map<BodyId, string>();

  /** What to answer; a call without an answer rejects with `notFound`. */
  constructor(readonly answers: Answers = {}) {}

  async call<N extends keyof Calls>(name: N, params: Calls[N]['params']): Promise<Calls[N]['response']> {
    this.calls.push({ name, params });
    const answer = this.answers[name];
    if (answer === undefined) {
      throw failure('notFound', `the script has no answer for ${name}`);
    }
    const result = await answer(params);
    if (result instanceof CommandFailure) throw result;
    return result;
  }

  openStream<N extends keyof Streams>(
    name: N,
    params: Streams[N]['params'],
    handlers: StreamHandlers<Streams[N]['event']>,
  ): StreamHandle {
    let closed = false;
    const stream: OpenStream<N> = {
      name,
      params,
      get closed() {
        return closed;
      },
      emit: (event) => {
        if (!closed) handlers.onEvent(event);
      },
      end: (error) => {
        if (closed) return;
        closed = true;
        handlers.onEnd?.(error);
      },
    };
    this.#streams.push(stream);
    return {
      close: () => {
        closed = true;
      },
    };
  }

  /** The newest open stream of this name. */
  stream<N extends keyof Streams>(name: N): OpenStream<N> {
    const found = this.#streams.findLast((stream) => stream.name === name && !stream.closed);
    if (found === undefined) throw new Error(`no open stream ${name}`);
    return found as unknown as OpenStream<N>;
  }

  /** All streams of this name ever opened. */
  streams<N extends keyof Streams>(name: N): OpenStream<N>[] {
    return this.#streams.filter((stream) => stream.name === name) as unknown as OpenStream<N>[];
  }

  /** Puts a text where `bodyParts(id)` finds it. */
  setBody(id: string, text: string): BodyId {
    this.#bodies.set(id as BodyId, text);
    return id as BodyId;
  }

  appFrame(id: AppFrameId): string {
    return `about:blank#${id}`;
  }

  async *bodyParts(id: BodyId): AsyncIterable<Uint8Array> {
    const text = this.#bodies.get(id);
    if (text === undefined) throw failure('notFound', `no body ${id}`);
    const bytes = new TextEncoder().encode(text);
    // In two parts, which may divide a character.
    const half = bytes.length >> 1;
    yield bytes.subarray(0, half);
    yield bytes.subarray(half);
  }
}

function failure(code: CommandError['code'], message: string): CommandFailure {
  return new CommandFailure({ code, message, detail: null });
}
