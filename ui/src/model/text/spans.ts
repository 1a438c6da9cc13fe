/**
 * Where the parts of a valid JSON text are, found without reading it into values: for texts of megabytes of which little is
 * needed. What is not valid JSON is reported where it is noticed, or not at all.
 */

/** A part of a text. */
export interface Span {
  start: number;
  end: number;
}

/** A member of an object: its name, and where its value is. */
export interface MemberSpan extends Span {
  name: string;
}

/** Thrown for a text that is not JSON. */
export class NotJson extends Error {}

const [QUOTE, BACKSLASH, COLON] = [34, 92, 58];
const [OPEN, CLOSE] = [new Set([123, 91]), new Set([125, 93])];

/** Where the next character that is not white space is. */
export function afterSpace(text: string, from: number): number {
  let at = from;
  for (let code = text.charCodeAt(at); code === 32 || (code >= 9 && code <= 13);) {
    at += 1;
    code = text.charCodeAt(at);
  }
  return at;
}

/** Where the string that begins at `start` ends, or -1 if it does not. */
export function findEndOfString(text: string, start: number): number {
  for (let at = text.indexOf('"', start + 1); at >= 0; at = text.indexOf('"', at + 1)) {
    let slashes = 0;
    while (text.charCodeAt(at - 1 - slashes) === BACKSLASH) slashes += 1;
    if (slashes % 2 === 0) return at + 1;
  }
  return -1;
}

/** Where the string that begins at `start` ends, after its quote. */
export function endOfString(text: string, start: number): number {
  const end = findEndOfString(text, start);
  if (end < 0) throw new NotJson('Unterminated string');
  return end;
}

/** Where the value that begins at `start` ends. */
export function endOfValue(text: string, start: number): number {
  const first = text.charCodeAt(start);
  if (first === QUOTE) return endOfString(text, start);
  if (!OPEN.has(first)) return endOfWord(text, start);
  let depth = 0;
  for (let at = start; at < text.length;) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      at = endOfString(text, at);
      continue;
    }
    at += 1;
    if (OPEN.has(code)) depth += 1;
    else if (CLOSE.has(code)) {
      depth -= 1;
      if (depth === 0) return at;
    }
  }
  throw new NotJson('Unterminated object or array');
}

function endOfWord(text: string, start: number): number {
  let at = start;
  while (at < text.length && !',]} \n\r\t'.includes(text[at] ?? '')) at += 1;
  if (at === start) throw new NotJson('A value is missing');
  return at;
}

/** The items of the list that begins at `start`. */
export function* itemsAt(text: string, start: number): Generator<Span> {
  let at = afterSpace(text, start + 1);
  while (text[at] !== ']') {
    const end = endOfValue(text, at);
    yield { start: at, end };
    at = afterComma(text, end);
  }
}

/** The members of the object that begins at `start`. */
export function* membersAt(text: string, start: number): Generator<MemberSpan> {
  let at = afterSpace(text, start + 1);
  while (text[at] !== '}') {
    if (text.charCodeAt(at) !== QUOTE) throw new NotJson('Expected a property name');
    const endOfName = endOfString(text, at);
    const colon = afterSpace(text, endOfName);
    if (text.charCodeAt(colon) !== COLON) throw new NotJson('A colon is missing');
    const value = afterSpace(text, colon + 1);
    const end = endOfValue(text, value);
    yield { name: JSON.parse(text.slice(at, endOfName)) as string, start: value, end };
    at = afterComma(text, end);
  }
}

/** Where what follows a value begins, or where the list or object ends. */
function afterComma(text: string, end: number): number {
  const at = afterSpace(text, end);
  if (text[at] === ',') return afterSpace(text, at + 1);
  if (text[at] === ']' || text[at] === '}') return at;
  throw new NotJson('A comma is missing');
}
