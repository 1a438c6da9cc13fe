import { EXACT_BOUNDS, FREE_OBJECT } from '../model/form/schema';
import { isObject } from '../model/text/json';

/** The type of a field in a few words: `integer 1–10`, `string[]`, `string date-time`. */
export function describeField(schema: Record<string, unknown>): string {
  const words: string[] = [];
  const type = schema['type'];
  const choices = [schema['anyOf'], schema['oneOf']].find((list) => Array.isArray(list))?.length;
  if (schema['const'] !== undefined) words.push(`= ${JSON.stringify(schema['const'])}`);
  else if (Array.isArray(schema['enum'])) words.push(`one of ${schema['enum'].length}`);
  else if (type === 'array') {
    const items = schema['items'];
    const inner = isObject(items) && typeof items['type'] === 'string' ? items['type'] : undefined;
    words.push(inner === undefined ? 'array' : `${inner}[]`);
  } else if (choices !== undefined) words.push(`one of ${choices}`);
  else if (typeof type === 'string') words.push(type);
  else if (schema[FREE_OBJECT] === true) words.push('object');
  else if (!isObject(schema['properties'])) words.push('any JSON');
  if (typeof schema['format'] === 'string') words.push(schema['format']);
  const range = describeRange(schema);
  if (range !== undefined) words.push(range);
  if (typeof schema['pattern'] === 'string') words.push(`/${schema['pattern']}/`);
  if (schema['readOnly'] === true) words.push('read-only');
  if (schema['deprecated'] === true) words.push('deprecated');
  return words.join(' ');
}

const BOUNDS = [
  ['minimum', 'maximum', ''],
  ['minLength', 'maxLength', 'character'],
  ['minItems', 'maxItems', 'item'],
] as const;

function describeRange(schema: Record<string, unknown>): string | undefined {
  for (const [least, most, unit] of BOUNDS) {
    const min = boundOf(schema, least);
    const max = boundOf(schema, most);
    const hasMin = min !== undefined && !(min === '0' && unit !== '');
    if (hasMin && max !== undefined)
      return min === max ? withUnit(min, unit) : `${min}–${withUnit(max, unit)}`;
    if (hasMin) return `≥ ${withUnit(min, unit)}`;
    if (max !== undefined) return `≤ ${withUnit(max, unit)}`;
  }
  return undefined;
}

/** A bound as text; undefined if there is none, or none but that of JavaScript's exact integers, which zod always writes. */
function boundOf(schema: Record<string, unknown>, key: string): string | undefined {
  const exact = schema[EXACT_BOUNDS];
  if (isObject(exact) && typeof exact[key] === 'string') return exact[key];
  const bound = schema[key];
  return typeof bound === 'number' && Math.abs(bound) !== Number.MAX_SAFE_INTEGER ? String(bound) : undefined;
}

function withUnit(bound: string, unit: string): string {
  if (unit === '') return bound;
  return `${bound} ${bound === '1' ? unit : `${unit}s`}`;
}

/** An example of the format, as placeholder. */
export function exampleOf(schema: Record<string, unknown>): string | undefined {
  const examples = schema['examples'];
  if (Array.isArray(examples) && (typeof examples[0] === 'string' || typeof examples[0] === 'number')) {
    return `e.g. ${examples[0]}`;
  }
  switch (schema['format']) {
    case 'date':
      return '2026-11-21';
    case 'date-time':
      return '2026-11-21T12:03:04Z';
    case 'time':
      return '12:03:04Z';
    case 'duration':
      return 'PT1H30M';
    case 'email':
      return 'name@example.org';
    case 'uri':
    case 'url':
      return 'https://example.org/';
    case 'uuid':
      return '123e4567-e89b-12d3-a456-426614174000';
    default:
      return undefined;
  }
}
