import { describe, expect, it } from 'vitest';
import { cursorAt } from './jsonCursor';

/** The cursor at the end, in short. */
function at(text: string): string {
  const cursor = cursorAt(text);
  if (cursor === null) return 'nothing';
  return `${cursor.type} /${cursor.path.join('/')} ${text.slice(cursor.from)}`.trim();
}

describe('what is typed at the end of a JSON text', () => {
  it('is a name of an object or a value', () => {
    expect(at('')).toBe('nothing');
    expect(at('{')).toBe('name /');
    expect(at('{"na')).toBe('name / "na');
    expect(at('{"name"')).toBe('nothing');
    expect(at('{"name":')).toBe('value /name');
    expect(at('{"name": tr')).toBe('value /name tr');
    expect(at('{"name": "a", "b": {"c": [1, 2, {"d": "x')).toBe('value /b/c/2/d "x');
    expect(at('{"a": [1, ')).toBe('value /a/1');
    expect(at('{"a": {"b": 1}, ')).toBe('name /');
    expect(at('{"a": 1 ')).toBe('nothing');
  });

  it('knows the names before it, and brackets and quotes in strings', () => {
    expect(cursorAt('{"a": "}],{", "b\\"": 1, "c')?.names).toEqual(['a', 'b"']);
    expect(at('{"a\\": {')).toBe('name / "a\\": {');
  });

  it('survives any text', () => {
    for (const text of ['}}}', ']]', '{,,,', '{"a":: ', '[[[[', '{"a" "b', '"', '\\', '{"a\n"b": ']) {
      expect(() => cursorAt(text)).not.toThrow();
    }
    expect(at('{,,,')).toBe('name /');
  });
});
