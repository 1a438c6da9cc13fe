import { expect, it } from 'vitest';
import { looksLikeMarkdown } from './detect';

it.each([
  ['# Title', true],
  ['- a\n- b', true],
  ['- a\n\n- b', true],
  ['1. a\n2. b', true],
  ['see [x](https://example.org)', true],
  ['this is **bold** text', true],
  ['|a|b|\n|-|-|', true],
  ['Plain words. 2 * 3 * 4', false],
  ['#hashtag', false],
  ['2 ** 3 and ** 4 **', false],
  ['[](https://example.org)', false],
])('guesses from %j whether it is Markdown: %s', (text, expected) => {
  expect(looksLikeMarkdown(text)).toBe(expected);
});

/** How often the text is looked at decides, not how fast the machine is: the pattern before took minutes for these. */
it.each([
  ['\n\n- a'.repeat(200_000)],
  ['**a '.repeat(200_000)],
  ['[a]('.repeat(200_000)],
  [' \n'.repeat(400_000)],
])('takes time in proportion to the text: %.20s…', (text) => {
  const started = performance.now();
  looksLikeMarkdown(text);
  expect(performance.now() - started).toBeLessThan(1_000);
});
