import { describe, expect, it } from 'vitest';
import { prepareSchema } from '../../model/form/schema';
import { type Path, parseJson } from '../../model/text/json';
import { suggestionsOf } from './suggestions';

const SCHEMA = {
  type: 'object',
  required: ['name'],
  properties: {
    name: { type: 'string', description: 'Who', examples: ['Ada'] },
    unit: { enum: ['m', 'km', null] },
    on: { type: 'boolean', default: true },
    note: { anyOf: [{ type: 'string' }, { type: 'null' }] },
    items: { type: 'array', items: { $ref: '#/$defs/item' } },
    shape: {
      oneOf: [
        { type: 'object', properties: { kind: { const: 'circle' }, radius: { type: 'number' } } },
        { type: 'object', properties: { kind: { const: 'square' }, side: { type: 'number' } } },
      ],
    },
  },
  $defs: { item: { type: 'object', properties: { of: { $ref: '#/$defs/item' }, level: { enum: [1, 2] } } } },
};

function suggestions(schema: unknown = SCHEMA, text = '{}') {
  const form = prepareSchema(JSON.stringify(schema));
  const value = parseJson(text);
  if (form.type !== 'form' || !value.ok) throw new Error('not a form');
  const all = suggestionsOf(form.schema, () => value.value);
  const texts = (list: { text: string }[]) => list.map((each) => each.text);
  return {
    ...all,
    nameTexts: (path: Path) => texts(all.names(path)),
    valueTexts: (path: Path) => texts(all.values(path)),
  };
}

describe('what a schema suggests', () => {
  it('are the names of the members, with their type and description', () => {
    const { names, nameTexts } = suggestions();
    expect(nameTexts([])).toEqual(['name', 'unit', 'on', 'note', 'items', 'shape']);
    expect(names([])[0]).toEqual({ text: 'name', detail: 'string, required', info: 'Who' });
    expect(nameTexts(['items', 7, 'of', 'of'])).toEqual(['of', 'level']);
    expect(nameTexts(['unknown', 'place'])).toEqual([]);
  });

  it('are the values that the schema names', () => {
    const { valueTexts, values } = suggestions();
    expect(valueTexts(['unit'])).toEqual(['"m"', '"km"', 'null']);
    expect(valueTexts(['on'])).toEqual(['true', 'false']);
    expect(values(['on'])[0]).toEqual({ text: 'true', detail: 'default' });
    expect(values(['name'])).toEqual([{ text: '"Ada"', detail: 'example' }]);
    expect(valueTexts(['note'])).toEqual(['null']);
    expect(valueTexts(['items'])).toEqual(['[]']);
    expect(valueTexts(['items', 0, 'level'])).toEqual(['1', '2']);
  });

  it('are those of all alternatives, or of the one that the value has', () => {
    expect(suggestions().nameTexts(['shape'])).toEqual(['kind', 'radius', 'side']);
    expect(suggestions().valueTexts(['shape', 'kind'])).toContain('"circle"');
    const square = suggestions(SCHEMA, '{"shape": {"kind": "square"}}');
    expect(square.nameTexts(['shape'])).toEqual(['kind', 'side']);
    expect(square.valueTexts(['shape', 'kind'])).toEqual(['"square"']);
  });

  it('are bounded, and none for a schema that says nothing', () => {
    const many = Object.fromEntries(Array.from({ length: 2_000 }, (_, at) => [`p${at}`, { type: 'string' }]));
    expect(suggestions({ type: 'object', properties: many }).nameTexts([])).toHaveLength(500);
    expect(suggestions({ type: 'object' }).nameTexts([])).toEqual([]);
    const circle = {
      type: 'object',
      properties: { a: { $ref: '#/$defs/a' } },
      $defs: { a: { $ref: '#/$defs/a' } },
    };
    expect(suggestions(circle).valueTexts(['a'])).toEqual([]);
  });
});
