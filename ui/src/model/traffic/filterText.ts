import type { CommandError, RecordKind, ServerId } from '../../contract/generated';
import { KIND_GROUPS } from './kinds';

/** Why a text is not a filter, and where, in characters from the beginning. */
export interface FilterProblem {
  at: number;
  length: number;
  message: string;
}

/** What a view of the log shows: a filter as the user writes it, within a server and with further terms. */
export interface LogQuery {
  text: string;
  /** Only of this server; null: of all. */
  serverId: ServerId | null;
  /** Terms that must hold too, whatever the text says. */
  terms?: readonly string[];
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

/** A name as a value of a term. */
function quoted(name: string): string {
  return `"${name.replaceAll(/[\\"]/g, '\\$&')}"`;
}

/** The filter as the engine reads it. What the user wrote comes first, so that the places of its errors hold for it. */
export function wireFilter({ text, serverId, terms = [] }: LogQuery): string {
  return [text.trimEnd(), ...(serverId === null ? [] : [`server:${quoted(serverId)}`]), ...terms]
    .filter((part) => part !== '')
    .join(' ');
}

/** Why the engine did not take a text as a filter; null if that is not what the error says. */
export function filterProblem({ code, message, detail }: CommandError): FilterProblem | null {
  const place = /^\{"at":(\d+),"length":(\d+)\}$/.exec(detail ?? '');
  if (code !== 'invalidParams' || place === null) return null;
  return { at: Number(place[1]), length: Number(place[2]), message };
}
