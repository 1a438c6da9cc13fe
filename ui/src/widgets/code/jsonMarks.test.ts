import { EditorState } from '@codemirror/state';
import { expect, it } from 'vitest';
import { diagnosticsOf, placeOf } from './jsonMarks';

const TEXT = '{\n  "a/b": [1, {"c~": "x"}, []],\n  "d": {},\n  "\\u0065": null\n}';

it.each([
  ['', TEXT],
  ['/a~1b', '[1, {"c~": "x"}, []]'],
  ['/a~1b/0', '1'],
  ['/a~1b/1/c~0', '"x"'],
  ['/a~1b/2', '[]'],
  ['/e', 'null'],
  // A member that is missing is marked at the object that lacks it.
  ['/d/missing/deep', '{}'],
  ['/a~1b/7', '[1, {"c~": "x"}, []]'],
])('the place of %j', (pointer, expected) => {
  const place = placeOf(TEXT, pointer);
  expect(TEXT.slice(place?.from, place?.to)).toBe(expected);
});

it('has no place in a text that is empty', () => {
  expect(placeOf('', '/a')).toBeNull();
});

// Each mark looked through all members: 100 took a second, and a value may have thousands of problems.
it.each([
  [
    'an object',
    `{${Array.from({ length: 12_000 }, (_, at) => `"k${at}":1`).join(',')}}`,
    (at: number) => `/k${at}`,
  ],
  ['an array', `[${'1,'.repeat(70_000)}1]`, (at: number) => `/${60_000 + at}`],
  [
    'what is missing',
    `{${Array.from({ length: 12_000 }, (_, at) => `"k${at}":1`).join(',')}}`,
    (at: number) => `/x${at}/y`,
  ],
])('places thousands of marks in %s at once', (_, text, pointerOf) => {
  const marks = Array.from({ length: 10_000 }, (__, at) => ({ pointer: pointerOf(at), message: 'wrong' }));
  const started = performance.now();
  expect(diagnosticsOf(EditorState.create({ doc: text }), marks)).toHaveLength(10_000);
  expect(performance.now() - started).toBeLessThan(15_000);
});
