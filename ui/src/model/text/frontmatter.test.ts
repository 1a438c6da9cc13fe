import { expect, it } from 'vitest';
import { differingNames, factsOf, parseFrontmatter, splitFrontmatter } from './frontmatter';

it('is what is between two lines of hyphens at the beginning', () => {
  expect(splitFrontmatter('---\na: 1\n---\n# T')).toEqual({ yaml: 'a: 1', body: '# T' });
  expect(splitFrontmatter('\uFEFF---\r\na: 1\r\n---\r\nT').body).toBe('T');
  expect(splitFrontmatter('---\n---\nT')).toEqual({ yaml: '', body: 'T' });
  for (const text of ['# T\n---\na: 1\n---', '--- a\nb', '---\nnever closed']) {
    expect(splitFrontmatter(text)).toEqual({ yaml: null, body: text });
  }
});

it('is a mapping, or says why it is not', () => {
  expect(parseFrontmatter('a: 1\nb: [x]')).toEqual({ type: 'object', value: { a: 1, b: ['x'] } });
  const bomb = [
    'a: &a [x,x,x,x,x,x,x,x,x,x]',
    ...'bcdefg'.split('').map((name, at) => {
      const before = '*' + 'abcdefg'[at];
      return `${name}: &${name} [${Array.from({ length: 10 }, () => before).join(',')}]`;
    }),
  ].join('\n');
  for (const [yaml, why] of [
    ['- 1', 'not a mapping'],
    ['a: {{', ''],
    [bomb, 'alias'],
    ['['.repeat(20_000), ''],
  ] as const) {
    const parsed = parseFrontmatter(yaml);
    expect(parsed.type, yaml.slice(0, 20)).toBe('invalid');
    expect(parsed.type === 'invalid' && parsed.message).toContain(why);
  }
  expect(parseFrontmatter('x'.repeat(70_000))).toEqual({
    type: 'notRead',
    message: 'it is longer than 64 KiB.',
  });
});

it('differs by meaning, not by order', () => {
  expect(differingNames({ a: { x: 1, y: 2 }, b: 1 }, { b: 1, a: { y: 2, x: 1 } })).toEqual([]);
  expect(differingNames({ a: 1, c: 0 }, { a: 2, b: 1, c: 0 })).toEqual(['a', 'b']);
});

it('is shown as names and texts, the members of a mapping by themselves', () => {
  expect(factsOf({ a: 'x', m: { n: 1 }, l: [1, 2] })).toEqual([
    { name: 'a', text: 'x' },
    { name: 'm.n', text: '1' },
    { name: 'l', text: '[1,2]' },
  ]);
  expect(factsOf({ a: 'x'.repeat(2_345) })[0]?.text).toBe(`${'x'.repeat(2_000)}… (345 more characters)`);
});

it('compares no more than the smaller of two frontmatters', () => {
  // As aliases of aliases are: few objects that stand for 50^5 values.
  let large: unknown = 1;
  for (let level = 0; level < 5; level += 1) large = Array.from({ length: 50 }, () => large);
  const started = performance.now();
  expect(differingNames({ a: [1], b: 1 }, { a: large, b: 1 })).toEqual(['a']);
  expect(differingNames({ a: Array.from({ length: 50 }, () => 1) }, { a: large })).toEqual(['a']);
  expect(performance.now() - started).toBeLessThan(2_000);
});

it('compares values as JSON, in any order of members', () => {
  const one = { a: { x: [1, { y: null }], z: Number.NaN }, b: {}, c: 'c', d: [] };
  const other = { b: {}, a: { z: null, x: [1, { y: null }] }, c: 'c', d: {}, e: undefined };
  expect(differingNames(one, other)).toEqual(['d']);
});
