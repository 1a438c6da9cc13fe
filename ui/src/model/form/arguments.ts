import { type JsonObject, isObject, parseJson } from '../text/json';

/**
 * The arguments of a call. The text is the source of truth and is sent character for character. The form reads it through
 * this module.
 */

/** The state of a text of arguments. */
export type ArgumentsState =
  /** An object: can be shown as a form and sent. */
  | { type: 'object'; value: JsonObject }
  /** JSON that the form cannot edit without loss (a duplicate key); it can be sent. */
  | { type: 'textOnly'; reason: string }
  /** Not a JSON object: it cannot be sent. */
  | { type: 'broken'; reason: string; position: number };

export function readArguments(text: string): ArgumentsState {
  if (text.trim() === '')
    return { type: 'broken', reason: 'Arguments are a JSON object; use {} for none', position: 0 };
  const parsed = parseJson(text);
  if (parsed.ok) {
    if (isObject(parsed.value)) return { type: 'object', value: parsed.value };
    return { type: 'broken', reason: 'Arguments must be a JSON object', position: 0 };
  }
  // A duplicate key is valid JSON, and an inspector must be able to send it.
  try {
    if (isObject(JSON.parse(text))) return { type: 'textOnly', reason: parsed.message };
    return { type: 'broken', reason: 'Arguments must be a JSON object', position: 0 };
  } catch {
    return { type: 'broken', reason: parsed.message, position: parsed.position };
  }
}
