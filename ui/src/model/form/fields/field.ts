import { isLosslessNumber } from 'lossless-json';
import { type Json, type JsonObject, isObject, writeJsonCompact } from '../../text/json';
import type { SchemaDocument } from './document';
import { keywordsFor, mergeKeywords, typesIn } from './keywords';

/** Which control a value is edited with, from its schema. */
export type FieldKind =
  | { type: 'text' }
  | { type: 'number' }
  | { type: 'boolean' }
  | { type: 'null' }
  | { type: 'constant'; value: Json }
  | { type: 'enum'; choices: Choice[] }
  | { type: 'object'; alternatives: Alternative[] }
  | { type: 'array' }
  /** One of several schemas. */
  | { type: 'alternatives'; alternatives: Alternative[] }
  /** Any JSON; `types` are the JSON types allowed, none for all. */
  | { type: 'json'; types: string[] };

/** One of the values of an enum. */
export interface Choice {
  value: Json;
  label: string;
}

/** One of the schemas of a choice. */
export interface Alternative {
  schema: Json;
  label: string;
}

/** What the form knows about one value. */
export interface FieldSchema {
  kind: FieldKind;
  /** References followed, numbers exact. */
  keywords: JsonObject;
  /** Null is allowed, beside values of the kind. */
  nullable: boolean;
  references: readonly string[];
}

/** How a value of a schema is edited. */
export function fieldOf(schema: Json, value: Json | undefined, document: SchemaDocument): FieldSchema {
  const read = keywordsFor(schema, value, document);
  const known = CACHE.get(read.keywords);
  if (known?.document === document) return known.field;
  // A schema that is nothing but itself allows anything.
  if (DESCRIBED.has(read.keywords)) {
    return { kind: { type: 'json', types: [] }, keywords: {}, nullable: false, references: read.references };
  }
  DESCRIBED.add(read.keywords);
  const field = describe(read.keywords, read.references, document);
  DESCRIBED.delete(read.keywords);
  CACHE.set(read.keywords, { document, field });
  return field;
}

const CACHE = new WeakMap<JsonObject, { document: SchemaDocument; field: FieldSchema }>();
/** The keywords that are being described. */
const DESCRIBED = new WeakSet<JsonObject>();

function describe(given: JsonObject, followed: readonly string[], document: SchemaDocument): FieldSchema {
  let keywords = given;
  let references = followed;
  let nullable = false;
  const types = typesIn(keywords['type']);
  if (types.length > 1 && types.includes('null')) {
    nullable = true;
    keywords = { ...keywords, type: types.filter((type) => type !== 'null') };
  }
  for (const key of ['anyOf', 'oneOf']) {
    const options = keywords[key];
    if (!Array.isArray(options)) continue;
    const rest = options.filter((option) => !isNull(option));
    if (rest.length < options.length && rest.length > 0) nullable = true;
    const [only] = rest;
    if (rest.length === 1 && only !== undefined && titledConstants(rest) === undefined) {
      // `anyOf: [X, null]`, as Pydantic writes optional fields, is X.
      const { [key]: _, ...others } = keywords;
      const inner = fieldOf(only, undefined, document);
      keywords = mergeKeywords(others, inner.keywords, document.spend);
      references = [...references, ...inner.references];
      nullable ||= inner.nullable;
    } else if (rest.length > 0 && rest.length < options.length) {
      keywords = { ...keywords, [key]: rest };
    }
  }
  return { kind: kindOf(keywords, document), keywords, nullable, references };
}

function isNull(schema: Json): boolean {
  if (!isObject(schema)) return false;
  if (schema['const'] === null) return true;
  const values: unknown = schema['enum'];
  return schema['type'] === 'null' || (Array.isArray(values) && values.length === 1 && values[0] === null);
}

