import type { ChatCall, ChatEvent, ChatId, ChatPhase, ServerId } from '../../../contract/generated';
import { FRESH_SETTINGS } from '../../../model/chat/chats';

/** The conversation of the tests. */
export const CHAT = 'c' as ChatId;

/** A call that waits for a decision. */
export function waitingCall(id: string, part: Partial<ChatCall> = {}): ChatCall {
  return {
    id,
    alias: 'echo',
    serverId: 's' as ServerId,
    serverName: 'Files',
    tool: 'echo',
    state: 'waiting',
    hints: { readOnly: null, destructive: null, idempotent: null, openWorld: null },
    argumentsJson: `{"of":"${id}"}`,
    editedJson: null,
    problems: [] as string[],
    notChecked: null,
    askedBecause: null,
    definitionChanged: false,
    result: null,
    exchangeId: null,
    ...part,
  } as ChatCall;
}

/** The state of the conversation. */
export function stateOf(phase: ChatPhase, waiting = 0): ChatEvent {
  const summary = {
    id: CHAT,
    title: '',
    updatedAtMs: 0,
    messages: 0,
    phase,
    waiting,
    readOnly: null,
    found: null,
  };
  return { type: 'state', summary, settings: FRESH_SETTINGS, attached: [], total: 0, versions: [], seen: [] };
}
