import { type Json, type JsonObject, isObject, parseJson, writeJsonCompact } from '../../text/json';
import { type Span, NotJson, afterSpace, endOfValue, itemsAt, membersAt } from '../../text/spans';

/**
 * Of a request with megabytes of params, what can be shown at once, and edits of its text. Works on the text, so that nothing
 * but the parts in view is read into values. Runs in a worker (requestText.ts).
 */

/** What of a request is shown. */
export interface Excerpt {
  /** The params as JSON text, with the messages in view, and of everything else so much as can be shown. */
  json: string;
  /** How many messages the request has. */
  messages: number;
  /** The place of the first message in view. */
  from: number;
  /** How many messages hold results of tools. */
  toolRounds: number;
  /** Something besides whole messages was left out. */
  isCut: boolean;
}

/** An edit of a request. */
export type RequestEdit =
  | { type: 'param'; name: string; valueJson: string | null }
  | { type: 'turnText'; turn: number; block: number; text: string }
  | { type: 'removeTurn'; turn: number };

/** How many parts (values, at any depth) an excerpt has at most. */
const MOST_PARTS = 4_000;
/** How many items or members of one value are kept. */
const MOST_ITEMS = 200;
/** How many characters are kept of a string in what is shown shortly anyway. */
const MOST_TEXT = 100_000;
/** Members whose strings are shown whole, on request. */
const WHOLE = new Set(['messages', 'systemPrompt', 'message', 'url']);
const MAX_DEPTH = 60;

/** The params of a request with `count` messages from `from` on; a negative `from` counts from the end. Throws `NotJson`. */
export function excerptOf(json: string, from: number, count: number): Excerpt {
  const start = afterSpace(json, 0);
  if (json[start] !== '{') throw new NotJson('The params are not an object');
  const cutter = new Cutter(json);
  const found = { messages: 0, from: 0, toolRounds: 0 };
  const members: string[] = [];
  for (const member of membersAt(json, start)) {
    const name = JSON.stringify(member.name);
    if (member.name !== 'messages' || json[member.start] !== '[') {
      members.push(`${name}:${cutter.value(member, 0, WHOLE.has(member.name) ? Infinity : MOST_TEXT)}`);
      continue;
    }
    const spans = [...itemsAt(json, member.start)];
    found.messages = spans.length;
    found.from = Math.max(0, Math.min(from < 0 ? spans.length + from : from, spans.length - 1));
    found.toolRounds = spans.filter((span) => holdsResult(json.slice(span.start, span.end))).length;
    const shown = spans.slice(found.from, found.from + count).map((span) => {
      // Each has its share, so that no message hides the others.
      const one = new Cutter(json, Math.ceil(MOST_PARTS / count));
      const text = one.value(span, 0);
      cutter.isCut ||= one.isCut;
      return text;
    });
    members.push(`${name}:[${shown.join(',')}]`);
  }
  return { json: `{${members.join(',')}}`, ...found, isCut: cutter.isCut };
}

/** Whether a message holds the result of a tool. */
function holdsResult(message: string): boolean {
  if (!message.includes('tool_result')) return false;
  const parsed = parseJson(message);
  const content = parsed.ok && isObject(parsed.value) ? (parsed.value['content'] as Json) : null;
  const blocks = Array.isArray(content) ? content : [content];
  return blocks.some((block) => isObject(block) && block['type'] === 'tool_result');
}

/** Writes parts of a text, up to a number of values. */
class Cutter {
  isCut = false;

  constructor(
    readonly text: string,
    public left: number = MOST_PARTS,
  ) {}

  value(span: Span, depth: number, longest = Infinity): string {
    this.left -= 1;
    const { text } = this;
    const first = text[span.start];
    if (first !== '[' && first !== '{') {
      const whole = text.slice(span.start, span.end);
      if (first !== '"' || whole.length <= longest) return whole;
      this.isCut = true;
      return JSON.stringify(`${(JSON.parse(whole) as string).slice(0, longest)} …`);
    }
    if (depth > MAX_DEPTH) {
      this.isCut = true;
      return first === '[' ? '[]' : '{}';
    }
    const parts: string[] = [];
    const spans = first === '[' ? itemsAt(text, span.start) : membersAt(text, span.start);
    for (const part of spans) {
      if (parts.length >= MOST_ITEMS || this.left <= 0) {
        this.isCut = true;
        break;
      }
      const name = 'name' in part ? `${JSON.stringify(part.name)}:` : '';
      parts.push(name + this.value(part, depth + 1, longest));
    }
    return first === '[' ? `[${parts.join(',')}]` : `{${parts.join(',')}}`;
  }
}

/** The text with an edit; the same text if it has no such place. Throws `NotJson`. */
export function editedText(json: string, edit: RequestEdit): string {
  const start = afterSpace(json, 0);
  if (edit.type === 'param') return withMember(json, start, edit.name, edit.valueJson);
  for (const member of membersAt(json, start)) {
    if (member.name !== 'messages' || json[member.start] !== '[') continue;
    const spans = [...itemsAt(json, member.start)];
    const turn = spans[edit.turn];
    if (turn === undefined) return json;
    if (edit.type === 'removeTurn') {
      const rest = spans.toSpliced(edit.turn, 1).map((span) => json.slice(span.start, span.end));
      return `${json.slice(0, member.start)}[${rest.join(',')}]${json.slice(member.end)}`;
    }
    const parsed = parseJson(json.slice(turn.start, turn.end));
    if (!parsed.ok || !isObject(parsed.value) || !setBlockText(parsed.value, edit.block, edit.text))
      return json;
    return json.slice(0, turn.start) + writeJsonCompact(parsed.value) + json.slice(turn.end);
  }
  return json;
}

/** Sets the text of a block of a message; false if there is none. */
export function setBlockText(message: JsonObject, block: number, text: string): boolean {
  const { content } = message;
  if (typeof content === 'string') {
    message['content'] = text;
    return true;
  }
  const target = Array.isArray(content) ? content[block] : content;
  if (!isObject(target)) return false;
  target['text'] = text;
  return true;
}

function withMember(json: string, start: number, name: string, valueJson: string | null): string {
  const end = endOfValue(json, start);
  const members = [...membersAt(json, start)];
  const kept = members
    .filter((member) => member.name !== name || valueJson !== null)
    .map((member) => {
      const value = member.name === name ? valueJson : json.slice(member.start, member.end);
      return `${JSON.stringify(member.name)}:${value ?? ''}`;
    });
  if (valueJson !== null && !members.some((member) => member.name === name))
    kept.push(`${JSON.stringify(name)}:${valueJson}`);
  return `{${kept.join(',')}}${json.slice(end)}`;
}
