import { describe, expect, it } from 'vitest';
import { decodeText } from './useBodyText';

async function* inParts(bytes: Uint8Array): AsyncIterable<Uint8Array> {
  for (let at = 0; at < bytes.length; at += 4_000_000) yield bytes.subarray(at, at + 4_000_000);
}

describe('decodeText', () => {
  it('decodes a long text as TextDecoder does, also where a slice ends within a character', async () => {
    // Three bytes each: 8,000,000 is not a multiple of three.
    const text = `\uFEFFa${'€'.repeat(3_000_000)}`;
    const bytes = new TextEncoder().encode(text);
    const broken = new Uint8Array([...bytes.slice(0, 10), 0xff, 0xe2, 0x82]);
    for (const each of [bytes, broken, new Uint8Array()]) {
      // Sequential: each decodes in its own tasks.
      // oxlint-disable-next-line no-await-in-loop
      const decoded = await decodeText(inParts(each), () => true);
      expect(decoded === new TextDecoder().decode(each)).toBe(true);
    }
  });

  it('stops when it is no longer wanted', async () => {
    expect(await decodeText(inParts(new Uint8Array(100)), () => false)).toBe('');
  });
});
