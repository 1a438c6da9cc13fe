import type { Path } from '../../model/text/json';

/** What is being typed at the end of a JSON text that is not complete. */
export interface JsonCursor {
  /** The name of a member, or a value. */
  type: 'name' | 'value';
  /** The object of the name, or the place of the value. */
  path: Path;
  /** Where the name or value begins. */
  from: number;
  /** The members before it in the object. */
  names: readonly string[];
}

interface Container {
  isObject: boolean;
  /** The names so far; the last one is that of the value. */
  names: string[];
  /** The index in an array. */
  index: number;
  expects: 'name' | 'colon' | 'value' | 'comma';
}

const WORD = /[\w.+-]/;

/** What is being typed at the end of a text; null where neither a name nor a value of a container can be. Tolerates mistakes. */
export function cursorAt(text: string): JsonCursor | null {
  const stack: Container[] = [];
  let at = 0;
  while (at < text.length) {
    const character = text[at] ?? '';
    const top = stack.at(-1);
    if (character === '"' || WORD.test(character)) {
      const end = character === '"' ? endOfString(text, at) : endOfWord(text, at);
      if (end === null) return top === undefined ? null : cursorIn(stack, at);
      if (top !== undefined) accept(top, text.slice(at, end));
      at = end;
      continue;
    }
    if (character === '{' || character === '[') stack.push(opened(character === '{'));
    else if (character === '}' || character === ']') {
      stack.pop();
      const outer = stack.at(-1);
      if (outer !== undefined) outer.expects = 'comma';
    } else if (top !== undefined && character === ':') top.expects = 'value';
    else if (top !== undefined && character === ',') {
      top.index += 1;
      top.expects = top.isObject ? 'name' : 'value';
    }
    at += 1;
  }
  return cursorIn(stack, text.length);
}

function opened(isObject: boolean): Container {
  return { isObject, names: [], index: 0, expects: isObject ? 'name' : 'value' };
}

function accept(container: Container, token: string): void {
  if (container.expects === 'name') {
    container.names.push(unquoted(token));
    container.expects = 'colon';
  } else if (container.expects === 'value') container.expects = 'comma';
}

function cursorIn(stack: Container[], from: number): JsonCursor | null {
  const top = stack.at(-1);
  if (top === undefined || top.expects === 'colon' || top.expects === 'comma') return null;
  const outer = stack.slice(0, -1).map(stepOf);
  if (top.expects === 'name') return { type: 'name', path: outer, from, names: top.names };
  return { type: 'value', path: [...outer, stepOf(top)], from, names: [] };
}

function stepOf({ isObject, names, index }: Container): string | number {
  return isObject ? (names.at(-1) ?? '') : index;
}

/** The end of a string; null if it is not closed. */
function endOfString(text: string, start: number): number | null {
  for (let at = start + 1; at < text.length; at += 1) {
    if (text[at] === '\\') at += 1;
    else if (text[at] === '"') return at + 1;
    else if (text[at] === '\n') return at;
  }
  return null;
}

/** The end of a number or a word; null if the text ends with it. */
function endOfWord(text: string, start: number): number | null {
  let end = start;
  while (end < text.length && WORD.test(text[end] ?? '')) end += 1;
  return end === text.length ? null : end;
}

function unquoted(token: string): string {
  try {
    return String(JSON.parse(token));
  } catch {
    return token;
  }
}
