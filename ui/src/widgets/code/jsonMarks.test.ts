import { expect, it } from 'vitest';
import { placeOf } from './jsonMarks';

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
