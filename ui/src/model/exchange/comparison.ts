import type { ContentItem, ExchangeOutcome, TextBody } from '../../contract/generated';
import type { Host } from '../../host/host';
import { formatSize } from '../text/format';
import { parseJson, sortKeys, writeJson } from '../text/json';
import { bodyOf } from '../text/textOf';
import { type Exchange, rawOf } from './exchange';
import { argumentsOf } from './request';

/** What is compared of two exchanges: their arguments and their results, as texts of bounded size. */

/** Of each side, no more than this is compared, in bytes. */
export const MAX_COMPARED = 1_000_000;
/** Longer JSON is compared as text, in the order of its keys: sorting it would block the window. In characters. */
export const MAX_SORTED = 200_000;
/** Larger bytes are compared by their size alone. */
const MAX_DIGESTED = 10_000_000;
/** More content blocks are not compared: each may be a separate request. */
const MAX_BLOCKS = 200;

/** `content`: what is read by people. `structured`: `structuredContent`. `raw`: the whole result or error. */
export type ComparedPart = 'arguments' | 'content' | 'structured' | 'raw';

/** One side of a comparison. */
export interface Compared {
  text: string;
  /** Only its beginning is compared. */
  isCut: boolean;
}

/** The parts that at least one of two exchanges has, the most telling result first. */
export function partsOf(before: Exchange, after: Exchange): ComparedPart[] {
  const has = (test: (exchange: Exchange) => boolean): boolean => test(before) || test(after);
  const parts: ComparedPart[] = [];
  if (has(({ outcome }) => blocksOf(outcome).length > 0)) parts.push('content');
  if (has(({ outcome }) => structuredOf(outcome) !== null)) parts.push('structured');
  parts.push('raw');
  if (has(({ request }) => argumentsOf(request) !== '')) parts.push('arguments');
  return parts;
}

/** One part of an exchange. Rejects with a `CommandFailure` if its text is no longer there. */
export async function comparedPart(host: Host, exchange: Exchange, part: ComparedPart): Promise<Compared> {
  const { outcome, request } = exchange;
  switch (part) {
    case 'arguments':
      return cut(sorted(argumentsOf(request)));
    case 'structured':
      return comparedBody(host, structuredOf(outcome));
    case 'raw':
      return comparedBody(host, rawOf(outcome));
    case 'content':
      return comparedBlocks(host, blocksOf(outcome));
  }
}

/** A content block, below a title if there are several. */
interface Block {
  title: string;
  item: ContentItem;
}

function blocksOf(outcome: ExchangeOutcome | null): Block[] {
  if (outcome?.type !== 'result') return [];
  const { view } = outcome;
  const titled = (items: ContentItem[]): Block[] =>
    items.map((item, index) => ({ item, title: 'uri' in item ? item.uri : `${index + 1} · ${item.type}` }));
  switch (view.type) {
    case 'tool':
      return titled(view.tool.content);
    case 'resource':
      return titled(view.contents);
    case 'prompt':
      return view.messages.map(({ role, content }, index) => ({
        item: content,
        title: `${index + 1} · ${role}`,
      }));
    case 'any':
      return [];
  }
}

function structuredOf(outcome: ExchangeOutcome | null): TextBody | null {
  if (outcome?.type !== 'result' || outcome.view.type !== 'tool') return null;
  return outcome.view.tool.structured?.json ?? null;
}

async function comparedBlocks(host: Host, blocks: Block[]): Promise<Compared> {
  let text = '';
  for (const [index, { title, item }] of blocks.entries()) {
    if (index >= MAX_BLOCKS || text.length >= MAX_COMPARED) return cut(text, true);
    // One after the other: as soon as there is enough text, nothing more is loaded.
    // oxlint-disable-next-line no-await-in-loop
    const block = await comparedBlock(host, item);
    if (block.isCut) return cut(`${text}${block.text}`, true);
    text += blocks.length > 1 ? `── ${title}\n${block.text}\n\n` : block.text;
  }
  return cut(text);
}

async function comparedBlock(host: Host, item: ContentItem): Promise<Compared> {
  switch (item.type) {
    case 'text':
    case 'resourceText':
      return comparedBody(host, item.text);
    case 'unknown':
      return comparedBody(host, item.json);
    case 'resourceLink':
      return cut([item.uri, item.name, item.title, item.description].filter(Boolean).join('\n'));
    case 'image':
    case 'audio':
    case 'resourceBlob': {
      const facts = `(${item.mimeType ?? 'binary'}, ${formatSize(item.size)})`;
      if (item.size > MAX_DIGESTED) return cut(facts);
      const digest = await crypto.subtle.digest('SHA-256', await bodyOf(host, item.body));
      return cut(`${facts}\nSHA-256 ${hex(digest)}`);
    }
  }
}

/** The beginning of a text. JSON is indented, with its keys in order, unless it is large. */
export async function comparedBody(host: Host, body: TextBody | null): Promise<Compared> {
  if (body === null) return cut('');
  const isJson = body.pretty !== null;
  const id = body.size > MAX_SORTED && body.pretty !== null ? body.pretty : body.body;
  if (id === body.body && body.inline !== null) return cut(isJson ? sorted(body.inline) : body.inline);
  const bytes = await bodyOf(host, id);
  const isCut = bytes.byteLength > MAX_COMPARED;
  // As a stream, so that a character that is cut in two is left out.
  const text = new TextDecoder().decode(bytes.subarray(0, MAX_COMPARED), { stream: isCut });
  return cut(isJson && !isCut ? sorted(text) : text, isCut);
}

function sorted(text: string): string {
  if (text.length > MAX_SORTED) return text;
  const parsed = parseJson(text);
  return parsed.ok ? writeJson(sortKeys(parsed.value)) : text;
}

function cut(text: string, isCut = false): Compared {
  return text.length > MAX_COMPARED ? { text: text.slice(0, MAX_COMPARED), isCut: true } : { text, isCut };
}

function hex(bytes: ArrayBuffer): string {
  return Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
