import type {
  CommandError,
  ExchangeEvent,
  ExchangeId,
  ExchangeOutcome,
  Seq,
  ServerId,
  TaskItem,
  TextBody,
} from '../../contract/generated';
import type { ExchangeRequest } from './request';

/** One request of the user and its state. Pure: exchanges.ts keeps them and sends them. */

/** The newest progress the server has reported. */
export interface ExchangeProgress {
  progress: number;
  total: number | null;
  message: string | null;
  /** How many reports have arrived. */
  count: number;
}

export interface Exchange<R extends ExchangeRequest = ExchangeRequest> {
  /** Assigned here; the engine's `exchangeId` is known only once the request has been sent. */
  id: number;
  serverId: ServerId;
  request: R;
  startedAtMs: number;
  exchangeId: ExchangeId | null;
  requestSeq: Seq | null;
  responseSeq: Seq | null;
  progress: ExchangeProgress | null;
  /** The task that carries the request out, as last reported. */
  task: TaskItem | null;
  /** The reasons for which the request was sent again, newest last. */
  resent: string[];
  /** The current round of input requests (2026-07-28); 0 before the first. */
  round: number;
  /** The user has asked to cancel it. */
  cancelling: boolean;
  /** Null while it is running. */
  outcome: ExchangeOutcome | null;
  durationMs: number | null;
  /** How much of the duration was spent waiting for input from people. */
  humanWaitMs: number;
}

export function newExchange<R extends ExchangeRequest>(
  id: number,
  serverId: ServerId,
  request: R,
  startedAtMs: number,
): Exchange<R> {
  return {
    id,
    serverId,
    request,
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
}

/** What an event changes. */
export function applyEvent(before: Exchange, event: ExchangeEvent): Partial<Exchange> {
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
      return { resent: [...before.resent, event.reason] };
    case 'task':
      return { task: event.task };
  }
}

/**
 * The outcome of an exchange whose stream ended without one. Once the engine has named the exchange, the request is on
 * its way, so the UI must not say that nothing was sent. Following a task sends requests before there is a name.
 */
export function outcomeOfLostStream(
  { exchangeId, request }: Exchange,
  error?: CommandError,
): ExchangeOutcome {
  const message = error?.message ?? 'Patchbay closed the stream before the outcome was known.';
  if (exchangeId === null && request.type !== 'task') return { type: 'notSent', message };
  return {
    type: 'connectionLost',
    mayHaveRun: true,
    failure: {
      step: 'Connection to Patchbay',
      cause: message,
      next: 'The traffic log shows what was sent and whether a response arrived.',
      detail: error?.detail ?? null,
      httpStatus: null,
      certificate: null,
      seq: null,
    },
  };
}

/** The outcome of an exchange whose page was reloaded before it ended, and whose end cannot be waited for any more. */
export function outcomeOfReload({ requestSeq }: Exchange): ExchangeOutcome {
  return outcomeOfWaiting(requestSeq, 'The page was reloaded before the response arrived.');
}

/** The same after the connection to Patchbay was lost for a while. */
export function outcomeOfLostLink({ requestSeq }: Exchange): ExchangeOutcome {
  return outcomeOfWaiting(requestSeq, 'The connection to Patchbay was lost before the response arrived.');
}

function outcomeOfWaiting(seq: Seq | null, cause: string): ExchangeOutcome {
  return {
    type: 'connectionLost',
    mayHaveRun: true,
    failure: {
      step: 'Waiting for the response',
      cause,
      next: 'The traffic log shows the response when it arrives.',
      detail: null,
      httpStatus: null,
      certificate: null,
      seq,
    },
  };
}

/** The result or error as received; null if nothing was received. */
export function rawOf(outcome: ExchangeOutcome | null): TextBody | null {
  return outcome !== null && 'raw' in outcome ? outcome.raw : null;
}

/** The state of an exchange in one word, for lists and colours. */
export type ExchangeStatus =
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
  | 'cancelledByServer'
  | 'invalidResult'
  | 'notSent';

export function statusOf({ outcome }: Pick<Exchange, 'outcome'>): ExchangeStatus {
  if (outcome === null) return 'running';
  switch (outcome.type) {
    case 'result':
      return outcome.view.type === 'tool' && outcome.view.tool.isError ? 'toolError' : 'ok';
    case 'connectionLost':
      return 'lost';
    case 'rpcError':
    case 'httpStatus':
    case 'task':
    case 'inputRequired':
    case 'timedOut':
    case 'cancelled':
    case 'cancelledByServer':
    case 'invalidResult':
    case 'notSent':
      return outcome.type;
  }
}
