import type { Background } from '../../background/background';
import { type JsonObject, indentJson, isObject, parseJson } from '../../text/json';
import type { FormFindings } from '../elicitation/formRequest';
import { type Excerpt, type RequestEdit, editedText, excerptOf } from './excerpt';
import { isLarge, remember } from './params';

/** How long a worker may take, in ms. */
const LIMIT_MS = 15_000;
/** Longer requests are read and edited in a worker, in characters. */
const IN_WORKER = 200_000;
/** How many messages are in view at once, at most. */
export const MOST_SHOWN = 60;
/** How many messages are in view at first, from the end. */
export const FIRST_SHOWN = 8;

/** The messages of a request in view. */
export interface InView {
  from: number;
  count: number;
}

export const AT_THE_END: InView = { from: -FIRST_SHOWN, count: FIRST_SHOWN };

/** What of a request is in view. */
export interface RequestPart extends Omit<Excerpt, 'json'> {
  /** The params, with the messages in view only. */
  params: JsonObject;
}

/** Reading a request. */
export type Reading =
  { state: 'reading' } | ({ state: 'read' } & RequestPart) | { state: 'failed'; reason: string };

/** Reads and edits the texts of requests, large ones in a worker. */
export interface RequestReader {
  read(json: string, view: InView, signal?: AbortSignal): Promise<Reading>;
  /** The edited text; the same text if it could not be edited. */
  edit(json: string, edit: RequestEdit): Promise<string>;
  /** What to warn of in a request for a form; null if it takes too long to find out. */
  look(json: string, signal: AbortSignal): Promise<FormFindings | null>;
}

export function createRequestReader(background: Background): RequestReader {
  return {
    async read(json, { from, count }, signal) {
      const outcome = await background.run({ type: 'excerpt', json, from, count }, LIMIT_MS, signal);
      switch (outcome.type) {
        case 'done':
          return partOf(json, outcome.value);
        case 'tooExpensive':
          return { state: 'failed', reason: 'reading it takes too long' };
        case 'failed':
          return { state: 'failed', reason: outcome.reason };
      }
    },
    async edit(json, edit) {
      if (isShort(json)) return editedNow(json, edit);
      const outcome = await background.run({ type: 'edit', json, edit }, LIMIT_MS);
      return outcome.type === 'done' ? outcome.value : json;
    },
    async look(json, signal) {
      const outcome = await background.run({ type: 'findings', json }, LIMIT_MS, signal);
      return outcome.type === 'done' ? outcome.value : null;
    },
  };
}

/** Whether a request is read and edited at once. */
export function isShort(json: string): boolean {
  return json.length <= IN_WORKER;
}

/** The edited text, indented; the same text if it could not be edited. */
export function editedNow(json: string, edit: RequestEdit): string {
  try {
    const edited = editedText(json, edit);
    return edited === json ? json : indentJson(edited);
  } catch {
    return json;
  }
}

function partOf(json: string, { json: part, ...facts }: Excerpt): Reading {
  const parsed = parseJson(part);
  if (!parsed.ok) return { state: 'failed', reason: parsed.message };
  const params = isObject(parsed.value) ? parsed.value : {};
  if (isLarge(json)) remember({ paramsJson: json, params, isWhole: !facts.isCut });
  return { state: 'read', params, ...facts };
}

/** Reads what is in view of a short request. */
export function readNow(json: string, { from, count }: InView): Reading {
  try {
    return partOf(json, excerptOf(json, from, count));
  } catch (thrown) {
    return { state: 'failed', reason: thrown instanceof Error ? thrown.message : String(thrown) };
  }
}
