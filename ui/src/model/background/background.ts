import type { Answer, Task } from './tasks';

/** The part of a worker that is used here. */
export interface Port {
  postMessage(message: unknown): void;
  addEventListener(type: 'message', listener: (event: MessageEvent<unknown>) => void): void;
  addEventListener(type: 'error', listener: (event: { message?: string }) => void): void;
  terminate(): void;
}

/** How a task ended. */
export type Outcome<T extends Task> =
  | { type: 'done'; value: Answer<T> }
  /** It took longer than it may, and was stopped. */
  | { type: 'tooExpensive' }
  /** It could not be run, or the worker failed; why, without a full stop. */
  | { type: 'failed'; reason: string };

interface Waiting {
  task: Task;
  limitMs: number;
  signal: AbortSignal | undefined;
  end: (outcome: Outcome<Task>) => void;
}

/** How long a worker may take to start, in ms: its program is loaded first. */
const START_MS = 30_000;

/**
 * Work on foreign content in a worker, one task at a time, so that the window never waits for it. A task that takes longer
 * than its limit is stopped with its worker; the next task gets a new one. The worker starts with the first task.
 */
export class Background {
  readonly #create: () => Port;
  readonly #waiting: Waiting[] = [];
  #port: Port | undefined;
  #isStarted = false;
  #running: { of: Waiting; timer: ReturnType<typeof setTimeout> } | undefined;

  constructor(create: () => Port) {
    this.#create = create;
  }

  /**
   * Runs a task for at most `limitMs`. Never rejects. A task whose `signal` is aborted before it began is not run, and its
   * promise stays pending.
   */
  run<T extends Task>(task: T, limitMs: number, signal?: AbortSignal): Promise<Outcome<T>> {
    return new Promise((resolve) => {
      this.#waiting.push({ task, limitMs, signal, end: (outcome) => resolve(outcome as Outcome<T>) });
      this.#next();
    });
  }

  /** Ends the worker; a later task starts another. */
  stop(): void {
    this.#port?.terminate();
    this.#port = undefined;
    this.#isStarted = false;
  }

  #next(): void {
    if (this.#running !== undefined) return;
    let of = this.#waiting.shift();
    while (of?.signal?.aborted === true) of = this.#waiting.shift();
    if (of === undefined) return;
    try {
      this.#port ??= this.#start();
    } catch (thrown) {
      of.end({ type: 'failed', reason: reasonOf(thrown) });
      this.#next();
      return;
    }
    this.#running = {
      of,
      timer: setTimeout(() => this.#onTimeout(), this.#isStarted ? of.limitMs : START_MS),
    };
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker, not a window
    if (this.#isStarted) this.#port.postMessage(of.task);
  }

  #start(): Port {
    const port = this.#create();
    port.addEventListener('message', ({ data }) => {
      if (port === this.#port) this.#onMessage(port, data as Message);
    });
    port.addEventListener('error', ({ message }) => {
      if (port !== this.#port) return;
      this.stop();
      this.#end({ type: 'failed', reason: message === undefined || message === '' ? NO_WORKER : message });
    });
    return port;
  }

  #onMessage(port: Port, message: Message): void {
    if (message.type === 'ready') {
      this.#isStarted = true;
      if (this.#running === undefined) return;
      const { of, timer } = this.#running;
      clearTimeout(timer);
      this.#running = { of, timer: setTimeout(() => this.#onTimeout(), of.limitMs) };
      port.postMessage(of.task);
    } else {
      this.#end(message);
    }
  }

  #onTimeout(): void {
    const wasStarted = this.#isStarted;
    this.stop();
    this.#end(wasStarted ? { type: 'tooExpensive' } : { type: 'failed', reason: NO_WORKER });
  }

  #end(outcome: Outcome<Task>): void {
    if (this.#running === undefined) return;
    const { of, timer } = this.#running;
    clearTimeout(timer);
    this.#running = undefined;
    of.end(outcome);
    this.#next();
  }
}

/** What the worker says: that it listens, or how a task ended. */
export type Message = { type: 'ready' } | Outcome<Task>;

const NO_WORKER = 'The background worker could not be started';

function reasonOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}

/** A worker of this program. */
export function startWorker(): Port {
  return new Worker(new URL('background.worker.ts', import.meta.url), { type: 'module' });
}
