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

it('very long ones are not read, only begun', () => {
  const json = `{"audience":["user"],"x":"${'y'.repeat(2_000_000)}"}`;
  expect(annotationsInWords(json)).toBe(`${json.slice(0, 100)}… (1,999,928 more characters)`);
});
