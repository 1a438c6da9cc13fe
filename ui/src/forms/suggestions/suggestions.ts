import type { SchemaDocument } from '../../model/form/fields/document';
import { type FieldSchema, alternativeOf, fieldOf } from '../../model/form/fields/field';
import { freshValue, propertiesOf } from '../../model/form/fields/fresh';
import { itemSchema, memberSchema } from '../../model/form/fields/memberSchemas';
import { type Json, type Path, memberAt, writeJsonCompact } from '../../model/text/json';
import type { JsonSuggestion, JsonSuggestions } from '../../widgets/code/jsonCompletion';
import { describeField } from '../describe';

/** More are not suggested. */
const MAX_SUGGESTIONS = 500;
/** Longer texts are cut. */
const MAX_INFO = 400;
/** The most alternatives that a place is looked for in. */
const MAX_ALTERNATIVES = 50;
/** Alternatives within alternatives that are followed. */
const MAX_NESTED = 4;

/** What a schema allows at the places of a value. `value` is what the text held when it was complete last. */
export function suggestionsOf(document: SchemaDocument, value: () => Json | undefined): JsonSuggestions {
  return {
    names: (path) => {
      const found = new Map<string, JsonSuggestion>();
      for (const { keywords } of fieldsAt(document, value(), path)) {
        const { required: names } = keywords;
        for (const [name, schema] of propertiesOf(keywords)) {
          if (found.has(name) || found.size >= MAX_SUGGESTIONS) continue;
          const field = fieldOf(schema, undefined, document);
          const isRequired = Array.isArray(names) && names.includes(name);
          found.set(name, {
            text: name,
            detail: `${describeField(field)}${isRequired ? ', required' : ''}`,
            ...infoOf(field),
          });
        }
      }
      return [...found.values()];
    },
    values: (path) => {
      const found = new Map<string, JsonSuggestion>();
      for (const field of fieldsAt(document, value(), path)) {
        for (const suggestion of valuesOf(field, document)) {
          if (found.size < MAX_SUGGESTIONS && !found.has(suggestion.text))
            found.set(suggestion.text, suggestion);
        }
      }
      return [...found.values()];
    },
  };
}

/** The schemas a place can have: one, or those of the alternatives. */
function fieldsAt(document: SchemaDocument, root: Json | undefined, path: Path): FieldSchema[] {
  let schemas: Json[] = [document.root];
  const fieldsOf = (value: Json | undefined): FieldSchema[] =>
    schemas
      .flatMap((schema) => alternativesOf(fieldOf(schema, value, document), value, document, 0))
      .slice(0, MAX_ALTERNATIVES);
  path.forEach((step, depth) => {
    const fields = fieldsOf(memberAt(root, path.slice(0, depth)));
    const owners = fields.filter(({ keywords }) => propertiesOf(keywords).some(([name]) => name === step));
    const [first] = fields;
    schemas = (owners.length > 0 || first === undefined ? owners : [first]).map(({ keywords }) =>
      typeof step === 'number' ? itemSchema(keywords, step) : memberSchema(keywords, step),
    );
  });
  return fieldsOf(memberAt(root, path));
}

/** A field, with the alternative that a value fits; with all of them if there is no value yet. */
function alternativesOf(
  field: FieldSchema,
  value: Json | undefined,
  document: SchemaDocument,
  depth: number,
): FieldSchema[] {
  const { kind } = field;
  if ((kind.type !== 'alternatives' && kind.type !== 'object') || depth > MAX_NESTED) return [field];
  const { alternatives } = kind;
  const fitting =
    value === undefined ? alternatives : [alternatives[alternativeOf(alternatives, value, document)]];
  const inner = fitting.flatMap((each) =>
    each === undefined
      ? []
      : alternativesOf(fieldOf(each.schema, value, document), value, document, depth + 1),
  );
  return kind.type === 'object' ? [field, ...inner] : inner;
}

function valuesOf({ kind, keywords, nullable }: FieldSchema, document: SchemaDocument): JsonSuggestion[] {
  const found: JsonSuggestion[] = [];
  const add = (value: Json, detail?: string): void => {
    const text = writeJsonCompact(value);
    if (text.length <= MAX_INFO) found.push({ text, ...(detail === undefined ? {} : { detail }) });
  };
  const { default: preset, examples } = keywords;
  if (preset !== undefined) add(preset, 'default');
  switch (kind.type) {
    case 'constant':
      add(kind.value);
      break;
    case 'enum':
      for (const { value, label } of kind.choices.slice(0, MAX_SUGGESTIONS)) {
        add(value, label === value || label === writeJsonCompact(value) ? undefined : label);
      }
      break;
    case 'boolean':
      add(true);
      add(false);
      break;
    case 'null':
      add(null);
      break;
    case 'object':
    case 'array':
      add(freshValue({ ...keywords }, document));
      break;
    case 'text':
    case 'number':
    case 'alternatives':
    case 'json':
  }
  if (Array.isArray(examples)) for (const example of examples.slice(0, 20)) add(example, 'example');
  if (nullable) add(null);
  return found;
}

function infoOf({ keywords }: FieldSchema): { info?: string } {
  const { description } = keywords;
  return typeof description === 'string' && description !== ''
    ? { info: description.slice(0, MAX_INFO) }
    : {};
}
