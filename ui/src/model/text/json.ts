import { type LosslessNumber, isLosslessNumber, parse, stringify } from 'lossless-json';
import { withoutLongStrings } from './longStrings';
import { parsePlain } from './plainJson';
import { afterSpace, endOfString } from './spans';

/**
 * JSON whose numbers keep their text: 9007199254740993 and 1.10 stay what they are.
 * Deliberately not here: anything about schemas (schema.ts) or tools (arguments.ts).
 */
export type Json = null | boolean | string | LosslessNumber | Json[] | { [key: string]: Json };

/** A JSON object whose numbers keep their text. */
export type JsonObject = Record<string, Json>;

/** The result of parsing. */
export type Parsed = { ok: true; value: Json } | { ok: false; message: string; position: number };

/** The longest text that is read again with each edit, in characters: longer ones would delay the keys. */
export const MAX_LIVE = 1_000_000;

/** Reads JSON text. Rejects what the writer could not reproduce, e.g. two different values for one key. */
export function parseJson(text: string): Parsed {
  const plain = parsePlain(text);
  if (plain !== undefined) return { ok: true, value: plain };
  const short = withoutLongStrings(text);
  if (short !== null) {
    try {
      const value = parse(short.text, (_key, member) =>
        typeof member === 'string' ? (short.strings.get(member) ?? member) : member,
      );
      return { ok: true, value: value as Json };
    } catch {
      // Read whole, for the place of the mistake in the text itself.
    }
  }
  try {
    return { ok: true, value: parse(text) as Json };
  } catch (thrown) {
    if (thrown instanceof RangeError)
      return { ok: false, message: 'Nested too deeply to be read here', position: 0 };
    const message = thrown instanceof Error ? thrown.message : String(thrown);
    const position = /position (\d+)/.exec(message)?.[1];
    return {
      ok: false,
      message: message.replace(/ (at|but got end of input at|or comma)? ?position \d+$/, ''),
      position: Math.min(position === undefined ? 0 : Number(position), text.length),
    };
  }
}

/** Writes JSON text with an indent of two, every number as it was written. */
export function writeJson(value: Json): string {
  return stringify(value, null, 2) ?? 'null';
}

/** Writes JSON text on one line, every number as it was written. */
export function writeJsonCompact(value: Json): string {
  return stringify(value) ?? 'null';
}

/** Deeper levels are not indented further, so that the text of deeply nested JSON stays linear in size. */
const DEEPEST_INDENT = 64;

/** Indents JSON text without changing a name, a value or their order; leaves what is not JSON as it is. */
export function indentJson(text: string): string {
  try {
    JSON.parse(text);
  } catch {
    return text;
  }
  let out = '';
  let depth = 0;
  const breakLine = (): string => `\n${'  '.repeat(Math.min(depth, DEEPEST_INDENT))}`;
  for (let at = afterSpace(text, 0); at < text.length; at = afterSpace(text, at)) {
    const char = text.charAt(at);
    const start = at;
    at += 1;
    if (char === '"') {
      at = endOfString(text, start);
      out += text.slice(start, at);
    } else if (char === '{' || char === '[') {
      const next = afterSpace(text, at);
      const isEmpty = text.charAt(next) === (char === '{' ? '}' : ']');
      depth += isEmpty ? 0 : 1;
      out += isEmpty ? char + text.charAt(next) : char + breakLine();
      at = isEmpty ? next + 1 : next;
    } else if (char === '}' || char === ']') {
      depth -= 1;
      out += breakLine() + char;
    } else if (char === ',') out += `,${breakLine()}`;
    else out += char === ':' ? ': ' : char;
  }
  return out;
}

/** The same value with the keys of all objects in the order of their characters. */
export function sortKeys(value: Json): Json {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (!isObject(value)) return value;
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, member]) => [key, sortKeys(member)]));
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !isLosslessNumber(value);
}

/** Whether a JavaScript number cannot represent this number exactly (2^53 and beyond, too many digits). */
export function isUnsafe(number: LosslessNumber): boolean {
  const value = Number(number.value);
  if (!Number.isFinite(value)) return true;
  return /^-?\d+$/.test(number.value) && !Number.isSafeInteger(value);
}

/** The same value with plain JavaScript numbers. Big ones lose digits. */
export function toPlain(value: Json): unknown {
  if (isLosslessNumber(value)) return Number(value.value);
  if (Array.isArray(value)) return value.map(toPlain);
  if (isObject(value)) {
    return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, toPlain(member)]));
  }
  return value;
}

/** The place of a member in a value: keys and indexes from the root. */
export type Path = readonly (string | number)[];

/** The member at a path, if there is one. */
export function memberAt(value: Json | undefined, path: Path): Json | undefined {
  let at = value;
  for (const step of path) {
    if (Array.isArray(at)) at = at[Number(step)];
    else if (isObject(at) && Object.hasOwn(at, step)) at = at[String(step)];
    else return undefined;
  }
  return at;
}

/** Calls `visit` for each number in the value at `path`. */
export function eachNumber(value: Json, path: Path, visit: (path: Path, text: string) => void): void {
  if (isLosslessNumber(value)) visit(path, value.value);
  else if (Array.isArray(value))
    value.forEach((member, index) => eachNumber(member, [...path, index], visit));
  else if (isObject(value)) {
    for (const [key, member] of Object.entries(value)) eachNumber(member, [...path, key], visit);
  }
}

/** A path as a JSON pointer. */
export function toPointer(path: Path): string {
  return path.map((step) => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

/** A JSON pointer as a path. */
export function fromPointer(pointer: string): string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
}
