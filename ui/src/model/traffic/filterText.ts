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

/** Whether a word names kinds, to show only these, or to exclude them. The case of a key does not matter; in quotes it is text. */
function isKinds({ text }: Word): boolean {
  return text.toLowerCase().replace(/^-/, '').startsWith(KIND);
}

/** The values of a term, in lower case and without quotes. */
function valuesOf(text: string): string[] {
  return Array.from(text.matchAll(/(?:"(?:\\.|[^"\\])*"?|[^,"])+/g), ([value]) =>
    value
      .replaceAll(/"((?:\\.|[^"\\])*)"?/g, (_, inner: string) => inner.replaceAll(/\\(["\\*])/g, '$1'))
      .toLowerCase(),
  );
}

/** The kinds of records that the terms about kinds leave; empty if there are none. */
export function kindsOf(text: string): RecordKind[] {
  const words = wordsOf(text).filter(isKinds);
  const excluding = words.filter((word) => word.text.startsWith('-'));
  const named = words
    .filter((word) => !excluding.includes(word))
    .flatMap((word) => valuesOf(valueText(word)));
  const excluded = excluding.flatMap((word) => valuesOf(valueText(word)));
  const shown = ALL_KINDS.filter((kind) => named.length === 0 || named.includes(kind));
  return words.length === 0 ? [] : shown.filter((kind) => !excluded.includes(kind));
}

/** What follows the key of a term. */
function valueText({ text }: Word): string {
  return text.slice(text.indexOf(':') + 1);
}

/** The same filter for these kinds; without any, for all. */
export function withKinds(text: string, kinds: readonly RecordKind[]): string {
  const others = wordsOf(text)
    .filter((word) => !isKinds(word))
    .map((word) => word.text);
  return [...(kinds.length > 0 ? [KIND + kinds.join(',')] : []), ...others].join(' ');
}

/** A name as a value of a term. */
function quoted(name: string): string {
  return `"${name.replaceAll(/[\\"]/g, '\\$&')}"`;
}

/** A term with exactly this value: what would mean something else in it is in quotes. */
export function termOf(key: string, value: string): string {
  return key + (/[\s",*\\]/.test(value) ? quoted(value).replaceAll('*', '\\*') : value);
}

/** The filter that also asks for a term, in place of the terms with the same key. */
export function withOnly(text: string, key: string, term: string): string {
  return withInstead(text, term, (word) => word.toLowerCase().startsWith(key) || word === `-${term}`);
}

/** The filter that excludes what a term finds. */
export function withoutThose(text: string, term: string): string {
  return withInstead(text, `-${term}`, (word) => word === term || word === `-${term}`);
}

/** What is written within an open quote is no term: it goes. */
function withInstead(text: string, term: string, isReplaced: (word: string) => boolean): string {
  const words = CLOSED.test(text) ? wordsOf(text) : [];
  const others = words.map((word) => word.text).filter((word) => !isReplaced(word));
  return [...others, term].join(' ');
}

/** Whether each quote of a text is closed. Within quotes, one after a backslash closes nothing. */
const CLOSED = /^(?:[^"]|"(?:\\.|[^"\\])*")*$/s;

/**
 * The filter as the engine reads it. What the user wrote comes first, so that the places of its errors hold for it; within an open
 * quote, what follows would be a part of it, so that it is alone.
 */
export function wireFilter({ text, serverId, terms = [] }: LogQuery): string {
  if (!CLOSED.test(text)) return text.trimEnd();
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
