import type { InputItem } from '../../../contract/generated';
import { type FormSchema, jsonOnly, prepareParsed } from '../../form/schema';
import { type Json, type JsonObject, isObject, parseJson, writeJson } from '../../text/json';
import { isWhole, paramsOf } from '../request/params';
import { type SecretHint, secretHint, wordIn } from './secretFields';

/** An elicitation with a form: what it says, what is odd about it, and the `content` of the answer that the form edits. */

/** The form for a request; null for what is not an elicitation with a form. */
export function formOf({ kind, paramsJson }: Pick<InputItem, 'kind' | 'paramsJson'>): FormSchema | null {
  if (kind !== 'elicitation') return null;
  const params = paramsOf(paramsJson);
  const schema = params['requestedSchema'];
  if (params['mode'] === 'url' || schema === undefined) return null;
  return isWhole(paramsJson) ? prepareParsed(schema) : jsonOnly('The schema is too large for a form.');
}

/** What a request for a form says, beside its fields. */
export interface FormRequest {
  /** What the server says to the user; longer ones are cut. */
  message: string;
  /** The fields that look as if they ask for a secret. */
  secrets: { name: string; hint: SecretHint }[];
  /** A word of the message that means a secret. */
  secretInMessage: string | null;
  /** The fields of types that the specification does not allow: only primitive types and choices are. */
  nested: string[];
}

/** More fields are not named. */
const MOST_NAMED = 20;
const MOST_MESSAGE = 10_000;

/** Reads the params of an elicitation with a form. */
export function formRequestOf(params: JsonObject): FormRequest {
  const schema = params['requestedSchema'];
  const properties = isObject(schema) ? schema['properties'] : undefined;
  const fields = isObject(properties) ? Object.entries(properties) : [];
  const message = typeof params['message'] === 'string' ? params['message'] : '';
  return {
    message: message.length > MOST_MESSAGE ? `${message.slice(0, MOST_MESSAGE)} …` : message,
    secrets: fields
      .flatMap(([name, property]) => {
        const hint = secretHint(name, property);
        return hint === null ? [] : [{ name: shortName(name), hint }];
      })
      .slice(0, MOST_NAMED),
    secretInMessage: wordIn(message.slice(0, MOST_MESSAGE)),
    nested: fields
      .filter(([, property]) => !isAllowed(property))
      .map(([name]) => shortName(name))
      .slice(0, MOST_NAMED),
  };
}

function shortName(name: string): string {
  return name.length > 60 ? `${name.slice(0, 60)}…` : name;
}

/** Whether a field is a primitive, a choice, or a choice of several. */
function isAllowed(property: Json): boolean {
  if (!isObject(property)) return false;
  const { type, items } = property;
  if (type === 'array')
    return isObject(items) && (Array.isArray(items['enum']) || Array.isArray(items['anyOf']));
  return type === 'string' || type === 'number' || type === 'integer' || type === 'boolean';
}

/** The content of an answer that accepts; null if there is none that a form could edit without loss. */
export function contentOf(text: string): JsonObject | null {
  const parsed = parseJson(text);
  if (!parsed.ok || !isObject(parsed.value) || parsed.value['action'] !== 'accept') return null;
  const { content } = parsed.value;
  return isObject(content) ? content : null;
}

/** The answer with another content; the rest of it stays as it is. */
export function withContent(text: string, contentText: string): string {
  const answer = parseJson(text);
  const content = parseJson(contentText);
  if (!answer.ok || !isObject(answer.value) || !content.ok) return text;
  return writeJson({ ...answer.value, content: content.value });
}
