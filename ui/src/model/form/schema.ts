import { TooExpensive } from '../background/budget';
import { type Json, type JsonObject, isObject, parseJson } from '../text/json';
import { MAX_DEPTH, SchemaDocument } from './fields/document';
import { fieldOf } from './fields/field';
import { freshObject, freshOwn, propertiesOf } from './fields/fresh';
import { typesIn } from './fields/keywords';

/**
 * Whether a schema has a form, and the values the form begins with. A server sends any JSON.
 * Deliberately not here: which control each value gets (field.ts), and validation (validate.ts).
 */
export type FormSchema =
  | { type: 'form'; schema: SchemaDocument; defaults: JsonObject }
  /** No form, for the `reason` given in a sentence: the value is edited as JSON. */
  | { type: 'jsonOnly'; reason: string; defaults: JsonObject };

/** A schema with more parts, or a longer one, gets no form: it would take seconds to draw and nobody could fill it in. */
const MAX_NODES = 25_000;
const MAX_LENGTH = 1_500_000;

class NotAForm extends Error {}

/** Prepares a schema for a form. Never throws, never fetches. */
export function prepareSchema(schemaJson: string | null): FormSchema {
  if (schemaJson === null) return jsonOnly('The schema is missing or is not an object.');
  if (schemaJson.length > MAX_LENGTH) return jsonOnly('The schema is too large for a form.');
  const parsed = parseJson(schemaJson);
  if (!parsed.ok) return jsonOnly(`The schema is not valid JSON: ${parsed.message}.`);
  return prepareParsed(parsed.value);
}

/** Prepares a schema that was read already. Never throws, never fetches. */
export function prepareParsed(root: Json): FormSchema {
  if (!isObject(root)) return jsonOnly('The schema is not an object.');
  const types = typesIn(root['type']);
  if (types.length > 0 && !types.includes('object')) {
    const described = types.length === 1 ? `a value of type ${types[0] ?? ''}` : 'something else';
    return jsonOnly(`The schema describes ${described}, but the value must be an object.`);
  }
  try {
    const document = new SchemaDocument({ ...root, type: 'object' });
    new Reader(document).schema(document.root, 0);
    return { type: 'form', schema: document, defaults: defaultsOf(document) };
  } catch (thrown) {
    if (thrown instanceof NotAForm) return jsonOnly(thrown.message);
    if (thrown instanceof TooExpensive)
      return jsonOnly('The schema names, repeats or combines its parts too often for a form.');
    if (thrown instanceof RangeError) return jsonOnly('The schema is nested too deeply for a form.');
    return jsonOnly(
      `The schema cannot be shown as a form: ${thrown instanceof Error ? thrown.message : String(thrown)}.`,
    );
  }
}

/** No form. */
export function jsonOnly(reason: string): FormSchema {
  return { type: 'jsonOnly', reason, defaults: {} };
}

/** Whether the form would be empty. */
export function takesNothing(document: SchemaDocument): boolean {
  const { keywords } = fieldOf(document.root, {}, document);
  if ('if' in document.root || 'patternProperties' in keywords) return false;
  const { additionalProperties: more, required } = keywords;
  if (Array.isArray(required) && required.length > 0) return false;
  // Members that the schema only permits by saying nothing about them are none that it takes.
  const takesMore = more === true || isObject(more);
  const hasAlternatives = Array.isArray(keywords['anyOf']) || Array.isArray(keywords['oneOf']);
  return propertiesOf(keywords).length === 0 && !hasAlternatives && !takesMore;
}

/** The values the form begins with: defaults with exact numbers, and required constants. `null` counts as left out. */
function defaultsOf(document: SchemaDocument): JsonObject {
  const { kind } = fieldOf(document.root, {}, document);
  const hasChoice = kind.type === 'object' && kind.alternatives.length > 0;
  return hasChoice ? freshOwn(document.root, document) : freshObject(document.root, document);
}

/** Keywords whose value is a schema, a list of schemas, or a map of schemas. */
const ONE = new Set(
  'items additionalItems additionalProperties contains not if then else propertyNames unevaluatedItems unevaluatedProperties'.split(
    ' ',
  ),
);
const LIST = new Set(['allOf', 'anyOf', 'oneOf', 'items', 'prefixItems']);
const MAP = new Set(['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas']);

/** Reads every part of a schema once, so that a form never meets what it cannot show. */
class Reader {
  #nodes = 0;

  constructor(readonly document: SchemaDocument) {}

  schema(node: Json, depth: number): void {
    if (typeof node === 'boolean') return;
    if (!isObject(node)) throw new NotAForm('A part of the schema is neither an object nor a boolean.');
    this.#nodes += 1;
    if (depth > MAX_DEPTH) throw new NotAForm('The schema is nested too deeply for a form.');
    if (this.#nodes > MAX_NODES) throw new NotAForm('The schema is too large for a form.');
    for (const key of ['$ref', '$dynamicRef', '$recursiveRef']) this.#reference(node[key]);
    for (const [key, member] of Object.entries(node)) this.#keyword(key, member, depth);
  }

  #keyword(key: string, member: Json, depth: number): void {
    if (LIST.has(key) && Array.isArray(member)) {
      for (const one of member) this.schema(one, depth + 1);
    } else if (MAP.has(key) && isObject(member)) {
      for (const one of Object.values(member)) this.schema(one, depth + 1);
    } else if (ONE.has(key)) this.schema(member, depth + 1);
  }

  #reference(reference: Json | undefined): void {
    if (reference === undefined) return;
    if (typeof reference !== 'string') throw new NotAForm('A $ref in the schema is not a string.');
    if (this.document.lookup(reference) !== undefined) return;
    throw new NotAForm(
      reference.startsWith('#')
        ? `The schema refers to ${reference}, which it does not define.`
        : `The schema refers to ${reference}, which is external. Schemas are never fetched.`,
    );
  }
}
