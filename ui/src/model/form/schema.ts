import { isLosslessNumber } from 'lossless-json';
import {
  type Json,
  type JsonObject,
  fromPointer,
  isObject,
  isUnsafe,
  memberAt,
  parseJson,
  toPlain,
  toPointer,
} from '../text/json';

/**
 * Prepares schemas for the form. A server sends any JSON; the form library understands a part of draft-07. Deliberately not
 * here: validation (validate.ts), which reads the schema as it was received.
 */

/** A schema as plain JavaScript. */
export type PlainSchema = Record<string, unknown>;

/** The form for a schema, or why there is none. */
export type FormSchema =
  | { type: 'form'; schema: PlainSchema; defaults: JsonObject }
  /** No form, for the `reason` given in a sentence: the value is edited as JSON. */
  | { type: 'jsonOnly'; reason: string; defaults: JsonObject };

/** A form for a deeper schema would not be usable. */
const MAX_DEPTH = 40;
const MAX_NODES = 20_000;

class NotAForm extends Error {}

/** Prepares a schema for a form. Never throws, never fetches. */
export function prepareSchema(schemaJson: string | null): FormSchema {
  if (schemaJson === null) return jsonOnly('There is no schema for these values.');
  const parsed = parseJson(schemaJson);
  if (!parsed.ok) return jsonOnly(`The schema is not valid JSON: ${parsed.message}.`);
  const root = parsed.value;
  if (!isObject(root)) return jsonOnly('The schema is not an object.');
  const type = root['type'];
  if (type !== undefined && type !== 'object' && !(Array.isArray(type) && type.includes('object'))) {
    return jsonOnly(`The schema describes ${describeType(type)}, but the value must be an object.`);
  }
  try {
    const normaliser = new Normaliser(root);
    const schema = { ...normaliser.run(), type: 'object' };
    return { type: 'form', schema, defaults: defaultsOf(root, root) };
  } catch (thrown) {
    if (thrown instanceof NotAForm) return jsonOnly(thrown.message);
    if (thrown instanceof RangeError) return jsonOnly('The schema is nested too deeply for a form.');
    return jsonOnly(
      `The schema cannot be shown as a form: ${thrown instanceof Error ? thrown.message : String(thrown)}.`,
    );
  }
}

function jsonOnly(reason: string): FormSchema {
  return { type: 'jsonOnly', reason, defaults: {} };
}

function describeType(type: unknown): string {
  return typeof type === 'string' ? `a ${type}` : 'something else';
}

/** Whether the form would be empty. */
export function takesNothing(schema: PlainSchema): boolean {
  const properties = schema['properties'];
  const none = !isObject(properties) || Object.keys(properties).length === 0;
  const more = ['oneOf', 'anyOf', 'allOf', '$ref', 'patternProperties', 'if'].some((key) => key in schema);
  return (
    none && !more && (schema['additionalProperties'] === false || !isObject(schema['additionalProperties']))
  );
}

/** Keywords whose value is a schema, a list of schemas, or a map of schemas. */
const ONE = [
  'items',
  'additionalItems',
  'additionalProperties',
  'contains',
  'not',
  'if',
  'then',
  'else',
  'propertyNames',
];
const LIST = ['allOf', 'anyOf', 'oneOf', 'items'];
const MAP = ['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas'];

class Normaliser {
  readonly #anchors = new Map<string, string>();
  #nodes = 0;

  constructor(readonly root: JsonObject) {
    this.#findAnchors(root, []);
  }

  run(): PlainSchema {
    return this.#object(this.root, 0, true);
  }

  #findAnchors(node: Json, path: (string | number)[]): void {
    if (path.length > MAX_DEPTH * 2) throw new NotAForm('The schema is nested too deeply for a form.');
    if (Array.isArray(node)) {
      node.forEach((member, index) => this.#findAnchors(member, [...path, index]));
    } else if (isObject(node)) {
      for (const key of ['$anchor', '$dynamicAnchor']) {
        const anchor = node[key];
        if (typeof anchor === 'string') this.#anchors.set(anchor, `#${toPointer(path)}`);
      }
      for (const [key, member] of Object.entries(node)) this.#findAnchors(member, [...path, key]);
    }
  }

