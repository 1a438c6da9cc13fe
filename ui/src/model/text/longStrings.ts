/**
 * Long strings of a JSON text, taken out of it before it is parsed: the parser that keeps the text of numbers reads strings
 * character by character, 1 s for 5 MB; the browser's own reads one in 10 ms.
 */

import { findEndOfString } from './spans';

/** Shorter strings stay where they are, in characters. */
const LONG = 10_000;

/** A JSON text with short names in the place of its long strings. */
export interface Shortened {
  text: string;
  /** The strings, by the names in their places. */
  strings: ReadonlyMap<string, string>;
}

/** Takes the long strings out of a text; null if there is none, or if what looks like one is not a string. */
export function withoutLongStrings(text: string): Shortened | null {
  if (text.length < LONG) return null;
  const strings = new Map<string, string>();
  let short = '';
  let kept = 0;
  for (let start = text.indexOf('"'); start >= 0;) {
    const end = findEndOfString(text, start);
    if (end < 0) return null;
    if (end - start > LONG && !isName(text, end)) {
      const value = valueOf(text.slice(start, end));
      if (value === null) return null;
      // No text has this string: it would have been written as an escape, which is longer.
      const name = `\u0001${strings.size}`;
      strings.set(name, value);
      short += `${text.slice(kept, start)}"\\u0001${strings.size - 1}"`;
      kept = end;
    }
    start = text.indexOf('"', end);
  }
  if (strings.size === 0 || text.includes('\\u0001')) return null;
  return { text: short + text.slice(kept), strings };
}

/** Whether the string that ends here is the name of a member. */
function isName(text: string, end: number): boolean {
  let at = end;
  while (/\s/.test(text[at] ?? '')) at += 1;
  return text[at] === ':';
}

function valueOf(literal: string): string | null {
  try {
    return JSON.parse(literal) as string;
  } catch {
    return null;
  }
}
