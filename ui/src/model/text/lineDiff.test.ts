import { describe, expect, it } from 'vitest';
import { diffLines } from './lineDiff';

const written = (before: string, after: string): string =>
  diffLines(before, after)
    .lines.map((line) =>
      line === null ? '…' : { same: ' ', added: '+', removed: '-' }[line.kind] + line.text,
    )
    .join('|');

describe('diffLines', () => {
  it.each([
    ['a\nb\nc', 'a\nx\nc', ' a|-b|+x| c'],
    ['1', '2', '-1|+2'],
    ['a\nb', 'a\nb', '…'],
    ['a\nb\nc', 'b\nc\nd', '-a| b| c|+d'],
    ['a', 'a\nb', ' a|+b'],
  ])('%j → %j', (before, after, lines) => {
    expect(written(before, after)).toBe(lines);
  });

  it('leaves out unchanged lines far from a change', () => {
    const text = Array.from({ length: 20 }, (_, i) => String(i)).join('\n');
    expect(written(text, text.replace('10', 'x'))).toBe('…| 7| 8| 9|-10|+x| 11| 12| 13|…');
  });

  it('ends soon for two long texts without a common line', () => {
    const lines = (name: string): string => Array.from({ length: 50_000 }, (_, i) => name + i).join('\n');
    expect(diffLines(lines('a'), lines('b'))).toMatchObject({ added: 50_000, removed: 50_000 });
  });
});
