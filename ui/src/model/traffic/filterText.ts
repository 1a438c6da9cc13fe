import type { RecordKind, ServerId, TrafficFilter } from '../../contract/generated';
import { KIND_GROUPS } from './kinds';

/** Why a text is not a filter, and where, in characters from the beginning. */
export interface FilterProblem {
  at: number;
  length: number;
  message: string;
}

/** What a view of the log shows: a filter as the user writes it, within a server and some kinds. */
export interface LogQuery {
  text: string;
  /** Only of this server; null: of all. */
  serverId: ServerId | null;
  /** Only these kinds, whatever the text says. */
  kinds?: readonly RecordKind[];
}

interface Word {
  at: number;
  /** As written, with quotes. */
  text: string;
}

const KIND = 'kind:';
const ALL_KINDS = KIND_GROUPS.flatMap(({ kinds }) => kinds);

/** Words are separated by spaces, except within double quotes. */
function wordsOf(text: string): Word[] {
  return Array.from(text.matchAll(/(?:"(?:\\.|[^"\\])*"?|[^\s"])+/g), (match) => ({
    at: Array.from(text.slice(0, match.index)).length,
    text: match[0],
  }));
}

/** The kinds of records a filter names; empty if it does not. */
export function kindsOf(text: string): RecordKind[] {
  const named = wordsOf(text)
    .filter((word) => word.text.startsWith(KIND))
    .flatMap((word) => word.text.slice(KIND.length).split(','));
  return ALL_KINDS.filter((kind) => named.includes(kind));
}

/** The same filter for these kinds; without any, for all. */
export function withKinds(text: string, kinds: readonly RecordKind[]): string {
  const others = wordsOf(text)
    .map((word) => word.text)
    .filter((word) => !word.startsWith(KIND));
  return [...(kinds.length > 0 ? [KIND + kinds.join(',')] : []), ...others].join(' ');
}

/** The filter as the engine takes it, or why it is not one. */
export function wireFilter({ text, serverId, kinds = [] }: LogQuery): TrafficFilter | FilterProblem {
  const words = wordsOf(text);
  for (const word of words) {
    if (!word.text.startsWith(KIND)) continue;
    const unknown = word.text
      .slice(KIND.length)
      .split(',')
      .find((kind) => !ALL_KINDS.includes(kind as RecordKind));
    if (unknown === undefined) continue;
    return {
      at: word.at,
      length: Array.from(word.text).length,
      message: `${unknown === '' ? 'kind: needs a value' : `“${unknown}” is not a kind`}. Use ${ALL_KINDS.join(', ')}.`,
    };
  }
  const rest = words
    .filter((word) => !word.text.startsWith(KIND))
    .map((word) => word.text.replaceAll(/\\(.)|"/g, '$1'))
    .join(' ');
  const named = kindsOf(text);
  return {
    serverId,
    kinds: kinds.length > 0 ? [...kinds] : named,
    text: rest === '' ? null : rest,
  };
}