function kindOf(keywords: JsonObject, document: SchemaDocument): FieldKind {
  const constant = keywords['const'];
  if (constant === null) return { type: 'null' };
  if (constant !== undefined) return { type: 'constant', value: constant };
  const values = keywords['enum'];
  if (Array.isArray(values) && values.length > 0) {
    return { type: 'enum', choices: choicesOf(values, keywords['enumNames']) };
  }
  const options = alternativesIn(keywords);
  const titled = titledConstants(options);
  if (titled !== undefined) return { type: 'enum', choices: titled };
  const types = typesIn(keywords['type']);
  const isObjects = types.length === 1 ? types[0] === 'object' : isObject(keywords['properties']);
  if (isObjects) {
    const alternatives = options.filter((option) => addsProperties(option, document));
    if (alternatives.length > 0 || !isFree(keywords)) {
      return { type: 'object', alternatives: labelled(alternatives, document) };
    }
    return { type: 'json', types: ['object'] };
  }
  if (options.length > 1) {
    const {
      anyOf: _any,
      oneOf: _one,
      title: _title,
      description: _text,
      default: _preset,
      ...shared
    } = keywords;
    const schemas =
      Object.keys(shared).length === 0 ? options : options.map((one) => ({ allOf: [one, shared] }));
    return { type: 'alternatives', alternatives: labelled(schemas, document) };
  }
  if (types.length > 1) {
    const { title: _title, description: _text, default: _preset, ...shared } = keywords;
    const alternatives = types.map((type) => ({ schema: { ...shared, type }, label: type }));
    return { type: 'alternatives', alternatives };
  }
  return kindOfType(types[0] ?? impliedType(keywords), keywords);
}

function kindOfType(type: string | undefined, keywords: JsonObject): FieldKind {
  switch (type) {
    case 'string':
      return { type: 'text' };
    case 'number':
    case 'integer':
      return { type: 'number' };
    case 'boolean':
      return { type: 'boolean' };
    case 'null':
      return { type: 'null' };
    case 'array':
      return { type: 'array' };
    case undefined:
    default:
      return { type: 'json', types: typesIn(keywords['type']) };
  }
}

/** A type that no keyword names, but that the other keywords make clear. */
function impliedType(keywords: JsonObject): string | undefined {
  if (isObject(keywords['items']) || Array.isArray(keywords['prefixItems'])) return 'array';
  return ['format', 'contentEncoding', 'pattern'].some((key) => key in keywords) ? 'string' : undefined;
}

/** Whether the schema says nothing about the members of an object. */
function isFree(keywords: JsonObject): boolean {
  const properties = keywords['properties'];
  const more = keywords['additionalProperties'];
  const named =
    (isObject(properties) && Object.keys(properties).length > 0) || 'patternProperties' in keywords;
  return (
    !named && !Array.isArray(keywords['required']) && (more === undefined || more === true || isEmpty(more))
  );
}

function isEmpty(schema: Json): boolean {
  return isObject(schema) && Object.keys(schema).length === 0;
}

function alternativesIn(keywords: JsonObject): Json[] {
  const { oneOf, anyOf } = keywords;
  if (Array.isArray(oneOf) && oneOf.length > 0) return oneOf;
  return Array.isArray(anyOf) ? anyOf : [];
}

/** Whether an alternative of an object has properties of its own, instead of only saying which are required. */
function addsProperties(schema: Json, document: SchemaDocument): boolean {
  const { keywords } = keywordsFor(schema, undefined, document);
  return ['properties', 'additionalProperties', 'patternProperties', 'oneOf', 'anyOf'].some(
    (key) => key in keywords,
  );
}

/** `names`: `enumNames`, the titles of elicitation before 2025-11-25. */
function choicesOf(values: Json[], names: Json | undefined): Choice[] {
  const quoted = values.some((value) => typeof value !== 'string' && value !== null);
  return values.map((value, at) => {
    const name = Array.isArray(names) ? names[at] : undefined;
    return { value, label: typeof name === 'string' && name !== '' ? name : choiceLabel(value, quoted) };
  });
}

/** A string without quotes, unless choices of other types make it ambiguous. */
export function choiceLabel(value: Json, quoted: boolean): string {
  if (value === '') return '(empty string)';
  return typeof value === 'string' && !quoted ? value : writeJsonCompact(value);
}

/** MCP's titled choices: alternatives that are all constants. */
function titledConstants(options: Json[]): Choice[] | undefined {
  if (options.length === 0) return undefined;
  const choices: Choice[] = [];
  for (const option of options) {
    const value = isObject(option) ? option['const'] : undefined;
    if (value === undefined) return undefined;
    const title = (option as JsonObject)['title'];
    choices.push({ value, label: typeof title === 'string' ? title : choiceLabel(value, false) });
  }
  return choices;
}

