import { createStore, type StoreApi } from 'zustand/vanilla';
import type {
  AsTask,
  ExchangeEvent,
  ExchangeId,
  ExchangeOutcome,
  Seq,
  ServerId,
  TaskItem,
  Timeouts,
} from '../../contract/generated/contract';
import type { Host } from '../../host/host';
import { commandError } from '../store/errors';

/**
 * Calls of tools, kept apart from the panels that show them: a call goes on, and its result stays, whichever server or
 * tool is looked at meanwhile.
 */

/** What a call is sent with besides its arguments. */
export interface CallOptions {
  /** JSON text of an object, or none. */
  metaJson: string | null;
  /** Instead of the server's. */
  timeouts: Timeouts | null;
  /** Run it as a task of 2025-11-25; null: answered when it is done. */
  asTask: AsTask | null;
}

/** The server's settings, nothing added. */
export const PLAIN_OPTIONS: CallOptions = { metaJson: null, timeouts: null, asTask: null };

/** How far the server said it is. */
export interface CallProgress {
  progress: number;
  total: number | null;
  message: string | null;
  count: number;
}

/** One call, running or over. */
export interface ToolCall {
  /** Ours; unlike the exchange's id it is there from the start. */
  id: number;
  serverId: ServerId;
  tool: string;
  argumentsJson: string;
  options: CallOptions;
  startedAtMs: number;
  exchangeId: ExchangeId | null;
  requestSeq: Seq | null;
  responseSeq: Seq | null;
  progress: CallProgress | null;
  /** The task it became, as last heard of. */
  task: TaskItem | null;
  /** Why it was sent once more, newest last. */
  resent: string[];
  /** Which round of questions it is in (2026-07-28); 0 before the first. */
  round: number;
  /** Cancelling was asked for. */
  cancelling: boolean;
  /** None while it runs. */
  outcome: ExchangeOutcome | null;
  durationMs: number | null;
  /** How much of that went by waiting for answers of people. */
  humanWaitMs: number;
}

/** What is on the desk for one tool of one server. */
export interface ToolDesk {
  /** The arguments as they will go out. None until the schema's defaults are known. */
  text: string | null;
  mode: 'form' | 'json';
  options: CallOptions;
  /** The user has tried to call: missing arguments are shown plainly from then on. */
  tried: boolean;
  /** Which call's result is shown. */
  shown: number | null;
  /** Newest first, at most 20 that are over. */
  calls: ToolCall[];
}

/** How many calls that are over are kept per tool. */
const KEEP = 20;

export const emptyDesk: ToolDesk = {
  text: null,
  mode: 'form',
  options: PLAIN_OPTIONS,
  tried: false,
  shown: null,
  calls: [],
};

/** What of a desk is the user's: what the next call will be. */
export type CallDraft = Pick<ToolDesk, 'text' | 'mode' | 'options' | 'tried'>;

export function draftOf({ text, mode, options, tried }: ToolDesk): CallDraft {
  return { text, mode, options, tried };
}

/** The call whose result is looked at. */
export function shownCall(desk: ToolDesk | undefined): ToolCall | undefined {
  return desk?.calls.find(({ id }) => id === desk.shown);
}

export type DeskKey = string & { readonly __brand: 'DeskKey' };

export function deskKey(serverId: ServerId, tool: string): DeskKey {
  return `${serverId}\n${tool}` as DeskKey;
}

/** The names of the tools of a server that are being called. */
export function runningTools(desks: Record<DeskKey, ToolDesk>, serverId: ServerId): string[] {
  const start = deskKey(serverId, '');
  return (Object.keys(desks) as DeskKey[])
    .filter((key) => key.startsWith(start) && desks[key]?.calls.some(({ outcome }) => outcome === null))
    .map((key) => key.slice(start.length));
}

export type ToolCallsStore = StoreApi<Record<DeskKey, ToolDesk>> & {
  change(key: DeskKey, change: Partial<ToolDesk>): void;
  /** Sends a call. Its events come into the store. */
  start(call: { serverId: ServerId; tool: string; argumentsJson: string; options: CallOptions }): void;
  /** Asks the server to stop. */
  cancel(call: ToolCall): Promise<void>;
};

