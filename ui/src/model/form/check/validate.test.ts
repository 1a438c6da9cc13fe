import { describe, expect, it } from 'vitest';
import { type JsonObject, parseJson } from '../../text/json';
import { draftOf, fitsIn } from '../fits';
import { compileCheck, pointerInWords } from './validate';

function check(schema: unknown, value: string): string[] | string {
  const text = typeof schema === 'string' ? schema : JSON.stringify(schema);
  const [parsedSchema, parsed] = [parseJson(text), parseJson(value)];
  if (!parsedSchema.ok || !parsed.ok) throw new Error('not JSON');
  const found = compileCheck(parsedSchema.value)(parsed.value);
  if (found.type !== 'checked') return found.type === 'notChecked' ? found.reason : found.type;
  return found.problems.map(({ pointer, message }) => `${pointer} ${message}`);
}

describe('compileCheck', () => {
  it('says what is missing, wrong or too much, and where', () => {
    const schema = {
      type: 'object',
      required: ['a/b', 'n'],
      properties: {
        n: { type: 'integer', minimum: 3 },
        list: { type: 'array', items: { type: 'string' } },
        e: { enum: ['x'] },
      },
      additionalProperties: false,
    };
    expect(check(schema, '{"n":1,"list":["a",2],"e":"y","z":0}')).toEqual([
      '/a~1b is required',
      '/n 1 is less than 3',
      '/list/1 must be a string',
      '/e must be one of ["x"]',
      '/z is not allowed here',
    ]);
  });

  it('accepts integers beyond 2^53', () => {
    expect(check({ properties: { a: { type: 'integer' } } }, '{"a":9007199254740993}')).toEqual([]);
  });

  it.each([
    ['items that differ', { type: 'array', uniqueItems: true }, '[9007199254740993,9007199254740992]'],
    ['a number above a bound', { exclusiveMinimum: '9007199254740992' }, '9007199254740993'],
    ['a number below a bound', { exclusiveMaximum: '9007199254740994' }, '9007199254740993'],
    ['a multiple', { multipleOf: '3' }, '9007199254740993'],
    [
      'one constant',
      { oneOf: [{ const: '9007199254740992' }, { const: '9007199254740993' }] },
      '9007199254740993',
    ],
    [
      'another alternative',
      { anyOf: [{ exclusiveMinimum: '9007199254740992' }, { type: 'string' }] },
      '9007199254740993',
    ],
    ['none that is excluded', { not: { const: '9007199254740992' } }, '9007199254740993'],
    [
      'the second of two alternatives',
      {
        anyOf: [
          { type: 'integer', maximum: '9007199254740992' },
          { type: 'integer', minimum: '9007199254740993' },
        ],
      },
      '9007199254740993',
    ],
  ])('takes an integer beyond 2^53 exactly: %s', (_, schema, value) => {
    const text = JSON.stringify({ properties: { a: schema } }).replaceAll(/"(\d+)"/g, '$1');
    expect(check(text, `{"a":${value}}`)).toEqual([]);
  });

  it.each([
    [
      { type: 'array', uniqueItems: true },
      '[9007199254740993,1,9007199254740993]',
      '/a duplicate items at indexes 0 and 2',
    ],
    [{ exclusiveMinimum: '9007199254740993' }, '9007199254740993', '/a must be more than 9007199254740993'],
    [{ exclusiveMaximum: '9007199254740992' }, '9007199254740993', '/a must be less than 9007199254740992'],
    [{ multipleOf: '2' }, '9007199254740993', '/a 9007199254740993 is not a multiple of 2'],
    [{ maximum: '1e3' }, '9007199254740993', '/a 9007199254740992 is greater than 1000'],
    [
      { anyOf: [{ type: 'boolean' }, { type: 'string' }] },
      '9007199254740993',
      '/a matches none of the alternatives',
    ],
  ])('says what is wrong with an integer beyond 2^53: %j', (schema, value, problem) => {
    const text = JSON.stringify({ properties: { a: schema } }).replaceAll(/"(\d+(?:e\d+)?)"/g, '$1');
    expect(check(text, `{"a":${value}}`)).toEqual([problem]);
  });

  it('sums up alternatives instead of listing why each does not fit', () => {
    expect(
      check({ properties: { a: { anyOf: [{ type: 'string' }, { type: 'null' }] } } }, '{"a":1}'),
    ).toEqual(['/a matches none of the alternatives']);
    expect(
      check({ properties: { a: { oneOf: [{ type: 'number' }, { type: 'integer' }] } } }, '{"a":1}'),
    ).toEqual(['/a matches more than one alternative']);
  });

  it('says why it cannot check, and fetches nothing', () => {
    expect(check({ properties: { a: { $ref: 'https://example.org/x' } } }, '{"a":1}')).toContain(
      'Unresolved $ref',
    );
    expect(check('3', '{}')).toContain('neither an object nor a boolean');
    expect(check({ properties: { a: { pattern: '(' } } }, '{"a":"x"}')).toContain('regular expression');
  });

  it('reads each draft as it was meant', () => {
    const tuple = { items: [{ type: 'string' }], additionalItems: false };
    const inside = (extra: object) => ({ ...extra, properties: { a: tuple } });
    expect(check(inside({ $schema: 'http://json-schema.org/draft-07/schema#' }), '{"a":["x",1]}')).toEqual([
      '/a/1 is not allowed here',
    ]);
    expect(
      check({ properties: { a: { prefixItems: [{ type: 'string' }], items: false } } }, '{"a":["x",1]}'),
    ).toEqual(['/a/1 is not allowed here']);
    expect(draftOf({})).toBe('2020-12');
  });
});

describe('fitsIn', () => {
  it('resolves references in the whole schema, of its parts and of schemas made of them', () => {
    const parsed = parseJson('{"properties":{"a":{"$ref":"#/$defs/s"}},"$defs":{"s":{"type":"string"}}}');
    const root = (parsed.ok ? parsed.value : {}) as JsonObject;
    const fits = fitsIn(root, () => {});
    expect(fits(root, { a: 'x' })).toBe(true);
    expect(fits(root, { a: null })).toBe(false);
    expect(fits({ allOf: [root['properties'] ?? {}, { $ref: '#/$defs/s' }] }, 'x')).toBe(true);
    expect(fits({ allOf: [{ $ref: '#/$defs/s' }] }, true)).toBe(false);
  });
});

it('writes pointers as people do', () => {
  expect(pointerInWords('')).toBe('arguments');
  expect(pointerInWords('/filters/0/a~1b')).toBe('filters[0].a/b');
  expect(pointerInWords(`/${'n'.repeat(100_000)}`)).toBe(`${'n'.repeat(200)}…`);
});
