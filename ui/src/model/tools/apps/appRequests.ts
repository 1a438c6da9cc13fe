import type { ExchangeId, ExchangeOutcome, Seq, Streams } from '../../../contract/generated';
import type { Host } from '../../../host/host';
import { rawOf } from '../../exchange/exchange';
import { commandError } from '../../store/errors';
import { textOf } from '../../text/textOf';

/** The requests that an app makes through Patchbay, and results as an app gets them. */

/** A JSON-RPC error for the app; the bridge answers with its code. */
export class AppError extends Error {
  constructor(
    message: string,
    readonly code = -32000,
    readonly data?: unknown,
  ) {
    super(message);
    this.name = 'AppError';
  }
}

/** Larger results are not given to an app, in bytes. */
const LARGEST_RESULT = 32 * 1024 * 1024;

/** How a request ended. */
export interface Ended {
  outcome: ExchangeOutcome;
  responseSeq: Seq | null;
}

/** Sends a request and waits for its end. The signal cancels it. */
export function exchange<N extends 'tool_call' | 'resource_read'>(
  host: Host,
  name: N,
  params: Streams[N]['params'],
  signal?: AbortSignal,
): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const cancel = (exchangeId: ExchangeId): void => {
      if (signal?.aborted === true) cancelExchange(host, exchangeId);
      else signal?.addEventListener('abort', () => cancelExchange(host, exchangeId), { once: true });
    };
    host.openStream(name, params, {
      onEvent: (event) => {
        if (event.type === 'started') cancel(event.exchangeId);
        if (event.type === 'finished') resolve(event);
      },
      onEnd: (error) => reject(new AppError(error?.message ?? 'The request ended without an outcome.')),
    });
  });
}

function cancelExchange(host: Host, exchangeId: ExchangeId): void {
  // If it has ended meanwhile, there is nothing to cancel.
  host.call('exchange_cancel', { exchangeId }).catch(() => {});
}

/** The `result` of an outcome as a value; an outcome without one is thrown as the error the app gets. */
export async function resultOf<T>(host: Host, outcome: ExchangeOutcome): Promise<T> {
  if (outcome.type !== 'result') throw failureOf(outcome);
  const { raw } = outcome;
  if (raw.size > LARGEST_RESULT)
    throw new AppError(`The result is too large for an app (${raw.size} bytes).`);
  try {
    const text = await textOf(host, raw);
    return JSON.parse(text) as T;
  } catch (thrown) {
    throw new AppError(thrown instanceof SyntaxError ? thrown.message : commandError(thrown).message);
  }
}

/** Why there is no result. */
export function failureOf(outcome: ExchangeOutcome): AppError {
  switch (outcome.type) {
    case 'rpcError': {
      const code = Number(outcome.code);
      const data = outcome.dataJson === null ? undefined : (JSON.parse(outcome.dataJson) as unknown);
      return new AppError(outcome.message, Number.isSafeInteger(code) ? code : -32603, data);
    }
    case 'notSent':
      return new AppError(outcome.message);
    case 'timedOut':
      return new AppError(`The server did not answer within ${outcome.afterMs} ms.`);
    case 'cancelled':
      return new AppError('Cancelled by the user.');
    case 'cancelledByServer':
      return new AppError(outcome.reason ?? 'Cancelled by the server.');
    case 'connectionLost':
      return new AppError(`Connection lost: ${outcome.failure.cause}`);
    case 'httpStatus':
      return new AppError(outcome.message);
    case 'task':
      return new AppError(`The server runs it as the task ${outcome.task.taskId}; apps get no task results.`);
    case 'inputRequired':
      return new AppError('The server requires input first.');
    case 'result':
    case 'invalidResult':
      return new AppError(`The result is invalid: ${rawOf(outcome)?.inline?.slice(0, 200) ?? ''}`);
  }
}
