import { describe, expect, it } from 'vitest';
import { type FieldSchema, fieldOf } from '../model/form/fields/field';
import { memberSchema } from '../model/form/fields/memberSchemas';
import { prepareSchema } from '../model/form/schema';
import { describeBounds, describeField } from './describe';

/** A property of a schema as received. */
function field(property: string): FieldSchema {
  const form = prepareSchema(`{"type":"object","properties":{"x":${property}}}`);
  if (form.type !== 'form') throw new Error(form.reason);
  return fieldOf(memberSchema(form.schema.root, 'x'), undefined, form.schema);
}

describe('describeField', () => {
  it.each([
    ['{"type":"array","items":{"type":"string"}}', 'string[]'],
    ['{"const":"circle"}', '= "circle"'],
    ['{"anyOf":[{"type":"string"},{"type":"number"},{"type":"boolean"}]}', 'one of 3'],
    ['{"type":"integer","minimum":0,"maximum":18446744073709551615}', 'integer 0–18446744073709551615'],
    ['{"type":"integer","minimum":1,"maximum":9007199254740991}', 'integer ≥ 1'],
    ['{"type":"string","minLength":1}', 'string ≥ 1 character'],
    ['{"type":"array","minItems":1,"maxItems":3,"items":{}}', 'array 1–3 items'],
    ['{"type":"object","minProperties":1,"maxProperties":1}', 'object 1 property'],
    ['{"type":"object","maxProperties":3}', 'object ≤ 3 properties'],
    ['{"type":"integer","multipleOf":5}', 'integer multiple of 5'],
  ])('%s is %s', (schema, words) => {
    expect(describeField(field(schema))).toBe(words);
  });
});

describe('describeBounds', () => {
  it.each([
    ['{"type":"string","format":"password","minLength":1}', ''],
    ['{"type":"string","format":"file"}', ''],
    ['{"type":"boolean"}', ''],
    ['{"type":"number"}', ''],
    ['{"type":"number","minimum":1,"maximum":10}', '1–10'],
  ])('of %s are %s', (schema, words) => {
    expect(describeBounds(field(schema))).toBe(words);
  });
});
