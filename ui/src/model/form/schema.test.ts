import { describe, expect, it } from 'vitest';
import { writeJsonCompact } from '../text/json';
import { type FormSchema, prepareSchema, takesNothing } from './schema';

function prepare(schema: unknown): FormSchema {
  return prepareSchema(typeof schema === 'string' ? schema : JSON.stringify(schema));
}

function form(schema: unknown) {
  const prepared = prepare(schema);
  if (prepared.type !== 'form') throw new Error(prepared.reason);
  return prepared;
}

function property(schema: unknown): unknown {
  const properties = form({ type: 'object', properties: { x: schema } }).schema['properties'];
  return (properties as Record<string, unknown>)['x'];
}

describe('prepareSchema', () => {
  it.each([
    [null, 'no schema'],
    ['{', 'not valid JSON'],
    ['true', 'not an object'],
    ['{"type":"string"}', 'describes a string'],
    ['{"properties":{"x":{"$ref":"https://example.org/x.json"}}}', 'outside of itself'],
    ['{"properties":{"x":{"$ref":"#/$defs/x"}}}', 'does not define'],
    ['{"properties":{"x":3}}', 'neither an object nor a boolean'],
  ])('says why there is no form for %s', (schema, reason) => {
    const prepared = prepareSchema(schema);
    expect(prepared.type === 'jsonOnly' && prepared.reason).toContain(reason);
  });

  it('gives up on schemas nested beyond reason instead of failing', () => {
    let schema = '{}';
    for (let depth = 0; depth < 5000; depth += 1) schema = `{"properties":{"x":${schema}}}`;
    expect(prepareSchema(schema).type).toBe('jsonOnly');
  });

  it('accepts a schema that refers to itself', () => {
    const node = { type: 'object', properties: { next: { $ref: '#/$defs/node' } } };
    expect(
      prepare({ type: 'object', properties: { a: { $ref: '#/$defs/node' } }, $defs: { node } }).type,
    ).toBe('form');
  });

  it('follows anchors', () => {
    const schema = {
      type: 'object',
      properties: { a: { $ref: '#here' } },
      $defs: { b: { $anchor: 'here', type: 'string' } },
    };
    expect(form(schema).schema).toMatchObject({ properties: { a: { $ref: '#/$defs/b' } } });
  });

  it('reads optional fields as Pydantic writes them', () => {
    const schema = { anyOf: [{ type: 'integer', minimum: 1 }, { type: 'null' }], default: null, title: 'X' };
    expect(property(schema)).toEqual({ type: 'integer', minimum: 1, title: 'X' });
    expect(property({ type: ['string', 'null'] })).toEqual({ type: 'string' });
  });

  it('makes a choice of several types', () => {
    expect(property({ type: ['integer', 'string'], description: 'd' })).toEqual({
      description: 'd',
      anyOf: [
        { type: 'integer', title: 'integer' },
        { type: 'string', title: 'string' },
      ],
    });
  });

  it('writes tuples as the form library reads them', () => {
    expect(property({ type: 'array', prefixItems: [{ type: 'string' }], items: false })).toMatchObject({
      items: [{ type: 'string' }],
      additionalItems: false,
    });
  });

  it('shows titled choices as a select and lists of choices as one select', () => {
    const titled = {
      oneOf: [
        { const: 1, title: 'Low' },
        { const: 2, title: 'High' },
      ],
    };
    expect(property(titled)).toEqual({ type: 'number', enum: [1, 2], 'x-choice-titles': ['Low', 'High'] });
    expect(property({ type: 'array', items: { enum: ['Alt', 'Shift'] } })).toMatchObject({
      uniqueItems: true,
    });
    expect(property({ type: 'array', items: { type: 'string' } })).toMatchObject({ items: { default: '' } });
  });

  it('leaves an object without a description to JSON', () => {
    expect(property({ type: 'object' })).toEqual({ 'x-free-object': true });
    expect(property({ type: 'object', additionalProperties: { type: 'string' } })).toMatchObject({
      type: 'object',
    });
  });

  it('has something to draw for schemas that allow anything', () => {
    expect(property({})).toEqual({ $comment: 'anything' });
    expect(property(true)).toEqual({ $comment: 'anything' });
    expect(property({ type: 'array' })).toMatchObject({ items: { $comment: 'anything' } });
  });

  it('types in choices that JavaScript numbers cannot tell apart', () => {
    const { schema } = form('{"type":"object","properties":{"x":{"enum":[9007199254740993,1]}}}');
    expect(schema['properties']).toEqual({
      x: { type: 'integer', description: 'One of 9007199254740993, 1.' },
    });
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

describe('takesNothing', () => {
  it('is true only when there is nothing to fill in', () => {
    expect(takesNothing({ type: 'object' })).toBe(true);
    expect(takesNothing({ type: 'object', properties: {}, additionalProperties: false })).toBe(true);
    expect(takesNothing({ type: 'object', properties: { a: {} } })).toBe(false);
    expect(takesNothing({ type: 'object', additionalProperties: { type: 'string' } })).toBe(false);
    expect(takesNothing({ type: 'object', oneOf: [] })).toBe(false);
  });
});
