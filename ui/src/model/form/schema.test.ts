import { describe, expect, it } from 'vitest';
import { type Json, type JsonObject, writeJsonCompact } from '../text/json';
import { type FieldSchema, fieldOf } from './fields/field';
import { memberSchema } from './fields/memberSchemas';
import { type FormSchema, prepareSchema, takesNothing } from './schema';

function prepare(schema: unknown): FormSchema {
  return prepareSchema(typeof schema === 'string' ? schema : JSON.stringify(schema));
}

function form(schema: unknown) {
  const prepared = prepare(schema);
  if (prepared.type !== 'form') throw new Error(prepared.reason);
  return prepared;
}

/** The field of a property with the schema. */
function property(schema: unknown): FieldSchema {
  const text = typeof schema === 'string' ? schema : JSON.stringify(schema);
  const { schema: document } = form(`{"type":"object","properties":{"x":${text}}}`);
  return fieldOf(memberSchema(document.root, 'x'), undefined, document);
}

function kind(schema: unknown): unknown {
  return property(schema).kind;
}

describe('prepareSchema', () => {
  it.each([
    [null, 'schema is missing'],
    ['{', 'not valid JSON'],
    ['true', 'not an object'],
    ['false', 'not an object'],
    ['[]', 'not an object'],
    ['{"type":"string"}', 'describes a value of type string'],
    ['{"properties":{"x":{"$ref":"https://example.org/x.json"}}}', 'which is external'],
    ['{"properties":{"x":{"$ref":"other.json#/a"}}}', 'which is external'],
    ['{"properties":{"x":{"$ref":"#/$defs/x"}}}', 'does not define'],
    ['{"properties":{"x":{"$ref":"#/%"}}}', 'does not define'],
    ['{"properties":{"x":{"$ref":7}}}', 'not a string'],
    ['{"properties":{"x":3}}', 'neither an object nor a boolean'],
    [`{"description":"${'x'.repeat(5_000_000)}"}`, 'too large'],
    [`{"properties":{${Array.from({ length: 30_000 }, (_, at) => `"p${at}":{}`).join()}}}`, 'too large'],
  ])('says why there is no form for %.100s', (schema, reason) => {
    const prepared = prepareSchema(schema);
    expect(prepared.type === 'jsonOnly' && prepared.reason).toContain(reason);
  });

  it('gives up on schemas nested beyond reason instead of failing', () => {
    let schema = '{}';
    for (let depth = 0; depth < 5000; depth += 1) schema = `{"properties":{"x":${schema}}}`;
    expect(prepareSchema(schema).type).toBe('jsonOnly');
  });

  it.each([
    ['{"properties":{"a":{"$ref":"#/properties/a"}}}'],
    ['{"$ref":"#"}'],
    ['{"allOf":[{"$ref":"#"}]}'],
    ['{"anyOf":[{"$ref":"#"},{"type":"null"}]}'],
    ['{"properties":{"a":{"anyOf":[{"$ref":"#/properties/a"},{"type":"null"}]}}}'],
    ['{"$defs":{"a":{"$ref":"#/$defs/b"},"b":{"$ref":"#/$defs/a"}},"properties":{"x":{"$ref":"#/$defs/a"}}}'],
  ])('has a form for a schema that refers to itself: %s', (schema) => {
    expect(prepareSchema(schema).type).toBe('form');
  });

  it('prefills defaults with exact numbers and leaves null out', () => {
    const { defaults } = form(
      '{"type":"object","required":["k"],"properties":{"big":{"default":9007199254740993},"ratio":{"default":1.10},"none":{"default":null},' +
        '"k":{"const":"v"},"in":{"type":"object","properties":{"deep":{"default":true}}},"ref":{"$ref":"#/$defs/r"}},"$defs":{"r":{"default":"d"}}}',
    );
    expect(writeJsonCompact(defaults)).toBe(
      '{"big":9007199254740993,"ratio":1.10,"k":"v","in":{"deep":true},"ref":"d"}',
    );
  });
});

describe('the values that a form begins with', () => {
  const defaultsOf = (schema: unknown): string => writeJsonCompact(form(schema).defaults);
  const members = (properties: object, required: string[] = []) => ({
    type: 'object',
    properties,
    required,
  });
  const tag = { const: 'bearer' };

  it.each([
    ['it is null by default', { default: null, anyOf: [members({ a: { default: 1 } }), { type: 'null' }] }],
    ['something that it requires is missing', members({ a: { default: 1 }, token: {} }, ['token'])],
    ['it has only constants', members({ type: tag }, ['type'])],
    [
      'an object that it requires is incomplete',
      members({ in: members({ a: { default: 1 }, b: {} }, ['b']) }, ['in']),
    ],
  ])('leave an optional object out if %s', (_, auth) => {
    expect(defaultsOf(members({ auth, b: { default: 2 } }))).toBe('{"b":2}');
  });

  it('have an optional object with defaults in which nothing is missing', () => {
    const page = members({ type: tag, size: { default: 20 }, cursor: {} }, ['type', 'size']);
    expect(defaultsOf(members({ page }))).toBe('{"page":{"type":"bearer","size":20}}');
  });

  it('have the constants and defaults of an object that is required', () => {
    const auth = members({ type: tag, token: {} }, ['type', 'token']);
    expect(defaultsOf(members({ auth }, ['auth']))).toBe('{"auth":{"type":"bearer"}}');
  });

  it('have what is beside the alternatives, of which none is chosen', () => {
    const own = members({ version: { const: 2 }, limit: { default: 10 } }, ['version']);
    const oneOf = [members({ id: { default: 1 } }), members({ name: { default: 'x' } })];
    expect(defaultsOf({ ...own, oneOf })).toBe('{"version":2,"limit":10}');
  });
});

