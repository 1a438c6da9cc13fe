import { isLosslessNumber } from 'lossless-json';
import { type Json, type JsonObject, isObject, isUnsafe, toPointer, writeJsonCompact } from '../../text/json';
import type { Problem } from '../check/validate';
import { SchemaDocument } from './document';
import { type Alternative, alternativeOf, fieldOf } from './field';
import { itemSchema, memberSchema } from './memberSchemas';

/**
 * Checks integers that JavaScript numbers cannot tell apart, which the validator takes for equal: 9007199254740993 against
 * a maximum of 9007199254740992.
 */
export function createExactCheck(schema: Json, spend: (steps?: number) => void): (value: Json) => Problem[] {
  let document: SchemaDocument | undefined;
  return (value) => {
    if (!isObject(schema) || !hasUnsafe(value)) return [];
    document ??= new SchemaDocument(schema, spend);
    const problems: Problem[] = [];
    visit({ schema: document.root, value, path: [] }, document, problems);
    return problems;
  };
}

/** Whether a value has a number that a JavaScript number cannot represent. */
export function hasUnsafe(value: Json): boolean {
  if (isLosslessNumber(value)) return isUnsafe(value);
  if (Array.isArray(value)) return value.some(hasUnsafe);
  return isObject(value) && Object.values(value).some(hasUnsafe);
}

interface Place {
  schema: Json;
  value: Json;
  path: (string | number)[];
}

function visit({ schema, value, path }: Place, document: SchemaDocument, problems: Problem[]): void {
  const { keywords, kind } = fieldOf(schema, value, document);
  if (kind.type === 'alternatives') {
    problems.push(...ofAlternatives(kind.alternatives, { value, path }, document));
  } else if (isLosslessNumber(value)) {
    const message = /^-?\d+$/.test(value.value) ? problemOf(BigInt(value.value), keywords) : undefined;
    if (message !== undefined) problems.push({ pointer: toPointer(path), message, missing: false });
  } else if (Array.isArray(value)) {
    const message = keywords['uniqueItems'] === true ? repeated(value) : undefined;
    if (message !== undefined) problems.push({ pointer: toPointer(path), message, missing: false });
    value.forEach((item, index) =>
      visit({ schema: itemSchema(keywords, index), value: item, path: [...path, index] }, document, problems),
    );
  } else if (isObject(value)) {
    for (const [name, member] of Object.entries(value)) {
      visit(
        { schema: memberSchema(keywords, name), value: member, path: [...path, name] },
        document,
        problems,
      );
    }
  }
}

/** What is wrong with a value that the first alternative describes which it fits; nothing if it fits another one exactly. */
function ofAlternatives(
  alternatives: Alternative[],
  place: Omit<Place, 'schema'>,
  document: SchemaDocument,
): Problem[] {
  const problemsIn = (schema: Json): Problem[] => {
    const problems: Problem[] = [];
    visit({ ...place, schema }, document, problems);
    return problems;
  };
  const shown = alternatives[alternativeOf(alternatives, place.value, document)];
  const problems = shown === undefined ? [] : problemsIn(shown.schema);
  const others = problems.length === 0 ? [] : alternatives.filter((one) => one !== shown);
  const fitsOther = others.some(
    ({ schema }) => document.fits(schema, place.value) && problemsIn(schema).length === 0,
  );
  return fitsOther ? [] : problems;
}

/** That two items are equal. */
function repeated(items: Json[]): string | undefined {
  const written = items.map(writeJsonCompact);
  const first = new Map<string, number>();
  for (const [index, text] of written.entries()) {
    const before = first.get(text);
    if (before !== undefined) return `duplicate items at indexes ${before} and ${index}`;
    first.set(text, index);
  }
  return undefined;
}

function problemOf(value: bigint, keywords: JsonObject): string | undefined {
  const { const: constant, enum: values, minimum, maximum } = keywords;
  const { exclusiveMinimum: above, exclusiveMaximum: below, multipleOf } = keywords;
  const least = integer(minimum);
  const most = integer(maximum);
  if (least !== undefined && value < least) return `${value} is less than ${least}`;
  if (most !== undefined && value > most) return `${value} is greater than ${most}`;
  // Before draft 6 these were booleans beside the bounds.
  const [over, under] = [above === true ? least : integer(above), below === true ? most : integer(below)];
  if (over !== undefined && value <= over) return `must be more than ${over}`;
  if (under !== undefined && value >= under) return `must be less than ${under}`;
  const divisor = integer(multipleOf);
  if (divisor !== undefined && divisor > 0n && value % divisor !== 0n)
    return `${value} is not a multiple of ${divisor}`;
  const only = integer(constant);
  if (only !== undefined && value !== only) return `must be ${only}`;
  if (!Array.isArray(values) || values.some((one) => integer(one) === value)) return undefined;
  return 'must be one of the values of the enum';
}

function integer(value: Json | undefined): bigint | undefined {
  const parts = isLosslessNumber(value) ? /^(-?\d+)(?:\.0+)?(?:e\+?(\d{1,3}))?$/i.exec(value.value) : null;
  return parts === null ? undefined : BigInt(parts[1] ?? '') * 10n ** BigInt(parts[2] ?? '0');
}
