import { createStore, type StoreApi } from 'zustand/vanilla';
import type { CommandError, Seq, ServerId } from '../../contract/generated';
import type { Host } from '../../host/host';
import { commandError } from '../store/errors';
import { mayDestroy } from '../tools/consent';
import { readArguments } from '../form/arguments';
import { MAX_LIVE } from '../text/json';
import type { ToolRow } from '../tools/tools';
import { savingProblem } from '../workspace/saved';
import type { SavedRequest, UiState } from '../workspace/uiState';
import type { ExchangesStore } from './exchanges';
import { paramsTemplate } from './methods';

/** Requests and messages that the user writes, one draft per server. */

/** Of each mode: whether its text is the user's and nowhere else. */
type Unsaved = Readonly<Record<ComposerDraft['mode'], boolean>>;

export interface ComposerDraft {
  /** A request gets its id and `_meta` from Patchbay, which waits for the result. A message is sent exactly as written. */
  mode: 'request' | 'message';
  method: string;
  /** JSON text of an object; empty for no params. */
  params: string;
  /** Whether the params are edited in a form, where the method has one. */
  asForm: boolean;
  message: string;
  /** A text that is too long for the editor is edited in it all the same. */
  editsLarge: boolean;
  /** The record that is sent again, if it is one. */
  repeats: Seq | null;
  /** How many values of secrets are masked in it. */
  masked: number;
  /** Why it was not sent at once although the user asked for it, in a sentence; null if it was, or if nobody asked. */
  held: string | null;
  /** The record of the message that was sent last. */
  sent: Seq | null;
  sending: boolean;
  error: CommandError | null;
  /** Which of its texts were typed here and neither sent nor saved since. */
  unsaved: Unsaved;
  /** The unsaved draft in whose place this one is. */
  replaced: ComposerDraft | null;
}

export const emptyComposerDraft: ComposerDraft = {
  mode: 'request',
  method: '',
  params: '',
  asForm: false,
  message: '',
  editsLarge: false,
  repeats: null,
  masked: 0,
  held: null,
  sent: null,
  sending: false,
  error: null,
  unsaved: { request: false, message: false },
  replaced: null,
};

/** How many replaced drafts are kept. */
const MOST_REPLACED = 5;

/** A new draft keeps how params are edited. */
const { asForm: _, ...emptyText } = emptyComposerDraft;

export type ComposerStore = StoreApi<Record<ServerId, ComposerDraft>> & {
  /** Changes the draft, as typing in it does. */
  change(serverId: ServerId, change: Partial<ComposerDraft>): void;
  /** Loads other text into the draft. What was typed there and is saved nowhere is kept beside it. */
  replace(serverId: ServerId, loaded: Partial<ComposerDraft>): void;
  /** Brings back the draft that was replaced, and keeps the present one in its place if it is saved nowhere. */
  restore(serverId: ServerId): void;
  /** Sets the method; params the user has not edited are replaced with the defaults of the method. */
  setMethod(serverId: ServerId, method: string): void;
  /** Loads a recorded message into the draft of a server. Rejects with a `CommandFailure`. */
  load(seq: Seq, into?: ServerId): Promise<ServerId>;
  /** What is written in the present mode was saved. */
  saved(serverId: ServerId): void;
  /** Sends the draft as it is. */
  send(serverId: ServerId): Promise<void>;
};

