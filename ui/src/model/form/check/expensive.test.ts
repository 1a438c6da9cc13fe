import { describe, expect, it } from 'vitest';
import { TooExpensive } from '../../background/budget';
import { runTask } from '../../background/tasks';
import { type Json, type JsonObject, parseJson } from '../../text/json';
import { SchemaDocument } from '../fields/document';
import { fieldOf } from '../fields/field';
import { extraSchema } from '../fields/memberSchemas';
import { isQuick, matchesQuickly } from '../patterns';
import { prepareSchema } from '../schema';
import { compileCheck } from './validate';

/** Schemas that a server writes in a few hundred bytes, and that took minutes or all memory. */

/** `$ref` twice at each of some levels: 2^levels visits. */
function doubling(levels: number, combine: 'allOf' | 'anyOf' | 'properties'): JsonObject {
  const next = (at: number) => ({ $ref: `#/$defs/l${at + 1}` });
  const both = (at: number) =>
    combine === 'properties'
      ? { properties: { a: next(at), b: next(at) } }
      : { [combine]: [next(at), next(at)] };
  const defs = Array.from({ length: levels }, (_, at): [string, unknown] => [`l${at}`, both(at)]);
  return json({
    $ref: '#/$defs/l0',
    $defs: { ...Object.fromEntries(defs), [`l${levels}`]: { type: 'object' } },
  });
}

function json(value: unknown): JsonObject {
  const parsed = parseJson(JSON.stringify(value));
  return (parsed.ok ? parsed.value : {}) as JsonObject;
}

const text = (schema: Json): string => JSON.stringify(schema);

describe('a check', () => {
  it.each(['allOf', 'anyOf'] as const)('of %s that doubles at 40 levels is given up', (combine) => {
    expect(compileCheck(doubling(40, combine))(json({}))).toEqual({ type: 'tooExpensive' });
  });

  it('takes as many steps as it needs below the limit', () => {
    expect(compileCheck(doubling(14, 'allOf'))(json({}))).toEqual({ type: 'checked', problems: [] });
  });

  it('has short messages, whatever the schema quotes', () => {
    const schema = json({
      properties: { a: { enum: Array.from({ length: 5_000 }, (_, at) => `choice ${at}`) } },
    });
    const found = compileCheck(schema)(json({ a: 1 }));
    expect(found.type === 'checked' && found.problems[0]?.message).toMatch(/^must be one of .{280,290}…$/);
  });

  it('of a schema of 5 MB ends', () => {
    const properties = Object.fromEntries(
      Array.from({ length: 60_000 }, (_, at) => [
        `property-${at}`,
        { type: 'string', description: 'x'.repeat(40) },
      ]),
    );
    const schemaJson = JSON.stringify({ properties });
    expect(schemaJson.length).toBeGreaterThan(5_000_000);
    expect(runTask({ type: 'check', schemaJson, valueJson: '{"property-3":1}' })).toMatchObject({
      type: 'done',
      value: { type: 'checked', problems: [{ pointer: '/property-3' }] },
    });
  });
});

describe('a form', () => {
  it('of a schema that contains itself k times begins with an object of bounded size', () => {
    const members = Array.from({ length: 30 }, (_, at): [string, unknown] => [`m${at}`, { $ref: '#' }]);
    const schema = { properties: { ...Object.fromEntries(members), x: { default: 1 } } };
    const form = prepareSchema(JSON.stringify(schema));
    expect(form.type).toBe('form');
    expect(JSON.stringify(form.defaults).length).toBeLessThan(50_000);
  });

  it.each(['allOf', 'anyOf'] as const)('of %s that doubles at 40 levels reads each part once', (combine) => {
    let steps = 0;
    const document = new SchemaDocument(doubling(40, combine), () => (steps += 1));
    expect(fieldOf(document.root, {}, document).references).toContain('#/$defs/l0');
    expect(steps).toBeLessThan(500);
    expect(prepareSchema(text(doubling(40, combine))).type).toBe('form');
  });

  it('of parts that all refer to each other says why there is none', () => {
    const names = Array.from({ length: 40 }, (_, at) => `k${at}`);
    const each = { allOf: names.map((name) => ({ $ref: `#/$defs/${name}` })) };
    const knot = { ...each, $defs: Object.fromEntries(names.map((name) => [name, each])) };
    expect(prepareSchema(text(json(knot)))).toMatchObject({
      type: 'jsonOnly',
      reason: expect.stringContaining('too often') as string,
    });
  });

  it('does not compare a value with alternatives beyond its budget', () => {
    const document = new SchemaDocument(json({ ...doubling(40, 'anyOf') }));
    expect(() => document.fits(document.root, json({ a: 1 }))).toThrow(TooExpensive);
  });

  it('has its budget again in the next task', async () => {
    const document = new SchemaDocument(doubling(40, 'anyOf'));
    expect(() => document.fits(document.root, json({}))).toThrow(TooExpensive);
    await new Promise((resolve) => setTimeout(resolve, 0));
    expect(document.fits({ type: 'object' }, json({}))).toBe(true);
  });

  it('tries no pattern that could take long', () => {
    const slow = { anyOf: [{ pattern: '^(a+)+$' }, { type: 'number' }] };
    const document = new SchemaDocument(json({ type: 'object', properties: { x: slow } }));
    expect(document.fits(json(slow), 'a'.repeat(5_000) + '!')).toBe(true);
    expect(document.fits(json({ format: 'url' }), `http://${'a'.repeat(60)}!`)).toBe(true);
    expect(
      extraSchema(json({ patternProperties: { '^(a+)+$': { type: 'null' } } }), 'a'.repeat(40) + '!'),
    ).toBeUndefined();
    expect(fieldOf(json(slow), 'x', document).kind.type).toBe('alternatives');
  });
});

