import type {
  CompletionCompleteParams,
  CompletionCompleteResponse,
  ConnectionId,
} from '../../contract/generated';
import type { Host } from '../../host/host';

/** Values that servers propose for arguments of prompts and variables of templates, each requested once. */
export interface Completions {
  /**
   * Rejects with a `CommandFailure`; the next call then asks again. One request at a time is under way for an argument: the
   * next one is sent when it has ended, unless `signal` was aborted meanwhile, which rejects too.
   */
  complete(
    connectionId: ConnectionId,
    params: CompletionCompleteParams,
    signal: AbortSignal,
  ): Promise<CompletionCompleteResponse>;
}

/** How many answers are kept. */
const KEPT = 300;

export function createCompletions(host: Host): Completions {
  const answers = new Map<string, Promise<CompletionCompleteResponse>>();
  /** The end of the request that is under way, by argument. */
  const underWay = new Map<string, Promise<void>>();

  function ask(key: string, field: string, params: CompletionCompleteParams) {
    const answer = host.call('completion_complete', params);
    answers.set(key, answer);
    const [oldest] = answers.keys();
    if (answers.size > KEPT && oldest !== undefined) answers.delete(oldest);
    const end = answer.then(
      () => void underWay.delete(field),
      () => {
        underWay.delete(field);
        answers.delete(key);
      },
    );
    underWay.set(field, end);
    return answer;
  }

  return {
    async complete(connectionId, params, signal) {
      const { serverId, reference, argument } = params;
      // Another connection may be another version of the server.
      const key = JSON.stringify([connectionId, params]);
      const field = JSON.stringify([connectionId, serverId, reference, argument.name]);
      for (;;) {
        const known = answers.get(key);
        if (known !== undefined) return known;
        const end = underWay.get(field);
        if (end === undefined) return ask(key, field, params);
        // One after the other, also if several wait.
        // oxlint-disable-next-line no-await-in-loop
        await end;
        signal.throwIfAborted();
      }
    },
  };
}
