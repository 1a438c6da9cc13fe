import type { ExchangeId, InputCallEnd, InputItem, InputTurn, Seq } from '../../contract/generated';
import { formatCount } from '../text/format';
import { useRecord } from '../traffic/useRecord';

/** The request that caused something, in a few words: `tools/call get_weather`. Null until it is known, or if there is none. */
export function useCause(seq: Seq | null): string | null {
  const { record } = useRecord(seq, '');
  if (seq === null || record === undefined || record.row.seq !== seq) return null;
  const { method, kind, summary } = record.row;
  return [method ?? kind, summary].filter((word) => word !== null && word !== '').join(' ');
}

/** What an input request belongs to. */
export type Cause =
  | { type: 'none' }
  /** `isCertain` is false if it is only the one request that was under way when it came. */
  | { type: 'one'; seq: Seq; exchange: ExchangeId | null; turn: InputTurn | null; isCertain: boolean }
  /** One of several that were under way. */
  | { type: 'several'; seqs: Seq[]; exchanges: ExchangeId[] };

/** What an input request belongs to, as far as the wire says so: over stdio it does not. */
export function causeOf({ aboutSeq, aboutExchange, turn, during }: InputItem): Cause {
  if (aboutSeq !== null) {
    return { type: 'one', seq: aboutSeq, exchange: aboutExchange, turn: turn ?? null, isCertain: true };
  }
  const [only] = during;
  if (only === undefined) return { type: 'none' };
  return during.length === 1
    ? { type: 'one', seq: only.seq, exchange: only.exchange, turn: only.turn ?? null, isCertain: false }
    : {
        type: 'several',
        seqs: during.map(({ seq }) => seq),
        exchanges: during.map(({ exchange }) => exchange),
      };
}

/** The cause of an input request in a few words; null until it is known, or if there is none. */
export function useCauseInWords(item: InputItem): string | null {
  const cause = causeOf(item);
  const one = useCause(cause.type === 'one' ? cause.seq : null);
  if (cause.type === 'several') return `one of ${formatCount(cause.seqs.length, 'running request')}`;
  const turn = cause.type === 'one' ? cause.turn : null;
  // A card has room for little: what is closest comes first.
  return turn === null ? one : [one ?? 'a call', turnInWords(turn)].join(' in ');
}

/** The turn of a conversation: `chat turn 2 of Weather`. */
export function turnInWords({ number, title }: InputTurn): string {
  return `chat turn ${formatCount(number)}${title === '' ? '' : ` of ${title}`}`;
}

const CALL_ENDS: Record<InputCallEnd, string> = {
  ended: 'has ended',
  timedOut: 'timed out',
  cancelled: 'was cancelled',
};

/** How the call ended that a request belongs to: `Its call was cancelled`. Null while it runs. */
export function callEndInWords({ callEnd, aboutSeq, during }: InputItem): string | null {
  if (callEnd === undefined) return null;
  const [, other] = during;
  const words = CALL_ENDS[callEnd];
  return aboutSeq === null && other !== undefined ? 'All calls have ended' : `Its call ${words}`;
}

/** Whether an input request belongs to an exchange, or may do so. */
export function mayBelongTo(item: InputItem, exchange: ExchangeId): boolean {
  return item.aboutExchange === exchange || item.during.some(({ exchange: running }) => running === exchange);
}
