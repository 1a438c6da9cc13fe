import { isObject } from '../model/text/json';

/** The type of a field in a few words: `integer 1–10`, `array of string`, `string date-time`. */
export function describeField(schema: Record<string, unknown>): string {
  const words: string[] = [];
  const type = schema['type'];
  if (schema['const'] !== undefined) words.push(`always ${JSON.stringify(schema['const'])}`);
  else if (Array.isArray(schema['enum'])) words.push('enum');
  else if (type === 'array') {
    const items = schema['items'];
    const inner = isObject(items) && typeof items['type'] === 'string' ? items['type'] : undefined;
    words.push(inner === undefined ? 'array' : `array of ${inner}`);
  } else if (typeof type === 'string') words.push(type);
  else if (Array.isArray(schema['anyOf']) || Array.isArray(schema['oneOf'])) words.push('one of several');
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
  ['minLength', 'maxLength', ' characters'],
  ['minItems', 'maxItems', ' items'],
] as const;

function describeRange(schema: Record<string, unknown>): string | undefined {
  for (const [least, most, unit] of BOUNDS) {
    const min = schema[least];
    const max = schema[most];
    if (typeof min === 'number' && typeof max === 'number')
      return min === max ? `${min}${unit}` : `${min}–${max}${unit}`;
    if (typeof min === 'number' && !(min === 0 && unit !== '')) return `≥ ${min}${unit}`;
    if (typeof max === 'number') return `≤ ${max}${unit}`;
  }
  return undefined;
}

/** What a text of a format looks like. */
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
