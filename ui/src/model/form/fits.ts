import { dereference, validate, type Schema, type SchemaDraft } from '@cfworker/json-schema';
import { type Json, type JsonObject, isObject, toPlain } from '../text/json';

/** The revision of JSON Schema that a schema names; the newest if it names none. */
export function draftOf(schema: unknown): SchemaDraft {
  const uri = isObject(schema) ? schema['$schema'] : undefined;
  if (typeof uri !== 'string') return '2020-12';
  if (/draft-0?[67]/.test(uri)) return '7';
  if (/draft-0?4/.test(uri)) return '4';
  return uri.includes('2019-09') ? '2019-09' : '2020-12';
}

/** Whether a value fits a part of a schema; false if that cannot be checked. */
export type Fits = (part: Json, value: Json | undefined) => boolean;

/** Checks values against parts of a schema, with its references resolved once. */
export function fitsIn(root: JsonObject): Fits {
  const parts = new WeakMap<object, Schema>();
  const plain = plainTree(root, parts) as Schema;
  let known: Record<string, Schema | boolean> | undefined;
  return (part, value) => {
    if (typeof part === 'boolean') return part;
    if (value === undefined || !isObject(part)) return false;
    try {
      known ??= dereference(plain);
      const inRoot = parts.get(part);
      // Parts that the form made itself are looked up beside those of the schema.
      const lookup = inRoot === undefined ? (Object.create(known) as typeof known) : known;
      const schema = inRoot ?? (toPlain(part) as Schema);
      if (inRoot === undefined) dereference(schema, lookup, baseOf(root), '/part-of-a-form');
      return validate(toPlain(value), schema, draftOf(plain), lookup, true).valid;
    } catch {
      return false;
    }
  };
}

function baseOf(root: JsonObject): URL | undefined {
  const id = root['$id'];
  return typeof id === 'string' && URL.canParse(id) ? new URL(id) : undefined;
}

/** `toPlain`, which remembers which plain object each object became. */
function plainTree(value: Json, parts: WeakMap<object, Schema>): unknown {
  if (Array.isArray(value)) return value.map((member) => plainTree(member, parts));
  if (!isObject(value)) return toPlain(value);
  const plain = Object.fromEntries(
    Object.entries(value).map(([key, member]) => [key, plainTree(member, parts)]),
  );
  parts.set(value, plain);
  return plain;
}
