import type { AppFrameId, BodyId, Calls, CommandError, Streams } from '../contract/generated';
import { CommandFailure, type Host, type StreamHandle, type StreamHandlers } from './host';
import { Link } from './link';
import { browserNotifier } from './notifier';

/** What `patchbay serve` sends. */
type ServerFrame =
  | { id: number; ok: unknown }
  | { id: number; error: CommandError }
  | { id: number; event: unknown }
  | { id: number; end: true; error?: CommandError };

/** The close code that says: this page was not opened by its link. */
const REFUSED = 4401;
/** The close code that says: an internal error of the engine, with the cause as the reason. */
const DIED = 1011;
const RETRY_FIRST_MS = 250;
const RETRY_MOST_MS = 4000;
/** How many bytes of a body are a part, which is decoded in one task. */
const BODY_PART = 4_000_000;
/** Where the page's key is stored: this tab only, so that a reload works and a second tab does not. */
const PAGE_KEY = 'patchbay.page';

interface Waiting {
  resolve(value: unknown): void;
  reject(failure: CommandFailure): void;
}

/** The engine in another process, over one WebSocket to `patchbay serve`. */
export class SocketHost implements Host {
  readonly front = 'browser';
  readonly notifier = browserNotifier();
  readonly #page: string;
  readonly #link: Link;
  #socket: WebSocket | undefined;
  #nextId = 1;
  #retryMs = RETRY_FIRST_MS;
  readonly #calls = new Map<number, Waiting>();
  readonly #streams = new Map<number, StreamHandlers<unknown>>();

  constructor(page: string, link: Link) {
    this.#page = page;
    this.#link = link;
  }

