import { isLosslessNumber } from 'lossless-json';
import { type Json, type JsonObject, isObject, writeJsonCompact } from '../../text/json';
import type { SchemaDocument } from './document';

/**
 * What the schema of one value says, in one object: references followed, `allOf` and the conditions that apply merged.
 * Deliberately not here: validation (validate.ts), which reads the schema as it was received.
 */
export interface Keywords {
  /** The keywords that hold, without those that were followed or merged. */
  keywords: JsonObject;
  /** The references that were followed. */
  references: readonly string[];
}

/** Keywords that are followed or merged. */
const MERGED = new Set([
  '$ref',
  '$dynamicRef',
  '$recursiveRef',
  'allOf',
  'if',
  'then',
  'else',
  'dependentSchemas',
  'dependentRequired',
  'dependencies',
  '$defs',
  'definitions',
  '$schema',
  '$id',
]);

/** The keywords of a schema for a value. */
export function keywordsFor(schema: Json, value: Json | undefined, document: SchemaDocument): Keywords {
  const known = typeof schema === 'object' && schema !== null ? CACHE.get(schema) : undefined;
  if (known?.document === document) return known.keywords;
  const reader = new Reader(document, value);
  const keywords = { keywords: reader.read(schema, []), references: reader.references };
  if (!reader.isConditional && typeof schema === 'object' && schema !== null) {
    CACHE.set(schema, { document, keywords });
  }
  return keywords;
}

/** The keywords of schemas that are the same for every value. */
const CACHE = new WeakMap<object, { document: SchemaDocument; keywords: Keywords }>();

class Reader {
  readonly references: string[] = [];
  /** Whether the keywords depend on the value. */
  isConditional = false;
  /** What parts say: a part that is named twice at each of forty levels would be read as often as there are paths to it. */
  readonly #known = new Map<JsonObject, JsonObject>();
  /** How often a reference was not followed because it leads back to itself. What was read around it holds for that path only. */
  #cuts = 0;

  constructor(
    readonly document: SchemaDocument,
    readonly value: Json | undefined,
  ) {}

  read(schema: Json, followed: readonly string[]): JsonObject {
    this.document.spend();
    if (schema === false) return { not: {} };
    if (!isObject(schema)) return {};
    const node = schema;
    const known = this.#known.get(node);
    if (known !== undefined) return known;
    const cuts = this.#cuts;
    let out = Object.fromEntries(Object.entries(node).filter(([key]) => !MERGED.has(key)));
    const reference = node['$ref'] ?? node['$dynamicRef'] ?? node['$recursiveRef'];
    if (typeof reference === 'string' && followed.includes(reference)) this.#cuts += 1;
    else if (typeof reference === 'string') {
      this.references.push(reference);
      const part = this.read(this.document.lookup(reference) ?? true, [...followed, reference]);
      out = mergeKeywords(out, part, this.document.spend);
    }
    for (const part of this.#parts(node))
      out = mergeKeywords(out, this.read(part, followed), this.document.spend);
    if (this.#cuts === cuts) this.#known.set(node, out);
    return out;
  }

  /** The schemas that hold beside a schema's own keywords. */
  #parts(node: JsonObject): Json[] {
    const parts: Json[] = Array.isArray(node['allOf']) ? [...node['allOf']] : [];
    const condition = node['if'];
    if (condition !== undefined) {
      this.isConditional = true;
      const part = this.document.fits(condition, this.value ?? {}) ? node['then'] : node['else'];
      if (part !== undefined) parts.push(part);
    }
    for (const key of ['dependentSchemas', 'dependentRequired', 'dependencies']) {
      const dependencies = node[key];
      if (!isObject(dependencies)) continue;
      this.isConditional = true;
      for (const [name, part] of Object.entries(dependencies)) {
        if (!isObject(this.value) || !Object.hasOwn(this.value, name)) continue;
        parts.push(Array.isArray(part) ? { required: part } : part);
      }
    }
    return parts;
  }
}

const LARGER = new Set(['minimum', 'exclusiveMinimum', 'minLength', 'minItems', 'minProperties']);
const SMALLER = new Set(['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems', 'maxProperties']);

/** How many members are merged in one step. */
const MEMBERS_PER_STEP = 10;

/**
 * Both at once. Where only one can be shown (title, description, default), the first wins. `spend` is called for the steps of
 * it: each merge copies everything that was merged before.
 */
export function mergeKeywords(
  first: JsonObject,
  second: JsonObject,
  spend: (steps: number) => void,
): JsonObject {
  const added = Object.entries(second);
  if (added.length === 0) return first;
  let members = Object.keys(first).length + added.length;
  for (const [key, there] of added) {
    if (Object.hasOwn(first, key)) members += sizeOf(first[key]) + sizeOf(there);
  }
  spend(Math.ceil(members / MEMBERS_PER_STEP));
  const merged = new Map(Object.entries(first));
  for (const [key, there] of added) {
    const here = merged.get(key);
    merged.set(key, here === undefined ? there : mergeKeyword(key, here, there));
  }
  return Object.fromEntries(merged);
}

function sizeOf(value: Json | undefined): number {
  if (Array.isArray(value)) return value.length;
  return isObject(value) ? Object.keys(value).length : 0;
}

function mergeKeyword(key: string, here: Json, there: Json): Json {
  if ((key === 'properties' || key === 'patternProperties') && isObject(here) && isObject(there)) {
    return mergeProperties(here, there);
  }
  if (key === 'items' && isObject(here) && isObject(there)) return { allOf: [here, there] };
  if (key === 'required' && Array.isArray(here) && Array.isArray(there)) {
    const known = new Set(here);
    return [...here, ...there.filter((name) => !known.has(name))];
  }
  if (key === 'enum' && Array.isArray(here) && Array.isArray(there)) {
    const both = new Set(there.map(writeJsonCompact));
    return here.filter((value) => both.has(writeJsonCompact(value)));
  }
  if (key === 'type') return narrower(here, there);
  if (key === 'additionalProperties' && (here === false || there === false)) return false;
  if (isLosslessNumber(here) && isLosslessNumber(there)) {
    const [a, b] = [Number(here.value), Number(there.value)];
    if (LARGER.has(key)) return a >= b ? here : there;
    if (SMALLER.has(key)) return a <= b ? here : there;
  }
  return here;
}

function mergeProperties(here: JsonObject, there: JsonObject): JsonObject {
  const merged = new Map(Object.entries(here));
  for (const [name, schema] of Object.entries(there)) {
    const known = merged.get(name);
    merged.set(name, known === undefined ? schema : { allOf: [known, schema] });
  }
  return Object.fromEntries(merged);
}

function narrower(here: Json, there: Json): Json {
  const allowed = typesIn(there);
  const both = typesIn(here).filter(
    (type) => allowed.includes(type) || (type === 'integer' && allowed.includes('number')),
  );
  if (typesIn(here).includes('number') && allowed.includes('integer') && !both.includes('integer'))
    both.push('integer');
  return both.length === 1 ? (both[0] ?? here) : both.length === 0 ? here : both;
}

/** The types a `type` keyword allows. */
export function typesIn(type: Json | undefined): string[] {
  if (typeof type === 'string') return [type];
  return Array.isArray(type) ? type.filter((one): one is string => typeof one === 'string') : [];
}