export function createComposer(host: Host, exchanges: ExchangesStore): ComposerStore {
  const store = createStore<Record<ServerId, ComposerDraft>>(() => ({}));
  const draftOf = (serverId: ServerId): ComposerDraft => store.getState()[serverId] ?? emptyComposerDraft;
  const change = (serverId: ServerId, part: Partial<ComposerDraft>): void => {
    const before = draftOf(serverId);
    const unsaved = {
      request: before.unsaved.request || 'params' in part,
      message: before.unsaved.message || 'message' in part,
    };
    store.setState({ [serverId]: { ...before, unsaved, ...part } });
  };
  /** The message of each server that is being sent. Its outcome is shown only in the draft that it was sent from. */
  const sendings = new Map<ServerId, object>();

  function replace(serverId: ServerId, loaded: Partial<ComposerDraft>): void {
    const before = draftOf(serverId);
    sendings.delete(serverId);
    change(serverId, {
      ...loaded,
      unsaved: emptyText.unsaved,
      replaced: keptBeside(before, before.replaced),
    });
  }

  function restore(serverId: ServerId): void {
    const before = draftOf(serverId);
    if (before.replaced === null) return;
    sendings.delete(serverId);
    const { replaced } = before.replaced;
    store.setState({ [serverId]: { ...before.replaced, replaced: keptBeside(before, replaced) } });
  }

  function saved(serverId: ServerId): void {
    const { mode, unsaved } = draftOf(serverId);
    change(serverId, { unsaved: { ...unsaved, [mode]: false } });
  }

  function setMethod(serverId: ServerId, method: string): void {
    const { params, method: before } = draftOf(serverId);
    const isUntouched = params === paramsTemplate(before);
    change(serverId, { method, ...(isUntouched ? { params: paramsTemplate(method) } : {}) });
  }

  async function load(seq: Seq, into?: ServerId): Promise<ServerId> {
    const message = await host.call('traffic_message', { seq });
    const serverId = into ?? message.serverId;
    const { requestMethod, paramsJson, text, redactions } = message;
    const isRequest = requestMethod !== null && (paramsJson === null || isObjectText(paramsJson));
    replace(serverId, {
      ...emptyText,
      ...(isRequest
        ? { mode: 'request', method: requestMethod, params: paramsJson ?? '' }
        : { mode: 'message' }),
      message: text,
      repeats: seq,
      masked: redactions,
    });
    return serverId;
  }

  async function send(serverId: ServerId): Promise<void> {
    const { mode, method, params, message, repeats } = draftOf(serverId);
    change(serverId, { error: null, held: null });
    // Once it is sent, it is in the log.
    saved(serverId);
    if (mode === 'request') {
      const paramsJson = params.trim() === '' ? null : params;
      exchanges.start(serverId, { type: 'raw', method, paramsJson, repeats });
      return;
    }
    change(serverId, { sending: true });
    const sending = {};
    sendings.set(serverId, sending);
    const end = (outcome: Partial<ComposerDraft>): void => {
      if (sendings.get(serverId) === sending) change(serverId, { sending: false, ...outcome });
    };
    try {
      const { seq } = await host.call('message_send', { serverId, text: message, repeats });
      end({ sent: seq });
    } catch (thrown) {
      end({ error: commandError(thrown), unsaved: { ...draftOf(serverId).unsaved, message: true } });
    }
  }

  return Object.assign(store, { change, replace, restore, saved, setMethod, load, send });
}

/** What is kept of a draft in whose place another comes, and of those that it had replaced. */
function keptBeside(draft: ComposerDraft, earlier: ComposerDraft | null): ComposerDraft | null {
  if (!isLostWhenReplaced(draft)) return earlier;
  return { ...draft, sending: false, replaced: firstOf(earlier, MOST_REPLACED - 1) };
}

/** The first drafts of those that replaced each other. */
function firstOf(draft: ComposerDraft | null, most: number): ComposerDraft | null {
  if (draft === null || most === 0) return null;
  return { ...draft, replaced: firstOf(draft.replaced, most - 1) };
}

/** Whether a draft has text of the user that is nowhere else. A message that is being sent may turn out not to be sent. */
function isLostWhenReplaced({ unsaved, method, params, message, sending }: ComposerDraft): boolean {
  const isOnlyTemplate = params.trim() === '' || params === paramsTemplate(method);
  return (unsaved.request && !isOnlyTemplate) || ((unsaved.message || sending) && message.trim() !== '');
}

/** Whether a text is a JSON object. One that is too long to be read here is judged by its beginning; the engine reads it. */
function isObjectText(text: string): boolean {
  if (text.length > MAX_LIVE) return text.trimStart().startsWith('{');
  return readArguments(text).type !== 'broken';
}

/** Why the draft cannot be sent, in a sentence; null if it can. Other mistakes in it are sent as they are. */
export function composerDisabledReason(draft: ComposerDraft, isReady: boolean): string | null {
  if (!isReady) return 'The server is not connected.';
  if (draft.mode === 'message') return draft.message.trim() === '' ? 'The message is empty.' : null;
  if (draft.method === '') return 'Enter a method.';
  if (draft.params.trim() === '' || isObjectText(draft.params)) return null;
  return 'Params must be a JSON object. To send anything else, use Raw message.';
}

type Listed = Pick<ToolRow, 'item'>;

/** Whether the draft calls a tool. */
export function callsTool({ mode, method }: ComposerDraft): boolean {
  return mode === 'request' && method === 'tools/call';
}