  /** Opens the socket; resolves when it is open, or when opening it has failed. */
  connect(): Promise<void> {
    return new Promise((resolve) => {
      const socket = new WebSocket(`ws://${location.host}/ws`);
      let opened = false;
      socket.addEventListener('open', () => {
        opened = true;
        this.#socket = socket;
        this.#retryMs = RETRY_FIRST_MS;
        socket.send(JSON.stringify({ page: this.#page }));
        this.#link.set('up');
        resolve();
      });
      socket.addEventListener('message', ({ data }) =>
        this.#receive(JSON.parse(data as string) as ServerFrame),
      );
      socket.addEventListener('close', ({ code, reason }) => {
        this.#socket = undefined;
        const cause = code === DIED ? reason : '';
        // What ends now can tell why.
        if (code !== REFUSED) this.#link.set('lost', cause);
        this.#loseAll(cause);
        void this.#afterLoss(code, opened).then(resolve);
      });
    });
  }

  async call<N extends keyof Calls>(name: N, params: Calls[N]['params']): Promise<Calls[N]['response']> {
    const id = this.#nextId++;
    return new Promise<unknown>((resolve, reject) => {
      if (!this.#send({ id, call: name, params })) reject(lost());
      else this.#calls.set(id, { resolve, reject });
    }) as Promise<Calls[N]['response']>;
  }

  openStream<N extends keyof Streams>(
    name: N,
    params: Streams[N]['params'],
    handlers: StreamHandlers<Streams[N]['event']>,
  ): StreamHandle {
    const id = this.#nextId++;
    this.#streams.set(id, handlers);
    if (!this.#send({ id, open: name, params })) {
      // After the caller has its handle.
      queueMicrotask(() => this.#end(id, lost().error));
    }
    return {
      close: () => {
        if (this.#streams.delete(id)) this.#send({ id, close: true });
      },
    };
  }

  async *bodyParts(id: BodyId): AsyncIterable<Uint8Array> {
    let response: Response;
    try {
      response = await this.#fetchBody(encodeURIComponent(id));
    } catch {
      throw lost();
    }
    if (!response.ok) throw new CommandFailure(await errorOf(response));
    try {
      // As a blob, which the browser collects off the thread of the window. Its bytes are handed over part by part: tens of
      // megabytes at once are one long task.
      const whole = await response.blob();
      for (let from = 0; from === 0 || from < whole.size; from += BODY_PART)
        // oxlint-disable-next-line no-await-in-loop -- each part is read when it is wanted
        yield new Uint8Array(await whole.slice(from, from + BODY_PART).arrayBuffer());
    } catch {
      throw lost();
    }
  }

  appFrame(id: AppFrameId): string {
    return `/app/${encodeURIComponent(id)}`;
  }

  /** The cookie alone is not enough: other ports of this host get it too. */
  #fetchBody(id: string): Promise<Response> {
    return fetch(`/body/${id}`, { headers: { 'X-Patchbay-Page': this.#page } });
  }

  #send(frame: object): boolean {
    if (this.#socket?.readyState !== WebSocket.OPEN) return false;
    this.#socket.send(JSON.stringify(frame));
    return true;
  }

  #receive(frame: ServerFrame): void {
    if ('event' in frame) {
      this.#streams.get(frame.id)?.onEvent(frame.event);
    } else if ('end' in frame) {
      this.#end(frame.id, frame.error);
    } else {
      const waiting = this.#calls.get(frame.id);
      this.#calls.delete(frame.id);
      if ('ok' in frame) waiting?.resolve(frame.ok);
      // A stream that could not be opened is answered like a call.
      else if (waiting === undefined) this.#end(frame.id, frame.error);
      else waiting.reject(new CommandFailure(frame.error));
    }
  }

  #end(id: number, error?: CommandError): void {
    const handlers = this.#streams.get(id);
    this.#streams.delete(id);
    handlers?.onEnd?.(error);
  }

  #loseAll(cause: string): void {
    for (const waiting of this.#calls.values()) waiting.reject(lost(cause));
    this.#calls.clear();
    // Those open now; what an `onEnd` opens in turn is not lost yet.
    const ids = Array.from(this.#streams.keys());
    for (const id of ids) this.#end(id, lost(cause).error);
  }

  async #isRefused(): Promise<boolean> {
    try {
      return (await this.#fetchBody('-')).status === 401;
    } catch {
      return false;
    }
  }

  async #afterLoss(code: number, opened: boolean): Promise<void> {
    // A refused upgrade looks to a page like a network failure; a plain request distinguishes them.
    if (code === REFUSED || (!opened && (await this.#isRefused()))) {
      this.#link.set('refused');
      return;
    }
    setTimeout(() => void this.connect(), this.#retryMs);
    this.#retryMs = Math.min(this.#retryMs * 2, RETRY_MOST_MS);
  }
}

/** Trades the token in the address, if there is one, and opens the socket. */
export async function openSocketHost(): Promise<{ host: Host; link: Link }> {
  const token = takeToken();
  const link = new Link();
  const page = (token === null ? null : await tradeToken(token)) ?? sessionStorage.getItem(PAGE_KEY);
  const host = new SocketHost(page ?? '', link);
  window.addEventListener('hashchange', openPastedLink);
  if (page === null) {
    link.set('refused');
  } else {
    sessionStorage.setItem(PAGE_KEY, page);
    await host.connect();
  }
  return { host, link };
}

/** The link pasted into a page that is open loads nothing: only the part of the address that has the token differs. */
function openPastedLink(): void {
  if (tokenInAddress() !== null) location.reload();
}

function tokenInAddress(): string | null {
  return new URLSearchParams(location.hash.slice(1)).get('token');
}

/** Reads the token from the address and removes it there before anything else happens. */
function takeToken(): string | null {
  const token = tokenInAddress();
  if (token !== null) history.replaceState(null, '', location.pathname + location.search);
  return token;
}

async function tradeToken(token: string): Promise<string | null> {
  try {
    const response = await fetch('/session', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ token }),
    });
    if (!response.ok) return null;
    const { page } = (await response.json()) as { page: string };
    return page;
  } catch {
    return null;
  }
}

async function errorOf(response: Response): Promise<CommandError> {
  try {
    return (await response.json()) as CommandError;
  } catch {
    return {
      code: 'internal',
      message: `Patchbay responded with HTTP status ${response.status}.`,
      detail: null,
    };
  }
}

function lost(cause = ''): CommandFailure {
  return new CommandFailure({
    code: 'internal',
    message: `The connection to Patchbay was lost${cause === '' ? '.' : `: ${cause}`}`,
    detail: null,
  });
}
