import type { InputItem } from '../../../contract/generated';
import { type FormSchema, jsonOnly, prepareParsed } from '../../form/schema';
import { type JsonObject, isObject, parseJson, writeJson } from '../../text/json';
import { isWhole, paramsOf } from '../request/params';

/** An elicitation with a form: its schema, and the `content` of the answer that the form edits. */

/** The form for a request; null for what is not an elicitation with a form. */
export function formOf({ kind, paramsJson }: Pick<InputItem, 'kind' | 'paramsJson'>): FormSchema | null {
  if (kind !== 'elicitation') return null;
  const params = paramsOf(paramsJson);
  const schema = params['requestedSchema'];
  if (params['mode'] === 'url' || schema === undefined) return null;
  return isWhole(paramsJson) ? prepareParsed(schema) : jsonOnly('The schema is too large for a form.');
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
