import { createStore, type StoreApi } from 'zustand/vanilla';
import type { ServerId } from '../../../contract/generated';
import { shortened } from '../../text/format';

/** What passes between Patchbay and the apps of servers, and what the apps write to their console. Bounded. */

/** `toHost`, `toApp`: a message of the protocol; `console`: of the app; `host`: what Patchbay did with the app. */
export type AppMessageKind = 'toHost' | 'toApp' | 'console' | 'host';

export interface AppMessage {
  id: number;
  atMs: number;
  serverId: ServerId;
  /** The app. */
  uri: string;
  kind: AppMessageKind;
  /** The method of a message; the level of a line of the console; empty for what Patchbay did. */
  subject: string;
  /** JSON text of a message, or a text. Cut off at `LONGEST_TEXT`. */
  text: string;
  tone: 'error' | 'warn' | null;
}

export type NewAppMessage = Omit<AppMessage, 'id' | 'atMs'>;

export interface AppLogState {
  /** Oldest first. */
  messages: readonly AppMessage[];
  /** How many older messages are no longer kept. */
  forgotten: number;
}

/** The most messages that are kept. */
export const MOST_MESSAGES = 2_000;
/** The most characters of a message that are kept. */
export const LONGEST_TEXT = 8_000;

export type AppLogStore = StoreApi<AppLogState> & {
  add(message: NewAppMessage): void;
  clear(): void;
};

export function createAppLog(now: () => number): AppLogStore {
  const store = createStore<AppLogState>(() => ({ messages: [], forgotten: 0 }));
  let lastId = 0;
  return Object.assign(store, {
    add(message: NewAppMessage): void {
      lastId += 1;
      const text = shortened(message.text, LONGEST_TEXT);
      const added = { ...message, text, id: lastId, atMs: now() };
      store.setState(({ messages, forgotten }) => {
        const surplus = Math.max(0, messages.length + 1 - MOST_MESSAGES);
        return { messages: [...messages.slice(surplus), added], forgotten: forgotten + surplus };
      });
    },
    clear: () => store.setState({ messages: [], forgotten: 0 }),
  });
}