  #schema(node: Json, depth: number, prefill: boolean): PlainSchema {
    if (node === true) return { $comment: 'anything' };
    if (node === false) return { not: {}, $comment: 'nothing' };
    if (!isObject(node)) throw new NotAForm('A part of the schema is neither an object nor a boolean.');
    const schema = this.#object(node, depth, prefill);
    return Object.keys(schema).length === 0 ? { $comment: 'anything' } : schema;
  }

  /** `prefill`: its default is put into the arguments by `defaultsOf`, so the form must not put it there again. */
  #object(node: JsonObject, depth: number, prefill: boolean): PlainSchema {
    this.#nodes += 1;
    if (depth > MAX_DEPTH) throw new NotAForm('The schema is nested too deeply for a form.');
    if (this.#nodes > MAX_NODES) throw new NotAForm('The schema is too large for a form.');
    const out = toPlain(node) as PlainSchema;
    for (const key of ['$schema', '$id', '$anchor', '$dynamicAnchor', '$vocabulary']) delete out[key];
    this.#reference(out);
    for (const key of ONE) {
      const member = node[key];
      if (member === undefined || Array.isArray(member)) continue;
      if (typeof member === 'boolean' && key !== 'items') continue;
      out[key] = this.#schema(member, depth + 1, false);
    }
    for (const key of LIST) {
      const member = node[key];
      if (!Array.isArray(member)) continue;
      out[key] = member.map((one) => this.#schema(one, depth + 1, prefill && key === 'allOf'));
    }
    for (const key of MAP) {
      const member = node[key];
      if (!isObject(member)) continue;
      const kept = prefill && key === 'properties';
      out[key] = Object.fromEntries(
        Object.entries(member).map(([name, one]) => [name, this.#schema(one, depth + 1, kept)]),
      );
    }
    this.#tuple(node, out, depth);
    nullable(out);
    severalTypes(out);
    titledChoices(out);
    arrays(out);
    if (depth > 0 && isFreeObject(out)) {
      delete out['type'];
      out[FREE_OBJECT] = true;
    }
    exactBounds(node, out);
    if (out['type'] === 'array' && out['items'] === undefined) out['items'] = { $comment: 'anything' };
    if (
      Array.isArray(node['enum']) &&
      node['enum'].some((value) => isLosslessNumber(value) && isUnsafe(value))
    ) {
      bigEnum(node['enum'], out);
    }
    if (prefill || out['default'] === null) delete out['default'];
    return out;
  }

  #reference(out: PlainSchema): void {
    const dynamic = out['$dynamicRef'];
    if (typeof dynamic === 'string') {
      out['$ref'] = dynamic;
      delete out['$dynamicRef'];
    }
    const reference = out['$ref'];
    if (reference === undefined) return;
    if (typeof reference !== 'string') throw new NotAForm('A $ref in the schema is not a string.');
    if (!reference.startsWith('#')) {
      throw new NotAForm(`The schema refers to ${reference}, outside of itself. Schemas are never fetched.`);
    }
    const anchor = this.#anchors.get(reference.slice(1));
    const local = anchor ?? reference;
    if (memberAt(this.root, fromPointer(decodeURIComponent(local.slice(1)))) === undefined) {
      throw new NotAForm(`The schema refers to ${reference}, which it does not define.`);
    }
    out['$ref'] = local;
  }

  /** 2020-12 writes tuples as `prefixItems`, the form library reads them as `items: [..]`. */
  #tuple(node: JsonObject, out: PlainSchema, depth: number): void {
    const prefix = node['prefixItems'];
    if (!Array.isArray(prefix)) return;
    const more = node['items'];
    if (more !== undefined) out['additionalItems'] = typeof more === 'boolean' ? more : out['items'];
    out['items'] = prefix.map((one) => this.#schema(one, depth + 1, false));
    delete out['prefixItems'];
  }
}

/** `anyOf: [X, null]`, as Pydantic writes optional fields, is X: left empty, the field is not sent. */
function nullable(out: PlainSchema): void {
  for (const key of ['anyOf', 'oneOf'] as const) {
    const options = out[key];
    if (!Array.isArray(options) || options.length < 2) continue;
    const rest = options.filter((option) => !(isObject(option) && option['type'] === 'null'));
    if (rest.length === options.length || !options.every(isObject)) continue;
    if (rest.length > 1) {
      out[key] = rest;
      continue;
    }
    const only = rest[0] as PlainSchema | undefined;
    if (only === undefined) continue;
    delete out[key];
    for (const [name, value] of Object.entries(only)) out[name] ??= value;
  }
}

/** `type: [A, B]` becomes a choice; `type: [A, 'null']` becomes A. */
function severalTypes(out: PlainSchema): void {
  const type = out['type'];
  if (!Array.isArray(type)) return;
  const types = type.filter((one): one is string => typeof one === 'string' && one !== 'null');
  if (types.length === 1) out['type'] = types[0];
  else if (types.length === 0) out['type'] = 'null';
  else if (out['anyOf'] === undefined && out['oneOf'] === undefined && out['enum'] === undefined) {
    const { title, description, default: preset, type: _type, ...rest } = out;
    for (const key of Object.keys(rest)) delete out[key];
    delete out['type'];
    out['anyOf'] = types.map((one) => ({ ...rest, type: one, title: one }));
    Object.assign(out, withoutUndefined({ title, description, default: preset }));
  } else delete out['type'];
}

/** The key under which a form schema keeps the titles of its `enum`. */
export const CHOICE_TITLES = 'x-choice-titles';

/**
 * MCP's titled choices, `oneOf` or `anyOf` of `const`, become an `enum` with titles: of alternatives, the form library
 * would select the first one, which is then shown but not sent.
 */
function titledChoices(out: PlainSchema): void {
  const key = Array.isArray(out['oneOf']) ? 'oneOf' : 'anyOf';
  const choices = out[key];
  if (!Array.isArray(choices) || choices.length === 0) return;
  const found = choices.flatMap((one) => (isObject(one) && one['const'] !== undefined ? [one] : []));
  if (found.length !== choices.length) return;
  delete out[key];
  out['enum'] = found.map((one) => one['const']);
  out[CHOICE_TITLES] = found.map(({ title, const: value }) =>
    typeof title === 'string' ? title : JSON.stringify(value),
  );
  const type = typeof found[0]?.['const'];
  if (type === 'string' || type === 'number') out['type'] ??= type;
}

function arrays(out: PlainSchema): void {
  const items = out['items'];
  if (out['type'] !== 'array' || !isObject(items)) return;
  // One select with several values instead of a list of selects. Repeated values can be written as JSON.
  if (Array.isArray(items['enum'])) out['uniqueItems'] = true;
  // A new item is an empty string, not null.
  else if (items['type'] === 'string' && items['default'] === undefined && items['const'] === undefined)
    out['items'] = { ...items, default: '' };
}

function isFreeObject(out: PlainSchema): boolean {
  const says = ['properties', 'patternProperties', '$ref', 'allOf', 'anyOf', 'oneOf', 'if', 'enum', 'const'];
  return (
    out['type'] === 'object' &&
    !says.some((key) => key in out) &&
    (out['additionalProperties'] === undefined || out['additionalProperties'] === true)
  );
}

/** Marks an object that the schema does not describe, so that the form shows a JSON editor. */
export const FREE_OBJECT = 'x-free-object';

/** The key under which a form schema keeps bounds that JavaScript numbers cannot hold, as text. */
export const EXACT_BOUNDS = 'x-exact-bounds';

function exactBounds(node: JsonObject, out: PlainSchema): void {
  const exact: Record<string, string> = {};
  for (const key of ['minimum', 'maximum']) {
    const bound = node[key];
    if (isLosslessNumber(bound) && isUnsafe(bound)) exact[key] = bound.value;
  }
  if (Object.keys(exact).length > 0) out[EXACT_BOUNDS] = exact;
}

/** Choices that are equal as JavaScript numbers are entered as text instead. */
function bigEnum(values: Json[], out: PlainSchema): void {
  delete out['enum'];
  const known = values
    .map((value) => (isLosslessNumber(value) ? value.value : JSON.stringify(value)))
    .join(', ');
  out['type'] ??= 'integer';
  out['description'] = [out['description'], `One of ${known}.`].filter(Boolean).join(' ');
}

function withoutUndefined(value: PlainSchema): PlainSchema {
  return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined));
}

