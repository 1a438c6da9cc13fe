import { createStore, type StoreApi } from 'zustand/vanilla';
import type { ExchangeId, PromptMessageItem, Seq, ServerId } from '../../../contract/generated';
import type { Exchange } from '../../exchange/exchange';
import type { PromptRequest } from '../../exchange/request';

/** The hand-over of a prompt to the chat, which takes it as soon as it is shown. */

/** A prompt as a chat needs it: its messages, and what they were made from. */
export interface PromptHandover {
  serverId: ServerId;
  prompt: string;
  /** JSON text of an object of texts, as sent; null if none was sent. */
  argumentsJson: string | null;
  description: string | null;
  /** Large texts and binary contents are bodies of the engine. */
  messages: readonly PromptMessageItem[];
  exchangeId: ExchangeId | null;
  /** The record of the response in the traffic log. */
  responseSeq: Seq | null;
}

export interface HandoverState {
  /** The newest prompt that the chat has not taken yet. */
  waiting: PromptHandover | null;
}

export type PromptHandoverStore = StoreApi<HandoverState> & {
  /** Hands a prompt over, in place of one that was not taken. */
  offer(prompt: PromptHandover): void;
  /** Called by the chat: the waiting prompt, which is then no longer waiting. */
  take(): PromptHandover | null;
};

export function createPromptHandover(): PromptHandoverStore {
  const store = createStore<HandoverState>(() => ({ waiting: null }));
  return Object.assign(store, {
    offer: (prompt: PromptHandover) => store.setState({ waiting: prompt }),
    take() {
      const { waiting } = store.getState();
      store.setState({ waiting: null });
      return waiting;
    },
  });
}

/** The prompt of an exchange; null unless its result has messages. */
export function handoverOf({
  serverId,
  request,
  outcome,
  exchangeId,
  responseSeq,
}: Exchange<PromptRequest>): PromptHandover | null {
  if (outcome?.type !== 'result' || outcome.view.type !== 'prompt') return null;
  const { description, messages } = outcome.view;
  const { name: prompt, argumentsJson } = request;
  return { serverId, prompt, argumentsJson, description, messages, exchangeId, responseSeq };
}
