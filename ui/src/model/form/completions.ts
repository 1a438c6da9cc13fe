import type {
  CompletionCompleteParams,
  CompletionCompleteResponse,
  ConnectionId,
} from '../../contract/generated';
import type { Host } from '../../host/host';

/** Values that servers propose for arguments of prompts and variables of templates, each requested once. */
export interface Completions {
  /** Rejects with a `CommandFailure`; the next call then asks again. */
  complete(connectionId: ConnectionId, params: CompletionCompleteParams): Promise<CompletionCompleteResponse>;
}

/** How many answers are kept. */
const KEPT = 300;

export function createCompletions(host: Host): Completions {
  const answers = new Map<string, Promise<CompletionCompleteResponse>>();
  return {
    complete(connectionId, params) {
      // Another connection may be another version of the server.
      const key = JSON.stringify([connectionId, params]);
      const known = answers.get(key);
      if (known !== undefined) return known;
      const answer = host.call('completion_complete', params);
      answers.set(key, answer);
      answer.catch(() => answers.delete(key));
      const [oldest] = answers.keys();
      if (answers.size > KEPT && oldest !== undefined) answers.delete(oldest);
      return answer;
    },
  };
}
