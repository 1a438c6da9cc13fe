import { expect, it } from 'vitest';
import { annotationsInWords } from './annotations';

it.each([
  ['{"audience":["user","assistant"],"priority":0.9}', 'for user, assistant · priority 0.9'],
  ['{"lastModified":"2026-01-01","x":{"y":1}}', 'modified 2026-01-01 · x: {"y":1}'],
  ['{"audience":"<b>","priority":"high"}', 'audience: "<b>" · priority: "high"'],
  ['[1]', '[1]'],
])('%s reads %s', (json, words) => {
  expect(annotationsInWords(json)).toBe(words);
});