function labelled(schemas: Json[], document: SchemaDocument): Alternative[] {
  return schemas.map((schema, index) => ({
    schema,
    label: labelOf(schema, document) ?? `Alternative ${index + 1}`,
  }));
}

/** What tells an alternative apart: its title, its type, its constants, or the properties it requires. */
function labelOf(schema: Json, document: SchemaDocument): string | undefined {
  const { keywords, references } = keywordsFor(schema, undefined, document);
  if (typeof keywords['title'] === 'string') return keywords['title'];
  const constants = discriminatorsOf(keywords).map(([, value]) => choiceLabel(value, false));
  if (constants.length > 0) return constants.join(', ');
  const reference = references[0]?.split('/').at(-1);
  if (reference !== undefined && reference !== '' && reference !== '#') return reference;
  const [type] = typesIn(keywords['type']);
  const required = keywords['required'];
  if (type === 'object' || type === undefined) {
    const needed = Array.isArray(required) ? required.filter((name) => typeof name === 'string') : [];
    if (needed.length > 0) return `with ${needed.slice(0, 3).join(', ')}`;
    const names = Object.keys((keywords['properties'] as JsonObject | undefined) ?? {});
    if (names.length > 0) return `with ${names.slice(0, 3).join(', ')}`;
  }
  if (type === 'array') {
    const items = isObject(keywords['items']) ? labelOf(keywords['items'], document) : undefined;
    return items === undefined ? 'array' : `array of ${items}`;
  }
  if (type !== undefined)
    return typeof keywords['format'] === 'string' ? `${type} ${keywords['format']}` : type;
  return Array.isArray(keywords['enum']) ? 'choice' : undefined;
}

/** The members that tell an object apart from the other alternatives: constants, and enums of one value. */
export function discriminatorsOf(keywords: JsonObject): [name: string, value: Json][] {
  const properties = keywords['properties'];
  if (!isObject(properties)) return [];
  return Object.entries(properties).flatMap(([name, schema]): [string, Json][] => {
    if (!isObject(schema)) return [];
    const { const: constant, enum: values } = schema;
    if (constant !== undefined) return [[name, constant]];
    const [only] = Array.isArray(values) ? values : [];
    return Array.isArray(values) && values.length === 1 && only !== undefined ? [[name, only]] : [];
  });
}

/** The index of the alternative a value belongs to: the first that it fits, else the most similar one. */
export function alternativeOf(
  alternatives: Alternative[],
  value: Json | undefined,
  document: SchemaDocument,
): number {
  if (value === undefined) return 0;
  const fitting = alternatives.findIndex(({ schema }) => document.fits(schema, value));
  if (fitting >= 0) return fitting;
  let best = 0;
  let bestScore = -1;
  alternatives.forEach(({ schema }, index) => {
    const score = similarity(schema, value, document);
    if (score > bestScore) [best, bestScore] = [index, score];
  });
  return best;
}

function similarity(schema: Json, value: Json, document: SchemaDocument): number {
  const { keywords } = keywordsFor(schema, value, document);
  const types = typesIn(keywords['type']);
  const implied = isObject(keywords['properties']) ? ['object'] : types;
  const ofType = (types.length > 0 ? types : implied).some((type) => isOfType(value, type));
  if (!isObject(value) || !ofType) return ofType ? 1 : 0;
  const members = value;
  const constants = discriminatorsOf(keywords);
  const same = constants.filter(
    ([name, constant]) =>
      Object.hasOwn(members, name) && writeJsonCompact(members[name] ?? null) === writeJsonCompact(constant),
  );
  const properties = keywords['properties'];
  const known = isObject(properties)
    ? Object.keys(members).filter((name) => Object.hasOwn(properties, name)).length
    : 0;
  return 1 + same.length * 1000 + known / (1 + Object.keys(members).length);
}

/** Whether a value is of a type of JSON Schema. */
export function isOfType(value: Json, type: string): boolean {
  switch (type) {
    case 'string':
    case 'boolean':
      return typeof value === type;
    case 'number':
    case 'integer':
      return isLosslessNumber(value);
    case 'null':
      return value === null;
    case 'array':
      return Array.isArray(value);
    default:
      return isObject(value);
  }
}
