import { expect, it } from 'vitest';
import { hexRow } from './hex';

it('writes bytes as hex and text, in rows of sixteen', () => {
  const bytes = new TextEncoder().encode('Hello, wire!\u0000\u00ff.x');
  expect([0, 1].map((index) => hexRow(bytes, index))).toEqual([
    '00000000  48 65 6c 6c 6f 2c 20 77  69 72 65 21 00 c3 bf 2e  Hello, wire!....',
    '00000010  78                                                x',
  ]);
});