describe('fieldOf', () => {
  it('follows anchors', () => {
    const { schema } = form({
      type: 'object',
      properties: { a: { $ref: '#here' } },
      $defs: { b: { $anchor: 'here', type: 'string' } },
    });
    expect(fieldOf(memberSchema(schema.root, 'a'), undefined, schema).kind.type).toBe('text');
  });

  it('reads optional fields as Pydantic writes them', () => {
    const schema = { anyOf: [{ type: 'integer', minimum: 1 }, { type: 'null' }], default: null, title: 'X' };
    expect(property(schema)).toMatchObject({ kind: { type: 'number' }, nullable: true });
    expect(writeJsonCompact(property(schema).keywords)).toBe(
      '{"default":null,"title":"X","type":"integer","minimum":1}',
    );
    expect(property({ type: ['string', 'null'] })).toMatchObject({ kind: { type: 'text' }, nullable: true });
  });

  it('makes alternatives of several types', () => {
    expect(kind({ type: ['integer', 'string'], description: 'd' })).toEqual({
      type: 'alternatives',
      alternatives: [
        { schema: { type: 'integer' }, label: 'integer' },
        { schema: { type: 'string' }, label: 'string' },
      ],
    });
  });

  it('labels alternatives by what tells them apart', () => {
    const labels = (options: unknown[]): string[] => {
      const { kind: found } = property({ anyOf: options });
      return found.type === 'alternatives' ? found.alternatives.map(({ label }) => label) : [];
    };
    expect(
      labels([
        { title: 'Circle', type: 'object' },
        { type: 'object', properties: { kind: { const: 'line' }, to: {} } },
        { type: 'object', properties: { by: { enum: ['id'] } } },
        { type: 'object', properties: { url: {} }, required: ['url'] },
        { type: 'array', items: { type: 'string' } },
        { type: 'string', format: 'email' },
        {},
      ]),
    ).toEqual(['Circle', 'line', 'id', 'with url', 'array of string', 'string email', 'Alternative 7']);
  });

  it('shows titled constants as choices', () => {
    const titled = {
      oneOf: [
        { const: 'l', title: 'Low' },
        { const: 'h', title: 'High' },
      ],
    };
    expect(kind(titled)).toEqual({
      type: 'enum',
      choices: [
        { value: 'l', label: 'Low' },
        { value: 'h', label: 'High' },
      ],
    });
  });

  it('tells choices of several types apart', () => {
    const found = kind('{"enum":["1",1,null,"",9007199254740993]}') as { choices: { label: string }[] };
    expect(found.choices.map(({ label }) => label)).toEqual([
      '"1"',
      '1',
      'null',
      '(empty string)',
      '9007199254740993',
    ]);
  });

  it('leaves what the schema does not describe to JSON', () => {
    expect(kind({ type: 'object' })).toEqual({ type: 'json', types: ['object'] });
    expect(kind({ type: 'object', additionalProperties: true })).toEqual({ type: 'json', types: ['object'] });
    expect(kind({ type: 'object', additionalProperties: { type: 'string' } })).toMatchObject({
      type: 'object',
    });
    expect(kind({})).toEqual({ type: 'json', types: [] });
    expect(kind(true)).toEqual({ type: 'json', types: [] });
  });
});

describe('takesNothing', () => {
  it('is true only when there is nothing to fill in', () => {
    const empty = (schema: unknown): boolean => takesNothing(form(schema).schema);
    expect(empty({ type: 'object' })).toBe(true);
    expect(empty({ type: 'object', properties: {}, additionalProperties: false })).toBe(true);
    expect(empty({ type: 'object', properties: { a: {} } })).toBe(false);
    expect(empty({ type: 'object', additionalProperties: { type: 'string' } })).toBe(false);
    expect(empty({ type: 'object', oneOf: [{ properties: { a: {} } }] })).toBe(false);
    expect(empty({ type: 'object', required: ['q'] })).toBe(false);
    expect(empty({ type: 'object', additionalProperties: true })).toBe(false);
    expect(empty({ type: 'object', additionalProperties: {} })).toBe(false);
    expect(empty({ type: 'object', anyOf: [{ required: ['a'] }, { required: ['b'] }] })).toBe(false);
  });
});

it('keeps names that JavaScript knows', () => {
  const value = '{"__proto__":{"default":1},"constructor":{"default":2}}';
  const { defaults } = form(`{"type":"object","properties":${value}}`);
  expect(Object.entries(defaults as Record<string, Json>).map(([name]) => name)).toEqual([
    '__proto__',
    'constructor',
  ]);
  expect(({} as JsonObject)['default']).toBeUndefined();
});
