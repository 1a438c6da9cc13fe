import { describe, expect, it } from 'vitest';
import { hasHidden, partsOf, withNames } from './hiddenUnicode';

const marked = (text: string): string =>
  partsOf(text)
    .map(({ text: part, hidden }) => (hidden === null ? part : `<${hidden}>`))
    .join('');

it('marks zero-width, direction, tag and control characters', () => {
  expect(marked('a\u200Bb\u202Ec\u{E0041}d\u001B[31m')).toBe('a<U+200B>b<U+202E>c<U+E0041>d<U+001B>[31m');
  expect(withNames('a\u2066b')).toBe('a‹U+2066›b');
});

it('loses nothing', () => {
  const text = '\uFEFFa\u200B\u200Bb\u{E0041}\rc\u00AD';
  expect(
    partsOf(text)
      .map((part) => part.text)
      .join(''),
  ).toBe(text);
});

it('leaves visible text, line breaks and tabs', () => {
  expect(partsOf('Grüße,\r\n\t世界')).toEqual([{ text: 'Grüße,\r\n\t世界', hidden: null }]);
  expect(partsOf('')).toEqual([]);
});

describe('what a word or an emoji is spelled with is not hidden', () => {
  it.each(['👩‍💻', '❤️', '⚠️ careful', '👨🏽‍🚀', '🏳️‍🌈', '1️⃣', 'می‌خواهم', 'क्‍ष'])('%s', (text) => {
    expect(hasHidden(text)).toBe(false);
  });

  it.each(['a\u200Db', 'a\u200Cb', 'a\uFE0F', '👩\u200Dx', 'م\u200Cx', '\u{1F3F4}\u{E0067}', 'a\rb'])(
    'but not in %j',
    (text) => {
      expect(hasHidden(text)).toBe(true);
    },
  );
});

it('takes time in proportion to the text', () => {
  const started = performance.now();
  for (const text of ['\u200D', 'ا\u200C', '👩\u200D', 'a', '\r']) partsOf(text.repeat(50_000));
  expect(performance.now() - started).toBeLessThan(2_000);
});
