import { expect, it } from 'vitest';
import { HEX_LIMIT, hexDump } from './hex';

it('writes bytes as hex and text, in rows of sixteen', () => {
  const bytes = new TextEncoder().encode('Hello, wire!\u0000\u00ff.x');
  expect(hexDump(bytes).split('\n')).toEqual([
    '00000000  48 65 6c 6c 6f 2c 20 77  69 72 65 21 00 c3 bf 2e  Hello, wire!....',
    '00000010  78                                                x',
  ]);
});

it('stops at 64 KiB', () => {
  expect(hexDump(new Uint8Array(HEX_LIMIT + 1)).split('\n')).toHaveLength(HEX_LIMIT / 16);
});
