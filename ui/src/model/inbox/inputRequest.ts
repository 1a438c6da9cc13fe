import { isLosslessNumber } from 'lossless-json';
import type { InputItem, InputKind } from '../../contract/generated';
import { paramsOf } from './inputAnswer';
import { type UrlRequest, urlRequestOf } from './urlRequest';
import { type Json, type JsonObject, isObject, writeJsonCompact } from '../text/json';

/**
 * A request of a server in words, for the top of the dialog. The dialog also shows the whole request as JSON, so this is
 * bounded and may be incomplete.
 */
export type InputSummary =
  | { type: 'form'; message: string; fields: AskedField[]; more: number }
  | { type: 'url'; request: UrlRequest }
  | {
      type: 'sampling';
      system: string | null;
      messages: SampledMessage[];
      /** How many messages before the ones shown. */
      earlier: number;
      facts: { name: string; value: string }[];
    }
  | { type: 'roots' };

export interface AskedField {
  name: string;
  title: string | null;
  type: string;
  required: boolean;
  description: string | null;
  /** The name looks like that of a password or key, which a server must not request this way. */
  looksSecret: boolean;
}

export interface SampledMessage {
  role: string;
  text: string;
}

const MOST_FIELDS = 40;
const MOST_MESSAGES = 6;
/** Longer texts are cut here; the JSON has them whole. */
const MOST_TEXT = 1200;

const TITLES: Record<InputKind, string> = {
  sampling: 'Sampling',
  elicitation: 'Elicitation',
  roots: 'Roots',
};

/** The kind as the specification calls it. */
export function kindWord(kind: InputKind): string {
  return TITLES[kind];
}

/** The request in a sentence with the server's name. */
export function requestInWords({ kind, serverName }: Pick<InputItem, 'kind' | 'serverName'>): string {
  switch (kind) {
    case 'sampling':
      return `${serverName} requests a completion (sampling)`;
    case 'elicitation':
      return `${serverName} requests your input`;
    case 'roots':
      return `${serverName} requests your roots`;
  }
}

export function summaryOf({ kind, paramsJson }: Pick<InputItem, 'kind' | 'paramsJson'>): InputSummary {
  const params = paramsOf(paramsJson);
  switch (kind) {
    case 'elicitation':
      return params['mode'] === 'url' ? { type: 'url', request: urlRequestOf(params) } : formSummary(params);
    case 'sampling':
      return samplingSummary(params);
    case 'roots':
      return { type: 'roots' };
  }
}

function formSummary(params: JsonObject): InputSummary {
  const schema = params['requestedSchema'];
  const properties = isObject(schema) && isObject(schema['properties']) ? schema['properties'] : {};
  const names: unknown = isObject(schema) ? schema['required'] : undefined;
  const required: unknown[] = Array.isArray(names) ? names : [];
  const all = Object.entries(properties);
  return {
    type: 'form',
    message: textOf(params['message']),
    fields: all
      .slice(0, MOST_FIELDS)
      .map(([name, property]) => fieldOf(name, property, required.includes(name))),
    more: Math.max(0, all.length - MOST_FIELDS),
  };
}

function fieldOf(name: string, property: unknown, required: boolean): AskedField {
  const schema = isObject(property) ? property : {};
  const title = typeof schema['title'] === 'string' ? schema['title'] : null;
  return {
    name,
    title,
    type: typeInWords(schema),
    required,
    description: typeof schema['description'] === 'string' ? cut(schema['description'], 300) : null,
    looksSecret: /passw|secret|token|api.?key|private.?key|credential|\bpin\b|\bcvv\b/i.test(
      `${name} ${title ?? ''}`,
    ),
  };
}

function typeInWords(schema: Record<string, unknown>): string {
  const choices = ['enum', 'oneOf', 'anyOf'].map((key) => schema[key]).find((list) => Array.isArray(list));
  if (Array.isArray(choices)) return `one of ${choices.length}`;
  const { type, format } = schema;
  if (type === 'array') return 'several choices';
  const word = typeof type === 'string' ? type : 'anything';
  return typeof format === 'string' ? `${word}, ${format}` : word;
}

function samplingSummary(params: JsonObject): InputSummary {
  const messages = Array.isArray(params['messages']) ? params['messages'] : [];
  const facts: { name: string; value: string }[] = [];
  const add = (name: string, value: Json | undefined): void => {
    if (value !== undefined)
      facts.push({ name, value: typeof value === 'string' ? value : writeJsonCompact(value) });
  };
  add('Max tokens', isLosslessNumber(params['maxTokens']) ? params['maxTokens'].value : undefined);
  add('Model', preferencesInWords(params['modelPreferences']));
  add('Temperature', params['temperature']);
  const stops = params['stopSequences'];
  add('Stop at', Array.isArray(stops) ? cut(stops.map(writeJsonCompact).join(', '), 200) : undefined);
  add('Context', params['includeContext']);
  add('Tools', Array.isArray(params['tools']) ? toolsInWords(params['tools']) : undefined);
  add('Tool choice', isObject(params['toolChoice']) ? params['toolChoice']['mode'] : undefined);
  const { metadata } = params;
  add('Metadata', metadata === undefined ? undefined : cut(writeJsonCompact(metadata), 300));
  return {
    type: 'sampling',
    system: typeof params['systemPrompt'] === 'string' ? cut(params['systemPrompt'], MOST_TEXT) : null,
    messages: messages.slice(-MOST_MESSAGES).map((message) => ({
      role: isObject(message) ? textOf(message['role'] as Json) : '',
      text: cut(contentText(isObject(message) ? (message['content'] as Json) : null), MOST_TEXT),
    })),
    earlier: Math.max(0, messages.length - MOST_MESSAGES),
    facts,
  };
}

function preferencesInWords(preferences: Json | undefined): string | undefined {
  if (!isObject(preferences)) return undefined;
  const hints = Array.isArray(preferences['hints']) ? preferences['hints'] : [];
  const names = hints.flatMap((hint: unknown) =>
    isObject(hint) && typeof hint['name'] === 'string' ? [hint['name']] : [],
  );
  const priorities = ['costPriority', 'speedPriority', 'intelligencePriority'].flatMap((key) => {
    const value = preferences[key];
    return isLosslessNumber(value) ? [`${key.replace('Priority', '')} ${value.value}`] : [];
  });
  const words = [...names, ...priorities].join(', ');
  return words === '' ? undefined : words;
}

function toolsInWords(tools: Json[]): string {
  const names = tools.flatMap((tool) =>
    isObject(tool) && typeof tool['name'] === 'string' ? [tool['name']] : [],
  );
  return cut(names.join(', '), 200);
}

/** The text of a content block, or what else it is. */
function contentText(content: Json): string {
  if (Array.isArray(content)) return content.map(contentText).join('\n');
  if (!isObject(content)) return typeof content === 'string' ? content : '';
  if (content['type'] === 'text') return textOf(content['text']);
  return `[${textOf(content['type']) || 'content'}${typeof content['mimeType'] === 'string' ? ` ${content['mimeType']}` : ''}]`;
}

function textOf(value: Json | undefined): string {
  return typeof value === 'string' ? value : '';
}

function cut(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most)} …`;
}
