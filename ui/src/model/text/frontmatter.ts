import { parseDocument } from 'yaml';
import { shortenedWithRest } from './format';

/** The YAML at the beginning of a Markdown text, between two lines of three hyphens. */

/** Longer frontmatter is not parsed, in characters. */
const MAX_YAML = 64 * 1024;
/** How often aliases may repeat what they refer to: a short text can otherwise stand for gigabytes. */
const MAX_ALIASES = 50;

export interface SplitText {
  /** Null if there is none. */
  yaml: string | null;
  body: string;
}

export function splitFrontmatter(text: string): SplitText {
  const start = /^\uFEFF?---[ \t]*\r?\n/.exec(text);
  if (start === null) return { yaml: null, body: text };
  const rest = text.slice(start[0].length);
  const end = /(^|\n)---[ \t]*(\r?\n|$)/.exec(rest);
  if (end === null) return { yaml: null, body: text };
  return { yaml: rest.slice(0, end.index), body: rest.slice(end.index + end[0].length) };
}

export type Frontmatter =
  | { type: 'object'; value: Record<string, unknown> }
  /** Why it cannot be used, in a sentence. */
  | { type: 'invalid'; message: string }
  /** Why it was not parsed, in a sentence. */
  | { type: 'notRead'; message: string };

/** Parses frontmatter. Never throws. Takes seconds for what a hostile server sends, so it runs in a worker only. */
export function parseFrontmatter(yaml: string): Frontmatter {
  if (yaml.length > MAX_YAML)
    return { type: 'notRead', message: `it is longer than ${MAX_YAML / 1024} KiB.` };
  try {
    const document = parseDocument(yaml, { schema: 'core', logLevel: 'silent', prettyErrors: true });
    const [error] = document.errors;
    if (error !== undefined)
      return invalid(error.message.split('\n')[0]?.replace(/:$/, '') ?? 'it is not YAML.');
    const value: unknown = document.toJS({ maxAliasCount: MAX_ALIASES });
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      return invalid('it is not a mapping of names to values.');
    }
    return { type: 'object', value: value as Record<string, unknown> };
  } catch (thrown) {
    return invalid(thrown instanceof RangeError ? 'it is nested too deeply.' : (thrown as Error).message);
  }
}

function invalid(message: string): Frontmatter {
  return { type: 'invalid', message: message.slice(0, 300) };
}

/** The names whose values differ between two versions of a frontmatter, in order. */
export function differingNames(
  listed: Readonly<Record<string, unknown>>,
  read: Readonly<Record<string, unknown>>,
): string[] {
  const names = new Set([...Object.keys(listed), ...Object.keys(read)]);
  return [...names].filter((name) => !isSame(listed[name], read[name]));
}

/** Whether two values would be the same JSON, in any order of members. No longer than the smaller one: aliases can repeat the other. */
function isSame(a: unknown, b: unknown): boolean {
  if (Array.isArray(a) || Array.isArray(b)) {
    return (
      Array.isArray(a) &&
      Array.isArray(b) &&
      a.length === b.length &&
      a.every((item, at) => isSame(item, b[at]))
    );
  }
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) {
    return JSON.stringify(a) === JSON.stringify(b);
  }
  const members = Object.entries(a);
  const others: Partial<Record<string, unknown>> = { ...b };
  return (
    members.length === Object.keys(others).length &&
    members.every(([name, member]) => Object.hasOwn(others, name) && isSame(member, others[name]))
  );
}

/** How many facts of a frontmatter are shown, and how long their texts are at most. */
const MAX_FACTS = 40;
const MAX_FACT = 2_000;

/** Names and texts of a frontmatter; the members of a mapping are facts of their own. */
export function factsOf(value: Readonly<Record<string, unknown>>): { name: string; text: string }[] {
  return Object.entries(value)
    .flatMap(([name, item]) =>
      typeof item === 'object' && item !== null && !Array.isArray(item)
        ? Object.entries(item).map(([inner, part]) => ({ name: `${name}.${inner}`, text: textOf(part) }))
        : [{ name, text: textOf(item) }],
    )
    .slice(0, MAX_FACTS);
}

function textOf(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
  return shortenedWithRest(text, MAX_FACT);
}
