import { expect, it } from 'vitest';
import { withHiddenMarked } from './hiddenUnicode';

const marked = (text: string): string =>
  withHiddenMarked(text)
    .map((part) => (part.isHidden ? `<${part.text}>` : part.text))
    .join('');

it('marks zero-width, direction, tag and control characters', () => {
  expect(marked('a\u200Bb\u202Ec\u{E0041}d\u001B[31m')).toBe('a<U+200B>b<U+202E>c<U+E0041>d<U+001B>[31m');
});

it('leaves visible text, line breaks and tabs', () => {
  expect(withHiddenMarked('Grüße,\n\t世界')).toEqual([{ text: 'Grüße,\n\t世界', isHidden: false }]);
  expect(withHiddenMarked('')).toEqual([]);
});
