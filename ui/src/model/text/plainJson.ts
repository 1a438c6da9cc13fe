import { LosslessNumber } from 'lossless-json';
import { endOfString } from './spans';
import type { Json } from './json';

/**
 * JSON whose numbers are written as JavaScript writes them, and whose objects have no name twice: the browser's own parser
 * reads it without loss, several times faster than one that keeps the text of numbers.
 */

/** Shorter texts are not worth it, in characters. */
const LONG = 2_000;

/** The value of such a text; undefined for any other, also one that is not JSON. */
export function parsePlain(text: string): Json | undefined {
  if (text.length < LONG) return undefined;
  const names = namesIn(text);
  if (names === null) return undefined;
  try {
    const left = { names };
    const value = exact(JSON.parse(text), left);
    return left.names === 0 ? value : undefined;
  } catch {
    return undefined;
  }
}

/** How many names of members a text has; null if a number in it is written in another way than JavaScript's. */
function namesIn(text: string): number | null {
  let names = 0;
  for (let at = 0; at < text.length;) {
    const code = text.charCodeAt(at);
    if (code === 34) {
      try {
        at = endOfString(text, at);
      } catch {
        return null;
      }
    } else if (code === 45 || (code >= 48 && code <= 57)) {
      const end = endOfNumber(text, at);
      const number = text.slice(at, end);
      if (String(Number(number)) !== number || /[eE]/.test(text[end] ?? '')) return null;
      at = end;
    } else {
      if (code === 58) names += 1;
      at += 1;
    }
  }
  return names;
}

function endOfNumber(text: string, start: number): number {
  let at = start + 1;
  for (let code = text.charCodeAt(at); (code >= 48 && code <= 57) || code === 46;) {
    at += 1;
    code = text.charCodeAt(at);
  }
  return at;
}

/** The value with exact numbers. Counts the names of members down. */
function exact(value: unknown, left: { names: number }): Json {
  if (typeof value === 'number') return new LosslessNumber(String(value));
  if (Array.isArray(value)) {
    const list: unknown[] = value;
    for (const [at, item] of list.entries()) if (isInner(item)) list[at] = exact(item, left);
    return list as Json[];
  }
  if (typeof value === 'object' && value !== null) {
    const object = value as Record<string, unknown>;
    for (const name of Object.keys(object)) {
      left.names -= 1;
      const member = object[name];
      if (isInner(member)) object[name] = exact(member, left);
    }
    return object as Json;
  }
  return value as Json;
}

function isInner(value: unknown): boolean {
  return typeof value === 'number' || (typeof value === 'object' && value !== null);
}
