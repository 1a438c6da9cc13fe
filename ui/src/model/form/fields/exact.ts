import { isLosslessNumber } from 'lossless-json';
import { type Json, type JsonObject, isObject, isUnsafe, toPointer } from '../../text/json';
import type { Problem } from '../check/validate';
import { SchemaDocument } from './document';
import { alternativeOf, fieldOf } from './field';
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

function hasUnsafe(value: Json): boolean {
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
    const alternative = kind.alternatives[alternativeOf(kind.alternatives, value, document)];
    if (alternative !== undefined) visit({ schema: alternative.schema, value, path }, document, problems);
  } else if (isLosslessNumber(value)) {
    const message = /^-?\d+$/.test(value.value) ? problemOf(BigInt(value.value), keywords) : undefined;
    if (message !== undefined) problems.push({ pointer: toPointer(path), message, missing: false });
  } else if (Array.isArray(value)) {
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

function problemOf(value: bigint, keywords: JsonObject): string | undefined {
  const { const: constant, enum: values, minimum, maximum } = keywords;
  const least = integer(minimum);
  const most = integer(maximum);
  if (least !== undefined && value < least) return `${value} is less than ${least}`;
  if (most !== undefined && value > most) return `${value} is greater than ${most}`;
  const only = integer(constant);
  if (only !== undefined && value !== only) return `must be ${only}`;
  if (!Array.isArray(values) || values.some((one) => integer(one) === value)) return undefined;
  return 'must be one of the values of the enum';
}

function integer(value: Json | undefined): bigint | undefined {
  return isLosslessNumber(value) && /^-?\d+$/.test(value.value) ? BigInt(value.value) : undefined;
}
