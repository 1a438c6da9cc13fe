import { expect, it } from 'vitest';
import { normalized } from './normalized';

it('has one spelling for what looks the same', () => {
  expect(normalized('ｐａｓｓｗｏｒｄ', 'NFKC')).toBe('password');
  expect(normalized('é', 'NFKD')).toBe('e\u0301');
  expect(normalized('ｐ'.repeat(2_001), 'NFKC')).toBe('p'.repeat(2_001));
});

// A million took a quarter of an hour: each mark is put into its place among all before it.
it('takes time in proportion to a text of combining marks', () => {
  const started = performance.now();
  normalized('\u0301\u0323'.repeat(500_000), 'NFKC');
  expect(performance.now() - started).toBeLessThan(10_000);
});
