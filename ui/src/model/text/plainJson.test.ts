import { parse } from 'lossless-json';
import { describe, expect, it } from 'vitest';
import { indentJson, parseJson, writeJsonCompact } from './json';
import { parsePlain } from './plainJson';

/** Long enough for the quick way. */
const padded = (members: string): string => `{"pad":"${'x'.repeat(2_000)}",${members}}`;

describe('parsePlain', () => {
  it.each([
    '"n":1,"m":-2.5,"z":0,"list":[1,[2,"3",null,true],{"a":{}}]',
    '"__proto__":{"a":1},"constructor":2,"":3',
    '"a:b":"c:d","\\"quoted\\"":"\\\\","9":9,"1":1',
    '"ü😀":"\\u0000\\ud83d\\ude00"',
  ])('reads as the exact parser does: %s', (members) => {
    const text = padded(members);
    const value = parsePlain(text);
    expect(value).toEqual(parse(text));
    expect(writeJsonCompact(value ?? null)).toBe(writeJsonCompact(parse(text) as never));
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
  });

  it.each(['"n":1.10', '"n":9007199254740993', '"n":1e5', '"n":1E5', '"n":-0', '"n":0.1e2'])(
    'leaves numbers whose text would be lost to the exact parser: %s',
    (members) => {
      const text = padded(members);
      expect(parsePlain(text)).toBeUndefined();
      const parsed = parseJson(text);
      expect(parsed.ok && writeJsonCompact(parsed.value)).toBe(text);
    },
  );

  it.each(['"a":1,"a":2', '"a":', '"a":1]', '"a":01', '"a":"\n"', '"a":1}{'])(
    'leaves what the exact parser rejects to it: %s',
    (members) => {
      expect(parsePlain(padded(members))).toBeUndefined();
      expect(parseJson(padded(members)).ok).toBe(false);
    },
  );
});

it('indents what is nested too deeply not at all, instead of failing', () => {
  for (let depth = 500; depth < 12_000; depth += 500) {
    const text = '{"a":'.repeat(depth) + '1.10' + '}'.repeat(depth);
    expect(indentJson(text)).toContain('1.10');
  }
});
