import type { ChatCall, ChatItem, Seq, TrafficRow } from '../../contract/generated';
import { formatCount } from '../text/format';
import { CALL_STATES, toneOf } from './words';

/** A step of a conversation, and what it caused. */
export interface Step {
  /** The id of its item; of a request of a server, its record. */
  id: string;
  kind: 'turn' | 'answer' | 'call' | 'request' | 'notice';
  title: string;
  /** What is known about it: who, how many tokens, how it ended. */
  facts: string;
  tone: 'ok' | 'warn' | 'error' | 'off' | null;
  startMs: number;
  /** Null while it runs, or if it is unknown. */
  durationMs: number | null;
  /** Its record in the traffic log. */
  seq: Seq | null;
  steps: Step[];
}

type Answer = Extract<ChatItem, { type: 'answer' }>;

/** The longest title, in characters. */
const LONGEST = 200;

/**
 * The turns of a conversation: a message of the user, the answers it led to, their calls, and what servers requested
 * meanwhile. `requests` are the requests in the traffic log, both ways: they have the times of calls that were sent.
 */
export function turnsOf(items: readonly ChatItem[], requests: readonly TrafficRow[]): Step[] {
  const sent = new Map(requests.map((row) => [row.seq, row]));
  const turns: Step[] = [];
  const calls: { call: ChatCall; step: Step }[] = [];
  let turn: Step | null = null;
  let answer: Step | null = null;
  for (const item of items) {
    const isNew = item.type === 'user' && (turn === null || turn.steps.length > 0);
    if (turn === null || isNew) {
      turn = emptyTurn(item);
      turns.push(turn);
      answer = null;
    }
    if (item.type === 'user') {
      // The messages of a prompt come before the one that the user wrote.
      turn.title = titleOf(item);
    } else if (item.type === 'answer') {
      answer = answerStep(item);
      turn.steps.push(answer);
    } else if (item.type === 'notice') {
      turn.steps.push(noticeStep(item));
    } else {
      const step = callStep(item.call, sent);
      (answer ?? turn).steps.push(step);
      calls.push({ call: item.call, step });
    }
  }
  addRequests(calls, requests);
  for (const each of turns) each.durationMs = lastEnd(each) - each.startMs;
  return turns;
}

/** One record of each turn that has any, the newest turns first: it tells the operation of the turn. */
export function recordsOf(items: readonly ChatItem[], most: number): Seq[] {
  const found: Seq[] = [];
  let last: Seq | null = null;
  for (let at = items.length - 1; at >= 0 && found.length < most; at -= 1) {
    const item = items[at];
    if (item === undefined) continue;
    if (item.type === 'user') {
      if (last !== null) found.push(last);
      last = null;
    } else {
      last = (item.type === 'call' ? item.call.requestSeq : item.seq) ?? last;
    }
  }
  if (last !== null && found.length < most) found.push(last);
  return found;
}

/** When the last of its steps ended, as far as that is known. */
export function lastEnd(step: Step): number {
  const own = step.startMs + (step.durationMs ?? 0);
  return Math.max(own, ...step.steps.map(lastEnd));
}

function emptyTurn(item: ChatItem): Step {
  return {
    id: `turn ${item.type === 'call' ? item.call.id : item.id}`,
    kind: 'turn',
    title: 'Continued',
    facts: '',
    tone: null,
    startMs: item.type === 'call' ? item.call.atMs : item.atMs,
    durationMs: null,
    seq: null,
    steps: [],
  };
}

function titleOf({ content }: Extract<ChatItem, { type: 'user' }>): string {
  const text = content.find((each) => each.type === 'text');
  const line = text?.text.inline?.slice(0, LONGEST).replaceAll(/\s+/g, ' ').trim() ?? '';
  return line === '' ? formatCount(content.length, 'attachment') : line;
}

function answerStep(item: Answer): Step {
  const { id, by, atMs, tookMs, seq, incomplete, inputTokens, outputTokens } = item;
  const facts = [
    inputTokens === null ? '' : `${formatCount(inputTokens, 'token')} in`,
    outputTokens === null ? '' : `${formatCount(outputTokens)} out`,
    incomplete === null ? '' : 'incomplete',
  ];
  return {
    id,
    kind: 'answer',
    title: by,
    facts: facts.filter(Boolean).join(', '),
    tone: incomplete === null ? null : 'warn',
    startMs: atMs,
    durationMs: tookMs,
    seq,
    steps: [],
  };
}

function callStep(call: ChatCall, sent: ReadonlyMap<Seq, TrafficRow>): Step {
  const record = call.requestSeq === null ? undefined : sent.get(call.requestSeq);
  return {
    id: call.id,
    kind: 'call',
    title: call.alias,
    facts: [call.serverName, CALL_STATES[call.state]].filter(Boolean).join(', '),
    tone: toneOf(call.state),
    // Without its record: when the model made it. The user may have taken a while to let it run.
    startMs: record?.atMs ?? call.atMs,
    durationMs: call.durationMs,
    seq: call.requestSeq,
    steps: [],
  };
}

function noticeStep({ id, kind, atMs, cause, seq }: Extract<ChatItem, { type: 'notice' }>): Step {
  const tone = kind === 'failed' ? 'error' : 'warn';
  return {
    id,
    kind: 'notice',
    title: cause,
    facts: '',
    tone,
    startMs: atMs,
    durationMs: null,
    seq,
    steps: [],
  };
}

/**
 * Puts the other requests below the call that ran on that server at the time, the one sent last if there are several: what the
 * server requested, and, where it asks by an incomplete result, the request that was sent again with the answer.
 */
function addRequests(
  calls: readonly { call: ChatCall; step: Step }[],
  requests: readonly TrafficRow[],
): void {
  const own = new Set(calls.map(({ call }) => call.requestSeq));
  for (const row of requests) {
    if (row.kind !== 'request' || own.has(row.seq)) continue;
    const below = calls
      .filter(({ call, step }) => {
        const end = step.durationMs === null ? Infinity : step.startMs + step.durationMs;
        return (
          call.requestSeq !== null &&
          call.serverId === row.serverId &&
          step.startMs <= row.atMs &&
          row.atMs <= end
        );
      })
      .toSorted((a, b) => b.step.startMs - a.step.startMs)[0];
    below?.step.steps.push({
      id: `record ${row.seq}`,
      kind: 'request',
      title: row.method ?? 'request',
      facts: `${row.direction === 'serverToClient' ? 'from' : 'to'} ${row.serverName}`,
      tone: row.status === 'error' ? 'error' : row.status === 'pending' ? 'warn' : null,
      startMs: row.atMs,
      durationMs: row.latencyMs,
      seq: row.seq,
      steps: [],
    });
  }
}
