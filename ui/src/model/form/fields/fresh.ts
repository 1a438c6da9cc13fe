import { LosslessNumber, isLosslessNumber } from 'lossless-json';
import { type Json, type JsonObject, isObject } from '../../text/json';
import type { SchemaDocument } from './document';
import { discriminatorsOf, fieldOf } from './field';

/** A value to begin with, for a new item of an array or a new member of a map: its default, or the simplest one. */
export function freshValue(schema: Json, document: SchemaDocument, depth = 0): Json {
  const { kind, keywords } = fieldOf(schema, undefined, document);
  const preset = keywords['default'];
  if (preset !== undefined) return preset;
  switch (kind.type) {
    case 'text':
      return '';
    case 'number':
      return freshNumber(keywords);
    case 'boolean':
      return false;
    case 'null':
      return null;
    case 'constant':
      return kind.value;
    case 'enum':
      return kind.choices[0]?.value ?? '';
    case 'array':
      return [];
    case 'object':
      return freshObject(schema, document, depth);
    case 'alternatives': {
      const [first] = kind.alternatives;
      return first === undefined || depth > 5 ? '' : freshValue(first.schema, document, depth + 1);
    }
    case 'json':
      return kind.types[0] === 'object' ? {} : '';
  }
}

function freshNumber(keywords: JsonObject): Json {
  const { minimum, exclusiveMinimum } = keywords;
  if (isLosslessNumber(minimum) && Number(minimum.value) > 0) return minimum;
  if (isLosslessNumber(exclusiveMinimum) && Number(exclusiveMinimum.value) >= 0)
    return new LosslessNumber(String(Number(exclusiveMinimum.value) + 1));
  return new LosslessNumber('0');
}

/** How many members an object to begin with has at most, all levels together: a schema can name any number of them. */
const MAX_MEMBERS = 1_000;

/** An object with what the form would not ask for: its defaults, and the constants that it needs. */
export function freshObject(
  schema: Json,
  document: SchemaDocument,
  depth = 0,
  left = { members: MAX_MEMBERS },
): JsonObject {
  const { keywords, kind } = fieldOf(schema, undefined, document);
  const required = new Set(Array.isArray(keywords['required']) ? keywords['required'] : []);
  const fresh = new Map<string, Json>();
  for (const [name, member] of propertiesOf(keywords)) {
    if (left.members <= 0) break;
    left.members -= 1;
    const inner = fieldOf(member, undefined, document);
    const preset = inner.keywords['default'];
    if (preset !== undefined && preset !== null) fresh.set(name, preset);
    else if (inner.kind.type === 'constant' && required.has(name)) fresh.set(name, inner.kind.value);
    else if (inner.kind.type === 'object' && depth < 6) {
      const nested = freshObject(member, document, depth + 1, left);
      if (Object.keys(nested).length > 0) fresh.set(name, nested);
    }
  }
  const [first] = kind.type === 'object' ? kind.alternatives : [];
  if (first !== undefined && depth < 6) {
    for (const [name, value] of Object.entries(freshAlternative(first.schema, document, depth + 1, left)))
      fresh.set(name, value);
  }
  return Object.fromEntries(fresh);
}

/** An object of an alternative: also with the constants that tell it apart. */
export function freshAlternative(
  schema: Json,
  document: SchemaDocument,
  depth = 0,
  left = { members: MAX_MEMBERS },
): JsonObject {
  const { keywords } = fieldOf(schema, undefined, document);
  return Object.fromEntries([
    ...discriminatorsOf(keywords),
    ...Object.entries(freshObject(schema, document, depth, left)),
  ]);
}

/** The properties that a schema names, in its order. */
export function propertiesOf(keywords: JsonObject): [string, Json][] {
  const properties = keywords['properties'];
  return isObject(properties) ? Object.entries(properties) : [];
}