export function createToolCalls(host: Host, now: () => number): ToolCallsStore {
  const store = createStore<Record<DeskKey, ToolDesk>>(() => ({}));
  let lastId = 0;

  function change(key: DeskKey, part: Partial<ToolDesk>): void {
    store.setState((desks) => ({ [key]: { ...(desks[key] ?? emptyDesk), ...part } }));
  }

  function update(key: DeskKey, id: number, part: Partial<ToolCall>): void {
    const desk = store.getState()[key];
    if (desk === undefined) return;
    change(key, { calls: desk.calls.map((call) => (call.id === id ? { ...call, ...part } : call)) });
  }

  function start({ serverId, tool, argumentsJson, options }: Parameters<ToolCallsStore['start']>[0]): void {
    const key = deskKey(serverId, tool);
    lastId += 1;
    const id = lastId;
    const startedAtMs = now();
    const call: ToolCall = {
      id,
      serverId,
      tool,
      argumentsJson,
      options,
      startedAtMs,
      exchangeId: null,
      requestSeq: null,
      responseSeq: null,
      progress: null,
      task: null,
      resent: [],
      round: 0,
      cancelling: false,
      outcome: null,
      durationMs: null,
      humanWaitMs: 0,
    };
    const earlier = store.getState()[key]?.calls ?? [];
    change(key, { calls: keepNewest([call, ...earlier]), shown: id });
    const isOver = (): boolean => find(store.getState()[key], id)?.outcome !== null;
    host.openStream(
      'tool_call',
      {
        serverId,
        name: tool,
        argumentsJson,
        metaJson: options.metaJson,
        timeouts: options.timeouts,
        ...(options.asTask === null ? {} : { asTask: options.asTask }),
      },
      {
        onEvent: (event) => {
          const before = find(store.getState()[key], id);
          if (before !== undefined) update(key, id, fromEvent(event, before));
        },
        onEnd: (error) => {
          if (isOver()) return;
          const message = error?.message ?? 'The engine ended the call without saying how.';
          update(key, id, { outcome: { type: 'notSent', message }, durationMs: now() - startedAtMs });
        },
      },
    );
  }

  async function cancel(call: ToolCall): Promise<void> {
    if (call.exchangeId === null) return;
    const key = deskKey(call.serverId, call.tool);
    update(key, call.id, { cancelling: true });
    try {
      await host.call('exchange_cancel', { exchangeId: call.exchangeId });
    } catch (thrown) {
      // Gone already: then its end is on the way. Anything else can be tried again.
      if (commandError(thrown).code !== 'notFound') update(key, call.id, { cancelling: false });
    }
  }

  return Object.assign(store, { change, start, cancel });
}

function fromEvent(event: ExchangeEvent, now: ToolCall): Partial<ToolCall> {
  switch (event.type) {
    case 'started':
      return { exchangeId: event.exchangeId, requestSeq: event.seq };
    case 'progress': {
      const { progress, total, message, count } = event;
      return { progress: { progress, total, message, count } };
    }
    case 'finished':
      return {
        outcome: event.outcome,
        durationMs: event.durationMs,
        humanWaitMs: event.humanWaitMs,
        responseSeq: event.responseSeq,
        ...(event.requestSeq === null ? {} : { requestSeq: event.requestSeq }),
      };
    case 'inputRound':
      return { round: event.round };
    case 'resent':
      return { resent: [...now.resent, event.reason] };
    case 'task':
      return { task: event.task };
  }
}

function keepNewest(calls: ToolCall[]): ToolCall[] {
  let over = 0;
  return calls.filter((call) => {
    if (call.outcome === null) return true;
    over += 1;
    return over < KEEP;
  });
}

function find(desk: ToolDesk | undefined, id: number): ToolCall | undefined {
  return desk?.calls.find((call) => call.id === id);
}

/** How a call stands, in a word, for lists and colours. */
export type CallStanding =
  | 'running'
  | 'ok'
  | 'toolError'
  | 'rpcError'
  | 'httpStatus'
  | 'task'
  | 'inputRequired'
  | 'timedOut'
  | 'cancelled'
  | 'lost'
  | 'notSent';

export function standingOf({ outcome }: ToolCall): CallStanding {
  if (outcome === null) return 'running';
  switch (outcome.type) {
    case 'result':
      return outcome.tool?.isError === true ? 'toolError' : 'ok';
    case 'connectionLost':
      return 'lost';
    case 'rpcError':
    case 'httpStatus':
    case 'task':
    case 'inputRequired':
    case 'timedOut':
    case 'cancelled':
    case 'notSent':
      return outcome.type;
  }
}