describe('a schema whose parts have addresses', () => {
  const reason = 'The schema names, repeats or combines its parts too often for a form.';
  const members = (count: number, member: (at: number) => unknown) =>
    Object.fromEntries(Array.from({ length: count }, (_, at) => [`p${at}`, member(at)]));

  // Each of these took from a few seconds to hours.
  it.each<[string, unknown]>([
    [
      'that are long',
      { $id: `http://x/${'a'.repeat(400_000)}`, x: Array.from({ length: 20_000 }, () => ({ id: '?' })) },
    ],
    ['of which there are many', { x: Array.from({ length: 100_000 }, () => ({ id: 'a' })) }],
    [
      'that become long within each other',
      {
        x: Array.from({ length: 30 }).reduce<unknown>(
          (inner) => ({ $id: `${'a'.repeat(1_000)}/`, x: inner }),
          {},
        ),
      },
    ],
    [
      'combined one by one',
      { allOf: Array.from({ length: 10_000 }, (_, at) => ({ properties: { [at]: {} } })) },
    ],
    [
      'combined with many members again and again',
      {
        allOf: Array.from({ length: 5_000 }, () => ({ $ref: '#/$defs/a' })),
        $defs: { a: { properties: members(5_000, () => ({})) } },
      },
    ],
  ])('%s has no form', (_, schema) => {
    const root = { $id: 'http://x/', type: 'object', ...(schema as object) };
    expect(prepareSchema(JSON.stringify(root))).toMatchObject({ type: 'jsonOnly', reason });
  });

  it('has a form for as many as schemas really have', () => {
    const schema = {
      $id: 'http://x/',
      type: 'object',
      properties: members(1_000, (at) => ({ $id: `part/${at}`, type: 'string' })),
      allOf: Array.from({ length: 20 }, (_, at) => ({ properties: { [`more${at}`]: {} } })),
    };
    expect(prepareSchema(JSON.stringify(schema)).type).toBe('form');
  });

  // The validator writes the addresses of what is within an `$id` twice: 2^38 of them here, and gigabytes for the name.
  it.each<[string, Json]>([
    [
      'within each other',
      json(
        Array.from({ length: 38 }).reduce<unknown>((inner) => ({ $id: 'a', properties: { a: inner } }), {}),
      ),
    ],
    [
      'of members with a long name',
      json({ properties: { ['a'.repeat(400_000)]: { properties: members(20_000, () => ({})) } } }),
    ],
  ])('%s is compared with no value', (_, part) => {
    const document = new SchemaDocument(json({ properties: { part } }));
    expect(document.fits(document.root, json({}))).toBe(false);
    const empty = new SchemaDocument({});
    expect(empty.fits(part, json({}))).toBe(false);
    expect(empty.fits(json({ properties: { a: {} } }), json({}))).toBe(true);
  });
});

describe('a pattern', () => {
  it.each([
    '^[a-z]+$',
    '^\\d{4}-\\d{2}$',
    '^(?:foo|bar)$',
    '^x-',
    '\\.json$',
    '^#[0-9a-f]{6}$',
    '^.*\\S.*$',
    '^-?\\d+(?:\\.\\d)?$',
    '^(GET|POST|PUT|PATCH|DELETE|HEAD)$',
    '^https?://[^/]+',
  ])('that is quick is tried while drawing: %s', (pattern) => expect(isQuick(pattern)).toBe(true));

  it.each([
    '^(a+)+$',
    '(a|a)*$',
    '(a*)*b',
    '^(([a-z])+.)+$',
    '(x+x+)+y',
    '.*.*=.*',
    '(a?){30}a{30}',
    '(\\w*)\\1',
    '(?=a*)*b',
    '(.{1,9}){1,99}',
    'a?'.repeat(60) + 'a'.repeat(60),
    '(?:a|a)'.repeat(20) + '$',
    '^' + '(a(b|c|d)|e)'.repeat(4),
  ])('that may be slow is not: %s', (pattern) => {
    expect(isQuick(pattern)).toBe(false);
    expect(matchesQuickly(pattern, 'aaa')).toBeUndefined();
  });

  it.each(['[', '[a', '\\p{', '\\u{', '('])('is looked at in proportion to its length: %s', (unit) => {
    const started = performance.now();
    for (let at = 0; at < 5_000; at += 1) isQuick(unit.repeat(300 / unit.length));
    expect(performance.now() - started).toBeLessThan(3_000);
  });

  it('is tried with a name only so often within a task', async () => {
    const patterns = Object.fromEntries(Array.from({ length: 20_000 }, (_, at) => [`^z${at}[a-z]+$`, true]));
    const keywords = json({ patternProperties: patterns, additionalProperties: { type: 'string' } });
    const started = performance.now();
    // Before, minutes.
    for (let at = 0; at < 1_000; at += 1)
      expect(extraSchema(keywords, `name${at}`)).toEqual({ type: 'string' });
    expect(performance.now() - started).toBeLessThan(20_000);
    await new Promise((resolve) => setTimeout(resolve, 0));
    expect(extraSchema(keywords, 'z7a')).toBe(true);
  });
});