/** The defaults of an object schema, with exact numbers; `null` counts as left out. */
function defaultsOf(schema: JsonObject, root: JsonObject, depth = 0): JsonObject {
  const given = schema['default'];
  const defaults: JsonObject = isObject(given) && depth > 0 ? { ...given } : {};
  if (depth > MAX_DEPTH) return defaults;
  const parts = [schema, ...(Array.isArray(schema['allOf']) ? schema['allOf'] : [])];
  for (const part of parts) {
    const resolved = resolve(part, root);
    const properties = isObject(resolved) ? resolved['properties'] : undefined;
    if (!isObject(properties)) continue;
    const names: unknown = isObject(resolved) ? resolved['required'] : undefined;
    const required: unknown[] = Array.isArray(names) ? names : [];
    for (const [name, member] of Object.entries(properties)) {
      const property = resolve(member as Json, root);
      if (!isObject(property) || Object.hasOwn(defaults, name)) continue;
      const own = (member as JsonObject)['default'] ?? property['default'];
      if (own !== undefined && own !== null) defaults[name] = own as Json;
      else if (property['const'] !== undefined && required.includes(name))
        defaults[name] = property['const'] as Json;
      else if (property['type'] === 'object' && isObject(property['properties'])) {
        const inner = depth > 6 ? {} : defaultsOf(property as JsonObject, root, depth + 1);
        if (Object.keys(inner).length > 0) defaults[name] = inner;
      }
    }
  }
  return defaults;
}

function resolve(schema: Json, root: JsonObject): unknown {
  let at: Json | undefined = schema;
  for (let hops = 0; hops < 16; hops += 1) {
    const reference: unknown = isObject(at) ? at['$ref'] : undefined;
    if (typeof reference !== 'string' || !reference.startsWith('#')) return at;
    at = memberAt(root, fromPointer(decodeURIComponent(reference.slice(1))));
  }
  return undefined;
}
