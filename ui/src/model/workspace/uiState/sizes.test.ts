import { describe, expect, it } from 'vitest';
import { DENSITIES, FONT_PX } from './appearance';
import { type Sizes, sizesOf } from './sizes';

const PX = Array.from({ length: FONT_PX.max - FONT_PX.min + 1 }, (_, n) => FONT_PX.min + n);
const ALL = DENSITIES.flatMap((density) =>
  PX.flatMap((uiFontPx) => PX.map((codeFontPx) => sizesOf({ density, uiFontPx, codeFontPx }))),
);

describe('the sizes', () => {
  it('are whole px, but for the scale and the dense code', () => {
    for (const sizes of ALL) {
      for (const [name, value] of Object.entries(sizes)) {
        if (name !== 'scale' && name !== 'code-size-dense') expect(value % 1, name).toBe(0);
      }
    }
  });

  it('leave room for the text: no line is lower than its font, no row lower than its lines', () => {
    const pairs: [keyof Sizes, keyof Sizes][] = [
      ['line-xs', 'size-xs'],
      ['line-s', 'size-s'],
      ['line', 'size-m'],
      ['line-l', 'size-l'],
      ['row', 'line'],
      ['row', 'code-line'],
      ['row-dense', 'line-m'],
      ['row-log', 'code-line'],
      ['row-code', 'code-line'],
      ['control', 'line'],
      ['control-xs', 'line-s'],
      ['bar', 'control'],
      ['title', 'control'],
    ];
    for (const sizes of ALL) {
      for (const [outer, inner] of pairs) {
        expect(sizes[outer], `${outer} for ${inner}`).toBeGreaterThanOrEqual(sizes[inner]);
      }
    }
  });

  it('grow with the density and with the font', () => {
    const of = (density: (typeof DENSITIES)[number], uiFontPx = 13) =>
      sizesOf({ density, uiFontPx, codeFontPx: 12 });
    expect([of('compact').row, of('normal').row, of('comfortable').row]).toEqual([24, 28, 34]);
    expect(of('normal', 18).row).toBeGreaterThan(of('normal').row);
    expect(of('normal', 18)['code-size']).toBe(12);
  });
});
