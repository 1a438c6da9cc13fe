import { type Json, type JsonObject, isObject } from '../../text/json';
import { type SecretHint, secretLooker, wordIn } from './secretFields';
import { shortened } from '../../text/format';

/** The message of an elicitation with a form, and what to warn of in it. */

/** More fields are not named. */
const MOST_NAMED = 20;
/** Longer names of fields are cut. */
const MOST_NAME = 60;
const MOST_MESSAGE = 10_000;

/** What the server says to the user; longer messages are cut. */
export function messageOf(params: JsonObject): string {
  const message = typeof params['message'] === 'string' ? params['message'] : '';
  return shortened(message, MOST_MESSAGE);
}

/** What to warn of in a form: a server must not request secrets, nor types that the specification does not allow. */
export interface FormFindings {
  /** The fields of which a part looks as if it asks for a secret. */
  secrets: { name: string; hint: SecretHint }[];
  /** A word of the message that means a secret. */
  secretInMessage: string | null;
  /** The fields of types that the specification does not allow: only primitive types and choices are. */
  nested: string[];
}

/** Reads the params of an elicitation with a form. */
export function findingsOf(params: JsonObject): FormFindings {
  const schema = params['requestedSchema'];
  const properties = isObject(schema) ? schema['properties'] : undefined;
  const fields = isObject(properties) ? Object.entries(properties) : [];
  const look = secretLooker(schema);
  return {
    secrets: fields
      .flatMap(([name, property]) => {
        const hint = look(name, property);
        return hint === null || hint === 'unknown' ? [] : [{ name: shortened(name, MOST_NAME), hint }];
      })
      .slice(0, MOST_NAMED),
    secretInMessage: secretInMessage(params),
    nested: fields
      .filter(([, property]) => !isAllowed(property))
      .map(([name]) => shortened(name, MOST_NAME))
      .slice(0, MOST_NAMED),
  };
}

/** A word of the message that means a secret; null if there is none. */
export function secretInMessage({ message }: JsonObject): string | null {
  return typeof message === 'string' ? wordIn(message.slice(0, MOST_MESSAGE)) : null;
}

/** Whether a field is a primitive, a choice, or a choice of several. */
function isAllowed(property: Json): boolean {
  if (!isObject(property)) return false;
  const { type, items } = property;
  if (type === 'array')
    return isObject(items) && (Array.isArray(items['enum']) || Array.isArray(items['anyOf']));
  return type === 'string' || type === 'number' || type === 'integer' || type === 'boolean';
}
