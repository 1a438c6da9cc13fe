import { describe, expect, it } from 'vitest';
import { isDrawnIcon, whyNotDrawn } from './picture';

/** Bytes of a list of numbers and texts. */
function bytes(...parts: (number[] | string)[]): ArrayBuffer {
  const all = parts.flatMap((part) =>
    typeof part === 'string' ? [...new TextEncoder().encode(part)] : part,
  );
  return new Uint8Array(all).buffer;
}
const be32 = (value: number): number[] => [
  value >>> 24,
  (value >>> 16) & 255,
  (value >>> 8) & 255,
  value & 255,
];
const be16 = (value: number): number[] => [value >>> 8, value & 255];
const le32 = (value: number): number[] => be32(value).toReversed();
const le16 = (value: number): number[] => be16(value).toReversed();
const zeros = (count: number): number[] => Array.from({ length: count }, () => 0);

const PICTURES: [name: string, of: (width: number, height: number) => ArrayBuffer][] = [
  ['PNG', (w, h) => bytes([0x89], 'PNG\r\n\x1a\n', be32(13), 'IHDR', be32(w), be32(h))],
  ['GIF', (w, h) => bytes('GIF89a', le16(w), le16(h))],
  [
    'JPEG',
    (w, h) => bytes([0xff, 0xd8, 0xff, 0xe0, 0, 4, 1, 1, 0xff, 0xff, 0xc2, 0, 11, 8], be16(h), be16(w)),
  ],
  ['BMP', (w, h) => bytes('BM', zeros(16), le32(w), le32(-h))],
  [
    'WebP, lossless',
    (w, h) => bytes('RIFF', zeros(4), 'WEBPVP8L', zeros(5), le32((w - 1) | ((h - 1) << 14))),
  ],
  [
    'WebP, extended',
    (w, h) => bytes('RIFF', zeros(4), 'WEBPVP8X', zeros(8), le32(w - 1).slice(0, 3), le32(h - 1).slice(0, 3)),
  ],
  ['AVIF', (w, h) => bytes(be32(24), 'ftypavif', zeros(12), 'ispe', zeros(4), be32(w), be32(h))],
  [
    'ICO',
    (w, h) =>
      bytes(
        [0, 0, 1, 0, 1, 0],
        zeros(12),
        le32(22),
        [0x89],
        'PNG\r\n\x1a\n',
        be32(13),
        'IHDR',
        be32(w),
        be32(h),
      ),
  ],
];

describe.each(PICTURES)('%s', (_, of) => {
  it('is drawn if it has not too many pixels', () => {
    expect(whyNotDrawn(of(640, 480))).toBeNull();
    expect(whyNotDrawn(of(16_000, 16_000))).toContain(
      '16000 × 16000 pixels (256 million; the limit is 40 million)',
    );
    expect(whyNotDrawn(of(640, 480), 100_000)).toContain('640 × 480');
  });

  it('is not drawn if it ends before its size', () => {
    expect(whyNotDrawn(of(640, 480).slice(0, 7))).toContain('cannot be read');
  });
});

describe('SVG', () => {
  const svg = (inner: string): ArrayBuffer =>
    bytes('\uFEFF\n', `<svg xmlns="http://www.w3.org/2000/svg">${inner}</svg>`);

  it.each([
    ['<rect width="9" height="9" fill="url(#a)"/>', null],
    ['<use href="#g1"/><use href="#g1"/>'.repeat(13), 'contains 26 internal references'],
    ['<filter id="f"><feTurbulence numOctaves="1000000"/></filter>', 'filters'],
    ['x'.repeat(600_000), 'larger than 500 kB'],
  ])('%.60s', (inner, why) => {
    if (why === null) expect(whyNotDrawn(svg(inner))).toBeNull();
    else expect(whyNotDrawn(svg(inner))).toContain(why);
  });

  it('with entities is not drawn', () => {
    expect(whyNotDrawn(bytes('<!DOCTYPE svg [<!ENTITY a "aaaa">]><svg/>'))).toContain('entities');
  });
});

it('is not drawn if it is no picture that is known', () => {
  expect(whyNotDrawn(bytes('hello, world, hello'))).toContain('cannot be read');
  expect(whyNotDrawn(new ArrayBuffer(0))).toContain('cannot be read');
});

it('icons have a smaller limit', () => {
  const png = (width: number, height: number): string =>
    `data:image/png;base64,${btoa(String.fromCharCode(...new Uint8Array(PICTURES[0]?.[1](width, height) ?? new ArrayBuffer(0))))}`;
  expect(
    [png(512, 512), png(3000, 3000), 'data:image/png;base64,%', 'data:,', './favicon.svg'].map(isDrawnIcon),
  ).toEqual([true, false, false, false, true]);
});

// Half a megabyte of spaces after `url(` took half an hour, and unfinished declarations two minutes.
it.each([
  'url(' + ' '.repeat(480_000),
  '<!DOCTYPE'.repeat(50_000),
  'href '.repeat(90_000),
  'url('.repeat(120_000),
])('looks at an SVG in proportion to its size: %.12s…', (content) => {
  const started = performance.now();
  expect(whyNotDrawn(bytes(`<svg>${content}</svg>`))).toBeNull();
  expect(performance.now() - started).toBeLessThan(2_000);
});
