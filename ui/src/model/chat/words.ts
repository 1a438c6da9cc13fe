import type {
  ChatCall,
  ChatCallState,
  ChatRule,
  ChatRuleScope,
  RequestProgress,
} from '../../contract/generated';
import { progressInWords, shortened } from '../text/format';

/** The states of a call in words. */
export const CALL_STATES: Record<ChatCallState, string> = {
  waiting: 'Waiting for you',
  queued: 'Queued',
  running: 'Running',
  done: 'Done',
  toolError: 'Tool error',
  failed: 'No result',
  denied: 'Denied',
  cancelled: 'Cancelled',
  notRun: 'Not run',
  interrupted: 'Interrupted',
};

/** The tone of a state, for its colour. */
export function toneOf(state: ChatCallState): 'ok' | 'warn' | 'error' | 'off' {
  switch (state) {
    case 'done':
      return 'ok';
    case 'waiting':
    case 'running':
    case 'queued':
    case 'interrupted':
      return 'warn';
    case 'toolError':
    case 'failed':
      return 'error';
    case 'denied':
    case 'cancelled':
    case 'notRun':
      return 'off';
  }
}

/** What a rule covers. */
export function scopeWords(covers: ChatRuleScope, server: string): string {
  switch (covers.type) {
    case 'tool':
      return `${covers.tool} of ${server}`;
    case 'readOnly':
      return `Read-only tools of ${server}`;
    case 'server':
      return `All tools of ${server}`;
  }
}

/** What identifies a rule. */
export function ruleKey({ serverId, covers }: ChatRule): string {
  return `${serverId} ${JSON.stringify(covers)}`;
}

/** One line about the result of a call. */
export function resultLine({ error, result }: ChatCall): string {
  if (error !== null) return short(error);
  if (result === null) return '';
  const first = result.content[0];
  const more = result.content.length > 1 ? ` · ${result.content.length} blocks` : '';
  if (first === undefined) {
    return result.structured === null ? 'Empty result' : short(result.structured.json.inline ?? 'Structured');
  }
  if (first.type === 'text') return short(first.text.inline ?? 'Long text') + more;
  if ('uri' in first) return short(first.uri) + more;
  return ('mimeType' in first ? short(first.mimeType) : 'Unknown content') + more;
}

/** One line about the progress of a call. */
export function progressLine(progress: RequestProgress): string {
  return short(progressInWords(progress));
}

/** One line of a text of a server, which may have megabytes. */
function short(text: string): string {
  return shortened(text.slice(0, 400).replaceAll(/\s+/g, ' ').trim(), 160);
}

/** About four bytes are a token; nobody but the provider knows. */
export function tokensOf(bytes: number): string {
  return `≈ ${Math.ceil(bytes / 4).toLocaleString('en')} tokens`;
}
