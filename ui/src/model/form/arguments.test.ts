import { describe, expect, it } from 'vitest';
import { editArguments, readArguments } from './arguments';
import { type Json, parseJson, toPlain } from '../text/json';

function valueOf(text: string): Json {
  const parsed = parseJson(text);
  if (!parsed.ok) throw new Error(parsed.message);
  return parsed.value;
}

/** Edits the plain form of the text as a form would, and gives the text after that, without line breaks. */
function edit(
  text: string,
  change: (plain: Record<string, unknown>) => unknown,
  typed: Record<string, string> = {},
): string {
  const drawn = toPlain(valueOf(text)) as Record<string, unknown>;
  const after = editArguments(text, {
    drawn,
    edited: change(structuredClone(drawn)),
    typed: (path) => typed[path.join('.')],
  });
  return after.replaceAll(/\n\s*/g, '');
}

describe('editArguments', () => {
  it('keeps the text of every number that was not edited', () => {
    const text = '{"big":9007199254740993,"price":1.10,"list":[1.0,2e3],"name":"a"}';
    expect(edit(text, (plain) => ({ ...plain, name: 'b' }))).toBe(
      '{"big": 9007199254740993,"price": 1.10,"list": [1.0,2e3],"name": "b"}',
    );
  });

  it('writes a number as it was typed, even beyond 2^53', () => {
    const typed = { a: '9007199254740993', b: '1.10' };
    expect(edit('{}', () => ({ a: 9007199254740992, b: 1.1 }), typed)).toBe(
      '{"a": 9007199254740993,"b": 1.10}',
    );
  });

  it('does not take what was typed earlier for a value that came later', () => {
    expect(edit('{}', () => ({ a: 7 }), { a: '8' })).toBe('{"a": 7}');
  });

  it('leaves out what was emptied, and the object that it emptied', () => {
    expect(edit('{"a":{"b":1},"c":2}', () => ({ a: { b: undefined }, c: 2 }))).toBe('{"c": 2}');
  });

  it('keeps null, an empty text, an empty list and an empty object that were written', () => {
    const text = '{"a":null,"b":"","c":[],"d":{},"e":1}';
    expect(edit(text, (plain) => ({ ...plain, e: 2 }))).toBe('{"a": null,"b": "","c": [],"d": {},"e": 2}');
  });

  it('does not send what the form only drew', () => {
    const drawn = { pair: [undefined, undefined], shape: { kind: 'circle' }, name: undefined };
    const after = editArguments('{}', { drawn, edited: { ...drawn, name: 'x' }, typed: () => undefined });
    expect(JSON.parse(after)).toEqual({ name: 'x' });
  });

  it('sends a constant along once something beside it is filled in', () => {
    const drawn = { shape: { kind: 'circle' } };
    const after = editArguments('{}', {
      drawn,
      edited: { shape: { kind: 'circle', radius: 2 } },
      typed: () => undefined,
    });
    expect(JSON.parse(after)).toEqual({ shape: { kind: 'circle', radius: 2 } });
  });

  it('keeps number text when items are removed, moved or added', () => {
    const text = '{"list":[1.10,2.20,3.30]}';
    expect(edit(text, () => ({ list: [2.2, 3.3] }))).toBe('{"list": [2.20,3.30]}');
    expect(edit(text, () => ({ list: [3.3, 2.2, 1.1] }))).toBe('{"list": [3.30,2.20,1.10]}');
    expect(edit(text, () => ({ list: [1.1, 2.2, 3.3, 4] }))).toBe('{"list": [1.10,2.20,3.30,4]}');
    expect(edit(text, () => ({ list: [1.1, 5, 3.3] }))).toBe('{"list": [1.10,5,3.30]}');
  });

  it('keeps number text when a property is renamed', () => {
    expect(edit('{"old":1.10}', () => ({ fresh: 1.1 }))).toBe('{"fresh": 1.10}');
  });

  it('keeps the layout of the text where nothing changed', () => {
    const text = '{ "a":1.0 }';
    expect(editArguments(text, { drawn: { a: 1 }, edited: { a: 1 }, typed: () => undefined })).toBe(text);
  });
});

describe('readArguments', () => {
  it('tells an object, text that only can be sent, and what cannot be sent apart', () => {
    expect(readArguments('{"a":1}').type).toBe('object');
    expect(readArguments('{"a":1,"a":2}').type).toBe('textOnly');
    expect(readArguments('[1]')).toMatchObject({ type: 'broken', reason: 'Arguments must be a JSON object' });
    expect(readArguments('').type).toBe('broken');
  });

  it('says where broken JSON is broken', () => {
    expect(readArguments('{"a": x}')).toMatchObject({ type: 'broken', position: 6 });
    expect(readArguments('{"a": 1')).toMatchObject({ type: 'broken', position: 7 });
  });
});
