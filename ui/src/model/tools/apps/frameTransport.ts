import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';
import { messageText } from './messageText';

/**
 * The messages between this page and the frame of an app. Everything that arrives is untrusted: only messages of that
 * frame count, and how many and how large they are is limited.
 */

/** The most messages of an app that are read within a second. */
export const MOST_PER_SECOND = 100;
/** After this many messages within a second, or as many seconds with too many, the app is closed. */
export const FLOOD = 5_000;
const FLOOD_SECONDS = 5;
/** After as many messages of the largest size that are not read within a minute, the app is closed. */
export const MOST_UNREADABLE = 10;

/** A line that the app wrote to its console, an error in it, or what its policy blocked. */
export interface ConsoleLine {
  level: string;
  text: string;
}

export interface FrameListener {
  /** A message of the protocol, with its JSON text, before it is answered. */
  onReceived(message: JSONRPCMessage, json: string): void;
  onSent(message: JSONRPCMessage, json: string): void;
  onConsole(line: ConsoleLine): void;
  /** Messages that were not read, and why. */
  onDropped(why: string): void;
  /** It sends so many messages that it must be closed. */
  onFlood(why: string): void;
}

export class FrameTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;

  readonly #target: Window;
  readonly #listener: FrameListener;
  readonly #now: () => number;
  /** When the current second began, and how many messages have arrived in it. */
  #since = 0;
  #count = 0;
  /** How many seconds in a row had too many messages. */
  #busySeconds = 0;
  /** When the current minute began, and how much was read of messages that were dropped, in messages of the largest size. */
  #minute = { since: 0, effort: 0 };
  #open = false;

  constructor(target: Window, listener: FrameListener, now: () => number = () => performance.now()) {
    this.#target = target;
    this.#listener = listener;
    this.#now = now;
  }

  async start(): Promise<void> {
    if (this.#open) return;
    this.#open = true;
    window.addEventListener('message', this.#onEvent);
  }

  async send(message: JSONRPCMessage): Promise<void> {
    if (!this.#open) return;
    this.#listener.onSent(message, JSON.stringify(message));
    // The frame has an opaque origin, which cannot be named; only its own document can be in it.
    this.#target.postMessage(message, '*');
  }

  async close(): Promise<void> {
    if (!this.#open) return;
    this.#open = false;
    window.removeEventListener('message', this.#onEvent);
    this.onclose?.();
  }

  readonly #onEvent = (event: MessageEvent<unknown>): void => {
    if (event.source !== this.#target || !this.#isWithinRate()) return;
    const text = messageText(event.data);
    if ('json' in text) {
      // As JSON: what else structured clones can hold (functions of getters, cycles, buffers) goes no further.
      this.#read(JSON.parse(text.json) as unknown, text.json);
    } else {
      this.#listener.onDropped(`A message was dropped: ${text.why}.`);
      this.#countUnreadable(text.effort);
    }
  };

  #countUnreadable(effort: number): void {
    const now = this.#now();
    if (now - this.#minute.since >= 60_000) this.#minute = { since: now, effort: 0 };
    this.#minute.effort += effort;
    if (this.#minute.effort >= MOST_UNREADABLE)
      this.#listener.onFlood(`it sent ${MOST_UNREADABLE} messages within a minute that are too large`);
  }

  #read(data: unknown, json: string): void {
    if (typeof data !== 'object' || data === null) {
      this.#listener.onDropped(`A message was dropped: it is not an object: ${json.slice(0, 200)}`);
    } else if ('jsonrpc' in data && data.jsonrpc === '2.0') {
      this.#listener.onReceived(data as JSONRPCMessage, json);
      this.onmessage?.(data as JSONRPCMessage);
    } else if ('patchbay' in data) {
      this.#listener.onConsole(consoleLine(data.patchbay));
    } else {
      this.#listener.onDropped(`A message was dropped: it is not JSON-RPC: ${json.slice(0, 200)}`);
    }
  }

  #isWithinRate(): boolean {
    const now = this.#now();
    if (now - this.#since >= 1000) {
      if (this.#count > MOST_PER_SECOND) {
        this.#busySeconds += 1;
        this.#listener.onDropped(
          `Messages dropped: ${this.#count - MOST_PER_SECOND}. Patchbay reads at most ${MOST_PER_SECOND} per second.`,
        );
      } else {
        this.#busySeconds = 0;
      }
      this.#since = now;
      this.#count = 0;
    }
    this.#count += 1;
    if (this.#count > FLOOD || this.#busySeconds >= FLOOD_SECONDS) {
      this.#listener.onFlood(`it sent more than ${MOST_PER_SECOND} messages a second`);
      return false;
    }
    return this.#count <= MOST_PER_SECOND;
  }
}

function consoleLine(value: unknown): ConsoleLine {
  const { level, text } = (typeof value === 'object' && value !== null ? value : {}) as Record<
    string,
    unknown
  >;
  return {
    level: typeof level === 'string' ? level.slice(0, 20) : '',
    text: typeof text === 'string' ? text : '',
  };
}
