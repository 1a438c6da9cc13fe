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
  return begun(schema, document, depth, left).object;
}

/** The same without what an alternative would add: of several none is chosen yet. */
export function freshOwn(schema: Json, document: SchemaDocument): JsonObject {
  const { keywords } = fieldOf(schema, undefined, document);
  return begunOwn(keywords, document, 0, { members: MAX_MEMBERS }).object;
}

/** An object to begin with. */
interface Begun {
  object: JsonObject;
  required: Json[];
  /** A required object in it lacks something that it requires. */
  isPartial: boolean;
  /** It says more than which kind of object it is. */
  hasDefault: boolean;
}

function begun(schema: Json, document: SchemaDocument, depth: number, left: { members: number }): Begun {
  const { keywords, kind } = fieldOf(schema, undefined, document);
  const own = begunOwn(keywords, document, depth, left);
  const [first] = kind.type === 'object' ? kind.alternatives : [];
  if (first === undefined || depth >= 6) return own;
  const inner = begun(first.schema, document, depth + 1, left);
  return {
    object: { ...own.object, ...constantsOf(first.schema, document), ...inner.object },
    required: [...own.required, ...inner.required],
    isPartial: own.isPartial || inner.isPartial,
    hasDefault: own.hasDefault || inner.hasDefault,
  };
}

function begunOwn(
  keywords: JsonObject,
  document: SchemaDocument,
  depth: number,
  left: { members: number },
): Begun {
  const required = Array.isArray(keywords['required']) ? keywords['required'] : [];
  const isRequired = new Set(required);
  const fresh = new Map<string, Json>();
  let [isPartial, hasDefault] = [false, false];
  for (const [name, member] of propertiesOf(keywords)) {
    if (left.members <= 0) break;
    left.members -= 1;
    const inner = fieldOf(member, undefined, document);
    const preset = inner.keywords['default'];
    if (preset !== undefined && preset !== null) {
      fresh.set(name, preset);
      hasDefault = true;
    } else if (inner.kind.type === 'constant' && isRequired.has(name)) fresh.set(name, inner.kind.value);
    else if (inner.kind.type === 'object' && depth < 6) {
      const nested = begun(member, document, depth + 1, left);
      const isWhole = !lacksMembers(nested);
      // An optional object that nobody filled in is sent only for its defaults, and only if nothing is missing in it.
      const isKept = isRequired.has(name) || (preset !== null && isWhole && nested.hasDefault);
      if (!isKept || Object.keys(nested.object).length === 0) continue;
      fresh.set(name, nested.object);
      isPartial ||= !isWhole;
      hasDefault ||= nested.hasDefault;
    }
  }
  return { object: Object.fromEntries(fresh), required, isPartial, hasDefault };
}

function lacksMembers({ object, required, isPartial }: Begun): boolean {
  return isPartial || required.some((name) => typeof name === 'string' && !Object.hasOwn(object, name));
}

/** An object of an alternative: also with the constants that tell it apart. */
export function freshAlternative(schema: Json, document: SchemaDocument): JsonObject {
  return { ...constantsOf(schema, document), ...freshObject(schema, document) };
}

/** The constants that tell an alternative apart. */
function constantsOf(schema: Json, document: SchemaDocument): JsonObject {
  return Object.fromEntries(discriminatorsOf(fieldOf(schema, undefined, document).keywords));
}

/** The properties that a schema names, in its order. */
export function propertiesOf(keywords: JsonObject): [string, Json][] {
  const properties = keywords['properties'];
  return isObject(properties) ? Object.entries(properties) : [];
}