/** The name of the tool that the draft calls, of any type; not of a text that is too long to be read. */
function calledTool(draft: ComposerDraft): unknown {
  const params = readArguments(draft.params);
  return params.type === 'object' ? params.value['name'] : undefined;
}

/** Whether the draft calls a tool that may destroy something; of a text that is too long to be read, whether any tool may. */
export function callsDestructiveTool(draft: ComposerDraft, tools: readonly Listed[]): boolean {
  if (!callsTool(draft)) return false;
  const isDestructive = ({ item }: Listed): boolean => mayDestroy(item.hints);
  if (draft.params.length > MAX_LIVE) return tools.some(isDestructive);
  const name = calledTool(draft);
  return tools.some((row) => row.item.name === name && isDestructive(row));
}

/** Why a message with masked values is not sent again by one click, in a sentence; null if it has none. */
export function maskedReason({ masked }: ComposerDraft): string | null {
  // What is masked in the log would be sent masked.
  return masked > 0 ? 'Not sent yet: it contains masked values. Replace them, then send it.' : null;
}

/** The method of a call, as JSON may write it. */
const TOOL_CALL = /"tools(\/|\\\/|\\u002f)call"/i;

/**
 * Why a recorded message is not sent again by one click, in a sentence; null if it is. It can be sent from the composer. `tools` is null
 * if they could not be listed: what a tool does not say, it may do.
 */
export function heldReason(draft: ComposerDraft, tools: readonly Listed[] | null): string | null {
  const masked = maskedReason(draft);
  if (masked !== null) return masked;
  if (draft.mode === 'message' && TOOL_CALL.test(draft.message))
    return 'Not sent yet: a raw message that calls a tool is sent as it is. Check it, then send it.';
  if (!callsTool(draft)) return null;
  if (tools === null)
    return 'Not sent yet: the tools of this server could not be listed, so it is not known what this call may do. Check it, then send it.';
  const isLong = draft.params.length > MAX_LIVE;
  if (callsDestructiveTool(draft, tools))
    return isLong
      ? 'Not sent yet: it is too long to determine which tool it calls, and this server has tools that may be destructive. Check it, then send it.'
      : 'Not sent yet: the tool it calls may be destructive. Check it, then send it.';
  if (isLong) return null;
  const name = calledTool(draft);
  if (tools.some(({ item }) => item.name === name)) return null;
  return 'Not sent yet: the tool it calls is not listed, so it is not known what this call may do. Check it, then send it.';
}

/** What of a draft is sent. */
const SENT = ['mode', 'method', 'params', 'message', 'repeats'] as const;

/**
 * Why a message is not sent that has waited for its server, in a sentence; null if it is: what is sent is the draft as it is `now`, which
 * must still be the one that the user saw. An editor that shows a draft makes an equal object of it.
 */
export function changedReason(
  before: ComposerDraft,
  now: ComposerDraft,
  waitedFor: 'reconnect' | 'tools',
): string | null {
  if (SENT.every((part) => now[part] === before[part])) return null;
  return waitedFor === 'reconnect'
    ? 'Not sent: the message was changed while the server reconnected.'
    : 'Not sent: the message was changed while the tools of the server were listed.';
}

/** The draft of a saved request. */
export function draftOfSaved({ mode, method, text }: SavedRequest): Partial<ComposerDraft> {
  const isRequest = mode === 'request';
  return {
    ...emptyText,
    mode,
    method,
    ...(isRequest ? { params: text } : { message: text }),
  };
}

/** Why a draft cannot be saved, in a sentence; null if it can. `replaced`: the saved request whose place it takes. */
export function notSavedReason(
  { savedRequests }: Pick<UiState, 'savedRequests'>,
  draft: ComposerDraft,
  replaced?: SavedRequest,
): string | null {
  const others = Object.values(savedRequests)
    .flat()
    .filter((saved) => saved !== replaced);
  const problem = savingProblem(savedOf(draft, '').text, others);
  if (problem === null) return null;
  return problem === 'tooLong'
    ? 'This request is too long to be saved.'
    : 'The storage for saved requests is full. Delete some first.';
}

/** The draft as it is saved. */
export function savedOf(draft: ComposerDraft, name: string): SavedRequest {
  const { mode, method, params, message } = draft;
  return mode === 'request'
    ? { name, mode, method, text: params }
    : { name, mode, method: '', text: message };
}
