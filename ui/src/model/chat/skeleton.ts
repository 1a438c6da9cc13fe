import { LosslessNumber } from 'lossless-json';
import { ownOf } from '../store/ownOf';
import { type Json, isObject, parseJson, writeJsonCompact } from '../text/json';

/** The empty value of each type. */
const EMPTY: Readonly<Record<string, Json>> = {
  string: '',
  integer: new LosslessNumber('0'),
  number: new LosslessNumber('0'),
  boolean: false,
  array: [],
  object: {},
};

/** Arguments to start from: the required members of a tool's schema, each with its default or an empty value. */
export function skeletonOf(givenJson: string): string {
  const parsed = parseJson(givenJson);
  const given = parsed.ok && isObject(parsed.value) ? parsed.value : {};
  const schema = isObject(given['inputSchema']) ? given['inputSchema'] : {};
  const properties = isObject(schema['properties']) ? schema['properties'] : {};
  const required = Array.isArray(schema['required']) ? schema['required'] : [];
  const members = required.filter((name) => typeof name === 'string');
  const values = members.map((name) => [name, valueOf(properties[name])] as const);
  return writeJsonCompact(Object.fromEntries(values));
}

function valueOf(schema: Json | undefined): Json {
  if (!isObject(schema)) return null;
  const first = Array.isArray(schema['enum']) ? schema['enum'][0] : undefined;
  const value = schema['default'] ?? first;
  if (value !== undefined && value !== null) return value;
  const { type } = schema;
  return typeof type === 'string' ? (ownOf(EMPTY, type) ?? null) : null;
}
