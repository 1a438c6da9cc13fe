import type { AnswerOutcome, InputItem, InputKind, Seq, WithdrawnInput } from '../../contract/generated';
import { answeredBy } from '../servers/simulator';
import { formatDuration } from '../text/format';
import type { InputsState } from './inputs';

/** A request that is over: answered by somebody, or withdrawn. */
export interface PastInput {
  kind: InputKind;
  serverName: string;
  seq: Seq;
  aboutSeq: Seq | null;
  atMs: number;
  /** What became of it, and by whom: `Declined by you`. */
  words: string;
  /** Nobody answered it. */
  isWithdrawn: boolean;
}

const OUTCOMES: Record<AnswerOutcome, string> = {
  accepted: 'Answered',
  declined: 'Declined',
  cancelled: 'Cancelled',
  refused: 'Rejected',
  unanswered: 'Not answered',
};

/** Why a request was withdrawn, with what the server said about it: untrusted, and therefore quoted. */
export function withdrawnBecause({
  reason,
  serverReason,
}: Pick<WithdrawnInput, 'reason' | 'serverReason'>): string {
  if (serverReason === undefined) return reason;
  return `${reason.replace(/[.]$/, '')}: “${serverReason}”.`;
}

/** How a request stopped to wait: `Withdrawn`, and why. */
export interface RequestEnd {
  heading: 'Answered' | 'Withdrawn' | 'No longer pending';
  /** Sentences; empty if nothing is known. */
  reason: string;
}

/** What became of a request that no longer waits, without an answer of its dialog; null if nothing tells that. */
export function endOf(
  item: Pick<InputItem, 'id' | 'serverId' | 'kind' | 'seq'>,
  { answered, withdrawn }: Pick<InputsState, 'answered' | 'withdrawn'>,
): RequestEnd | null {
  const gone = withdrawn.find(({ id }) => id === item.id);
  if (gone !== undefined) return { heading: 'Withdrawn', reason: withdrawnBecause(gone) };
  // A record can have several requests, which the history does not tell apart.
  const [first, ...others] = answered.filter(
    ({ serverId, kind, seq }) => serverId === item.serverId && kind === item.kind && seq === item.seq,
  );
  if (first === undefined) return null;
  const { outcome, rule } = first;
  if (others.some((other) => other.outcome !== outcome || other.rule !== rule))
    return { heading: 'Answered', reason: 'It was answered elsewhere.' };
  return {
    heading: outcome === 'unanswered' ? 'Withdrawn' : 'Answered',
    reason: `It was ${OUTCOMES[outcome].toLowerCase()} ${rule === null ? 'by you elsewhere' : answeredBy(rule)}.`,
  };
}

/** What became of the last requests, newest first. */
export function historyOf({ answered, withdrawn }: Pick<InputsState, 'answered' | 'withdrawn'>): PastInput[] {
  // One that the simulator left unanswered is withdrawn too.
  const unanswered = new Set(
    answered.filter(({ outcome }) => outcome === 'unanswered').map(({ seq }) => seq),
  );
  const reasons = new Map(withdrawn.map(({ seq, serverReason }) => [seq, serverReason]));
  const others = withdrawn.filter(({ seq }) => !unanswered.has(seq));
  return [
    ...answered.map(({ kind, serverName, seq, aboutSeq, atMs, outcome, rule }) => ({
      kind,
      serverName,
      seq,
      aboutSeq,
      atMs,
      words: [
        `${OUTCOMES[outcome]} ${answeredBy(rule)}`,
        ...(outcome === 'unanswered' && reasons.get(seq) !== undefined ? [`“${reasons.get(seq)}”`] : []),
      ].join(': '),
      isWithdrawn: false,
    })),
    ...others.map(({ kind, serverName, seq, aboutSeq, atMs, waitedMs, reason, serverReason }) => ({
      kind,
      serverName,
      seq,
      aboutSeq,
      atMs,
      words:
        serverReason === undefined
          ? `Withdrawn after ${formatDuration(Math.round(waitedMs))}: ${reason}`
          : `Withdrawn by the server: “${serverReason}”, after ${formatDuration(Math.round(waitedMs))}`,
      isWithdrawn: true,
    })),
  ].toSorted((a, b) => b.atMs - a.atMs);
}
