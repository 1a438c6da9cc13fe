import type { InputItem, ServerId } from '../../../contract/generated';
import { TooExpensive } from '../../background/budget';
import { SchemaDocument } from '../../form/fields/document';
import { type Json, type JsonObject, isObject, parseJson, writeJsonCompact } from '../../text/json';
import type { EarlierAnswer, UiState } from '../../workspace/uiState';
import { ownOf } from '../../store/ownOf';
import { isWhole, paramsOf } from '../request/params';
import { contentOf } from './elicitation';
import { secretInMessage } from './formRequest';
import { namesSecret, secretHint, secretLooker } from './secretFields';

/**
 * Answers the user gave before, offered again to the same server. Values of fields that look like secrets, in any part of them,
 * are never kept, and nothing is of a request that speaks of a secret without saying which field is meant.
 */

/** The maximum number of answers kept per server. */
const MOST = 20;
/** A longer answer is not kept, in characters. */
const MOST_LENGTH = 20_000;
/** More servers are not kept. */
const MOST_SERVERS = 50;
/** How many answers are offered. */
const OFFERED = 5;

/** An earlier answer as far as it fits a request. */
export interface OfferedAnswer {
  /** The values it would fill in. */
  content: JsonObject;
  atMs: number;
}

/** Keeps the content of an answer to a request; the state is the same if nothing of it may be kept. */
export function withAnswer(
  state: UiState,
  serverId: ServerId,
  { params, content, atMs }: { params: JsonObject; content: JsonObject; atMs: number },
): UiState {
  const mayKeep = keepableOf(params);
  const kept = Object.entries(content).filter(([name, value]) => mayKeep(name, value));
  const contentJson = writeJsonCompact(Object.fromEntries(kept));
  if (!state.keepsAnswers || kept.length === 0 || contentJson.length > MOST_LENGTH) return state;
  const others = answersOf(state, serverId).filter((answer) => answer.contentJson !== contentJson);
  const { [serverId]: _, ...servers } = state.earlierAnswers;
  const rest = Object.entries(servers).slice(0, MOST_SERVERS - 1);
  return {
    ...state,
    earlierAnswers: {
      [serverId]: [{ contentJson, atMs }, ...others].slice(0, MOST),
      ...Object.fromEntries(rest),
    },
  };
}

/** Whether a draft of an answer may be written down whole: nothing in it is, or may be, a secret. */
export function mayKeepDraft({ paramsJson }: InputItem, draft: string): boolean {
  const content = contentOf(draft);
  if (content === null || !isWhole(paramsJson)) return false;
  const mayKeep = keepableOf(paramsOf(paramsJson));
  return Object.entries(content).every(([name, value]) => mayKeep(name, value));
}

/** Forgets what was answered to a server. */
export function withoutAnswers(state: UiState, serverId: ServerId): UiState {
  const { [serverId]: _, ...earlierAnswers } = state.earlierAnswers;
  return { ...state, earlierAnswers };
}

/**
 * Earlier answers whose values fit the fields of a request, those that fill in most of it first; none that changes nothing in
 * `current`. It runs while the dialog is drawn, so patterns that could take long are not tried: the check of the answer has
 * them.
 */
export function offeredAnswers(
  state: Pick<UiState, 'earlierAnswers'>,
  serverId: ServerId,
  params: JsonObject,
  current: JsonObject,
): OfferedAnswer[] {
  const schema = params['requestedSchema'];
  const properties = propertiesOf(schema);
  const mayKeep = keepableOf(params);
  const fits = fitsOf(schema);
  const offered = new Map<string, OfferedAnswer>();
  for (const { contentJson, atMs } of answersOf(state, serverId)) {
    const parsed = parseJson(contentJson);
    const known = parsed.ok && isObject(parsed.value) ? Object.entries(parsed.value) : [];
    const fitting = known.filter(
      ([name, value]) => mayKeep(name, value) && fits(properties[name] ?? true, value),
    );
    const content = Object.fromEntries(fitting);
    const changes = fitting.some(
      ([name, value]) =>
        !Object.hasOwn(current, name) || writeJsonCompact(current[name] ?? null) !== writeJsonCompact(value),
    );
    const key = writeJsonCompact(content);
    if (changes && !offered.has(key)) offered.set(key, { content, atMs });
  }
  return [...offered.values()]
    .toSorted((a, b) => Object.keys(b.content).length - Object.keys(a.content).length)
    .slice(0, OFFERED);
}

/** The values of an answer, in a line. */
export function answerInWords(content: JsonObject): string {
  return Object.entries(content)
    .map(([name, value]) => `${name}: ${typeof value === 'string' ? value : writeJsonCompact(value)}`)
    .join(' · ')
    .slice(0, 300);
}

function answersOf({ earlierAnswers }: Pick<UiState, 'earlierAnswers'>, serverId: ServerId): EarlierAnswer[] {
  return ownOf(earlierAnswers, serverId) ?? [];
}

function propertiesOf(schema: Json | undefined): JsonObject {
  const properties = isObject(schema) ? schema['properties'] : undefined;
  return isObject(properties) ? properties : {};
}

/** Whether the value of a field may be kept: it is of the schema, and neither the request nor any part of the field looks for a secret. */
function keepableOf(params: JsonObject): (name: string, value: Json) => boolean {
  const schema = params['requestedSchema'];
  // Any field may be the one that is meant.
  if (secretInMessage(params) !== null || secretHint('', schema) !== null) return () => false;
  const properties = propertiesOf(schema);
  const look = secretLooker(schema);
  return (name, value) =>
    Object.hasOwn(properties, name) && look(name, properties[name]) === null && !namesSecret(value);
}

/** Whether a value fits a part of a schema; false if that takes too long to find out. */
function fitsOf(schema: Json | undefined): (part: Json, value: Json) => boolean {
  const within = <T>(look: () => T): T | undefined => {
    try {
      return look();
    } catch (thrown) {
      // Too many parts, or parts that are nested too deeply.
      if (thrown instanceof TooExpensive || thrown instanceof RangeError) return undefined;
      throw thrown;
    }
  };
  const document = within(() => new SchemaDocument(isObject(schema) ? schema : {}));
  return (part, value) => within(() => document?.fits(part, value)) === true;
}
