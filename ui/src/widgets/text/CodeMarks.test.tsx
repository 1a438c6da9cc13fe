import { render } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { CodeMarks } from './CodeMarks';

const drawn = (text: string): { text: string | null; code: (string | null)[] } => {
  const { container } = render(<CodeMarks text={text} />);
  return {
    text: container.textContent,
    code: [...container.querySelectorAll('code')].map((each) => each.textContent),
  };
};

describe('CodeMarks', () => {
  it('draws what is between backticks as code, without them', () => {
    expect(drawn('`maxLength` of `query` changed')).toEqual({
      text: 'maxLength of query changed',
      code: ['maxLength', 'query'],
    });
    expect(drawn('plain')).toEqual({ text: 'plain', code: [] });
  });

  it('leaves a text alone whose backticks have no partner or are too many', () => {
    expect(drawn('a ` b `c`')).toEqual({ text: 'a ` b `c`', code: [] });
    const many = '`a` '.repeat(100_000);
    expect(drawn(many)).toEqual({ text: many, code: [] });
  });

  it('is an element also where it leaves a text alone: the texts of elements have their hidden characters marked', () => {
    expect(['a\u200B ` b', '`a\u200B`'].map((text) => typeof CodeMarks({ text }))).toEqual([
      'object',
      'object',
    ]);
  });
});
