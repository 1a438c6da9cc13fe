import { isLosslessNumber } from 'lossless-json';
import type { FieldSchema } from '../model/form/fields/field';
import { restOf, slotsOf } from '../model/form/fields/memberSchemas';
import { typesIn } from '../model/form/fields/keywords';
import { type Json, type JsonObject, isObject, writeJsonCompact } from '../model/text/json';

/** The type of a field in a few words: `integer 1–10`, `string[]`, `string date-time`. */
export function describeField({ kind, keywords, nullable }: FieldSchema): string {
  const words: string[] = [];
  const [type] = typesIn(keywords['type']);
  if (kind.type === 'constant') words.push(`= ${writeJsonCompact(kind.value).slice(0, 100)}`);
  else if (kind.type === 'enum') words.push(`one of ${kind.choices.length}`);
  else if (kind.type === 'array') words.push(arrayInWords(keywords));
  else if (kind.type === 'alternatives') words.push(`one of ${kind.alternatives.length}`);
  else if (kind.type === 'text') words.push('string');
  else if (kind.type === 'json') words.push(kind.types[0] ?? 'any JSON');
  else words.push(type ?? kind.type);
  if (nullable) words.push('or null');
  if (typeof keywords['format'] === 'string') words.push(keywords['format']);
  if (typeof keywords['contentEncoding'] === 'string') words.push(keywords['contentEncoding']);
  const range = describeRange(keywords);
  if (range !== undefined) words.push(range);
  if (isLosslessNumber(keywords['multipleOf'])) words.push(`multiple of ${keywords['multipleOf'].value}`);
  if (typeof keywords['pattern'] === 'string') words.push(`/${keywords['pattern']}/`);
  if (keywords['readOnly'] === true) words.push('read-only');
  if (keywords['deprecated'] === true) words.push('deprecated');
  return words.join(' ');
}

/** The bounds of a number, `1–10`; empty for what is not a number, or has none. */
export function describeBounds({ kind, keywords }: FieldSchema): string {
  return kind.type === 'number' ? (describeRange(keywords) ?? '') : '';
}

function arrayInWords(keywords: JsonObject): string {
  const slots = slotsOf(keywords);
  if (slots.length > 0) return `array of ${slots.length}`;
  const items = restOf(keywords);
  const inner = isObject(items) && typeof items['type'] === 'string' ? items['type'] : undefined;
  return inner === undefined ? 'array' : `${inner}[]`;
}

const BOUNDS = [
  ['minimum', 'maximum', '', ''],
  ['minLength', 'maxLength', 'character', 'characters'],
  ['minItems', 'maxItems', 'item', 'items'],
  ['minProperties', 'maxProperties', 'property', 'properties'],
] as const;

function describeRange(keywords: JsonObject): string | undefined {
  const [above, below] = [boundOf(keywords['exclusiveMinimum']), boundOf(keywords['exclusiveMaximum'])];
  if (above !== undefined || below !== undefined) {
    return [above === undefined ? '' : `> ${above}`, below === undefined ? '' : `< ${below}`]
      .join(' ')
      .trim();
  }
  for (const [least, most, unit, units] of BOUNDS) {
    const min = boundOf(keywords[least]);
    const max = boundOf(keywords[most]);
    const hasMin = min !== undefined && !(min === '0' && unit !== '');
    if (hasMin && max !== undefined)
      return min === max ? withUnit(min, unit, units) : `${min}–${withUnit(max, unit, units)}`;
    if (hasMin) return `≥ ${withUnit(min, unit, units)}`;
    if (max !== undefined) return `≤ ${withUnit(max, unit, units)}`;
  }
  return undefined;
}

/** A bound as text; undefined if there is none, or none but that of JavaScript's exact integers, which zod always writes. */
function boundOf(bound: Json | undefined): string | undefined {
  if (!isLosslessNumber(bound)) return undefined;
  return Math.abs(Number(bound.value)) === Number.MAX_SAFE_INTEGER ? undefined : bound.value;
}

function withUnit(bound: string, unit: string, units: string): string {
  if (unit === '') return bound;
  return `${bound} ${bound === '1' ? unit : units}`;
}

/** An example of the format, as placeholder. */
export function exampleOf(keywords: JsonObject): string | undefined {
  const { examples, format } = keywords;
  const [first] = Array.isArray(examples) ? examples : [];
  if (typeof first === 'string') return `e.g. ${first.slice(0, 200)}`;
  if (isLosslessNumber(first)) return `e.g. ${first.value}`;
  return typeof format === 'string' ? EXAMPLES.get(format) : undefined;
}

const EXAMPLES = new Map([
  ['date', '2026-11-21'],
  ['date-time', '2026-11-21T12:03:04Z'],
  ['time', '12:03:04Z'],
  ['duration', 'PT1H30M'],
  ['email', 'name@example.org'],
  ['uri', 'https://example.org/'],
  ['url', 'https://example.org/'],
  ['uuid', '123e4567-e89b-12d3-a456-426614174000'],
  ['color', '#1ec8b4'],
]);
