import { describe, expect, it } from 'vitest';
import { TooExpensive } from '../../background/budget';
import { MAX_BLOCK } from './blocks';
import { parseMarkdown } from './tree';

const tagsOf = (text: string): string[] => parseMarkdown(text).blocks.map(({ element }) => element.tagName);

it('parses blocks, links and tables, and drops HTML', () => {
  expect(tagsOf('# A\n\n- b\n\n<script>x</script>\n\n|c|\n|-|\n|d|')).toEqual(['h1', 'ul', 'table']);
});

describe('never makes more parts than can be shown', () => {
  it.each([
    ['a table of 7 kB', `${'|a'.repeat(1200)}|\n${'|-'.repeat(1200)}|\n${'|b|\n'.repeat(1200)}`],
    ['a nested quote', `${'>'.repeat(3000)} a`],
    ['a nested list', Array.from({ length: 100 }, (_, at) => `${'  '.repeat(at)}- a`).join('\n')],
    ['a paragraph of emphasis', '*a* '.repeat(2_000)],
  ])('%s', (_, text) => {
    const { blocks } = parseMarkdown(`${text}\n\n# Title`);
    expect(blocks.map(({ isSource }) => isSource)).toEqual([true, false]);
    expect(Math.max(...blocks.map(({ size }) => size))).toBeLessThanOrEqual(MAX_BLOCK);
  });

  it('shows what exceeds the whole as one source', () => {
    const { blocks } = parseMarkdown('a\n\n'.repeat(11_000));
    expect(blocks.length).toBe(10_001);
    expect(blocks.at(-1)?.isSource).toBe(true);
  });
});

it('stops at an address that is referred to without end', () => {
  const text = `[a]: https://example.org/${'x'.repeat(10_000)}\n\n${'[a] '.repeat(300)}`;
  expect(() => parseMarkdown(text)).toThrow(TooExpensive);
});
