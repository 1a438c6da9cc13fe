import { describe, expect, it } from 'vitest';
import { parseJson, writeJsonCompact } from './json';
import { withoutLongStrings } from './longStrings';

const LONG = 'x"\\ü\n'.repeat(5_000);

describe('a JSON text with long strings', () => {
  it.each([
    { a: LONG, b: [LONG, 'short', { c: `${LONG}!` }] },
    { [LONG]: LONG },
    { a: '\u0001', b: LONG },
    LONG,
  ])('is read as without the detour', (value) => {
    const text = JSON.stringify(value);
    const parsed = parseJson(text);
    expect(parsed.ok && writeJsonCompact(parsed.value)).toBe(text);
  });

  it('keeps the text of its numbers and is parsed without its strings', () => {
    const text = `{"n":1.10,"data":${JSON.stringify('A'.repeat(5_000_000))}}`;
    expect(withoutLongStrings(text)?.text.length).toBeLessThan(50);
    const parsed = parseJson(text);
    expect(parsed.ok && writeJsonCompact(parsed.value)).toBe(text);
  });

  it('says where a mistake is in the text itself', () => {
    const text = `{"a":"${'x'.repeat(20_000)}",]`;
    expect(parseJson(text)).toMatchObject({ ok: false, position: text.length - 1 });
    expect(parseJson(`{"a":"${'x'.repeat(20_000)}`)).toMatchObject({ ok: false });
  });
});
