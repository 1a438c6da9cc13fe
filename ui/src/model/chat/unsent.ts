import type { ChatCall, ChatItem, ChatWrittenCall } from '../../contract/generated';
import { indentJson } from '../text/json';

/** What the user has begun in a conversation and not sent, besides the next message. */
export interface Unsent {
  /** The decisions about waiting calls, by call. */
  readonly decisions: Readonly<Partial<Record<string, UnsentDecision>>>;
  /** The messages that are edited, by item: their texts; null: as they were. */
  readonly messages: Readonly<Partial<Record<string, string | null>>>;
  /** The answer that is written in place of the model. */
  readonly answer: UnsentAnswer;
}

/** An answer in place of the model while it is written. */
export interface UnsentAnswer {
  readonly text: string;
  readonly calls: readonly ChatWrittenCall[];
}

/** A decision about a waiting call while it is made. */
export interface UnsentDecision {
  /** The arguments to send in place of the model's, as typed; null: the model's. */
  readonly edited: string | null;
  /** The reason to deny it; null: it was not asked for. */
  readonly reason: string | null;
}

/** No answer was begun. */
export const NO_ANSWER: UnsentAnswer = { text: '', calls: [] };

/** Nothing was begun. */
export const NOTHING_UNSENT: Unsent = { decisions: {}, messages: {}, answer: NO_ANSWER };

/** What was begun about a call; at first, what it was sent with before it had to wait again. */
export function decisionOf({ decisions }: Unsent, call: ChatCall): UnsentDecision {
  return decisions[call.id] ?? { edited: call.editedJson, reason: null };
}

/** The same with another part of the decision about a call. */
export function withDecision(old: Unsent, call: ChatCall, part: Partial<UnsentDecision>): Unsent {
  return {
    ...old,
    decisions: { ...old.decisions, [call.id]: { ...decisionOf(old, call), ...part } },
  };
}

/** The same without the calls that no longer wait. */
export function withoutDecided(old: Unsent, items: readonly ChatItem[]): Unsent {
  const kept = new Set(Object.keys(old.decisions));
  if (kept.size === 0) return old;
  const decided = items.flatMap((item) =>
    item.type === 'call' && item.call.state !== 'waiting' && kept.has(item.call.id) ? [item.call.id] : [],
  );
  if (decided.length === 0) return old;
  const decisions = { ...old.decisions };
  for (const id of decided) delete decisions[id];
  return { ...old, decisions };
}

/** The same with a message that is edited; one that is edited already stays as it is. */
export function withEdit(old: Unsent, item: string): Unsent {
  return isEdited(old, item) ? old : withMessage(old, item, null);
}

/** The same with another text of a message that is edited. */
export function withMessage(old: Unsent, item: string, text: string | null): Unsent {
  return { ...old, messages: { ...old.messages, [item]: text } };
}

/** The same without the edit of a message. */
export function withoutEdit(old: Unsent, item: string): Unsent {
  const messages = { ...old.messages };
  delete messages[item];
  return { ...old, messages };
}

/** Whether a message is edited. */
function isEdited({ messages }: Unsent, item: string): boolean {
  return messages[item] !== undefined;
}

/** The arguments that the user has changed; null: as they are shown at first, whose masked parts the engine knows. */
export function changedOf(unsent: Unsent, call: ChatCall): string | null {
  const { edited } = decisionOf(unsent, call);
  if (edited !== null && edited !== indentJson(call.argumentsJson)) return edited;
  // The model's, said where it was to run with others before it had to wait again.
  return call.editedJson === null ? null : call.argumentsJson;
}

/** A call that waits with changed arguments. */
export interface ChangedCall {
  readonly call: ChatCall;
  readonly changed: string;
}

/** The calls that wait and whose arguments the user has changed. */
export function changedCalls(unsent: Unsent, items: readonly ChatItem[]): readonly ChangedCall[] {
  return waitingCalls(items).flatMap((call) => {
    const changed = changedOf(unsent, call);
    return changed === null ? [] : [{ call, changed }];
  });
}

/** A call that waits, with a reason to deny it. */
export interface ReasonedCall {
  readonly call: ChatCall;
  readonly reason: string;
}

/** The calls that wait and for which the user has written a reason to deny them. */
export function reasonedCalls(unsent: Unsent, items: readonly ChatItem[]): readonly ReasonedCall[] {
  return waitingCalls(items).flatMap((call) => {
    const reason = decisionOf(unsent, call).reason?.trim() ?? '';
    return reason === '' ? [] : [{ call, reason }];
  });
}

/** The calls that wait for a decision. */
export function waitingCalls(items: readonly ChatItem[]): readonly ChatCall[] {
  return items.flatMap((item) => (item.type === 'call' && item.call.state === 'waiting' ? [item.call] : []));
}
