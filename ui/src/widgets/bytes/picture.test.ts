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
  ['GIF', (w, h) => bytes('GIF89a', le16(w), le16(h), [0, 0, 0, 0x2c], zeros(4), le16(w), le16(h))],
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
    ['<use href="#g1"/>'.repeat(10_001), 'contains 10001 internal references'],
    ['<filter id="f"><feTurbulence numOctaves="1000000"/></filter>', 'filters'],
    ['x'.repeat(600_000), 'larger than 500 kB'],
  ])('%.60s', (inner, why) => {
    if (why === null) expect(whyNotDrawn(svg(inner))).toBeNull();
    else expect(whyNotDrawn(svg(inner))).toContain(why);
  });

  /** Levels that each refer to the one before three times: few references, and thousands of parts. */
  const triplings = (reference: (at: number) => string, content = '<path d="M0 0 9 9"/>'): string =>
    `<g id="g0">${content}</g>` +
    Array.from({ length: 8 }, (_, at) => `<g id="g${at + 1}">${reference(at).repeat(3)}</g>`).join('');
  /** Parts of which each refers to the one before, so many times. */
  const chain = (levels: number, times = 1): string =>
    Array.from(
      { length: levels },
      (_, at) => `<g id="c${at}">${`<use href="#c${at - 1}"/>`.repeat(times)}</g>`,
    ).join('');
  const path = `<path d="${'M0 0 9 9 '.repeat(1_000)}"/>`;
  const patterns = (use: (at: number) => string): string =>
    Array.from({ length: 8 }, (_, at) => `<pattern id="g${at}">${use(at - 1)}</pattern>`).join('');
  const picture = (width: number, height: number): string => {
    const png = new Uint8Array(PICTURES[0]?.[1](width, height) ?? new ArrayBuffer(0));
    return `data:image/png;base64,${btoa(String.fromCodePoint(...png))}`;
  };
  const inner = (content: string): string =>
    `data:image/svg+xml;base64,${btoa(`<svg xmlns="http://www.w3.org/2000/svg">${content}</svg>`)}`;

  it.each([
    ['doubled', triplings((at) => `<use href="#g${at}"/>`, path), 'repeat each other too often'],
    ['#', '<use href="&#35;g1"/>'.repeat(10_001), 'contains 10001 internal references'],
    [
      'a quoted style',
      `<g style="fill:url(&quot;#g1&quot;)"/>`.repeat(10_001),
      'contains 10001 internal references',
    ],
    ['a style escape', '<g style="fill:u\\72l(#g1)"/>', 'in a way that hides them'],
    ['an escaped id', '<g id="g1"/><use href="#%671"/>', 'in a way that hides them'],
    ['a prefix', '<s:filter xmlns:s="http://www.w3.org/2000/svg"><s:feTurbulence/></s:filter>', 'filters'],
    ['animation', '<g id="g1"/><use><set attributeName="href" to="#g1"/></use>', 'animates references'],
    ['an animated paint', '<g><set attributeName="fill" to="url(#g1)"/></g>', 'animates references'],
    ['itself', '<g id="g1"><use href="#g1"/></g>', 'contains itself'],
    ['many levels', chain(51), 'in more than 50 levels'],
    ['doublings of doublings', chain(40, 2), 'too often'],
    // Few are drawn, and each is looked at for all that are around it.
    [
      'groups in groups',
      `${Array.from({ length: 4_000 }, (_, at) => `<g id="a${at}">`).join('')}${'</g>'.repeat(4_000)}` +
        Array.from({ length: 4_000 }, (_, at) => `<use href="#a${at}"/>`).join(''),
      'too often',
    ],
    [
      'many styles for many',
      `<style>${'.a{fill:url(#g)}'.repeat(500)}</style>${'<rect class="a"/>'.repeat(500)}`,
      'too often',
    ],
    // One reference is inherited by all that is in the group.
    ['patterns', patterns((at) => `<g fill="url(#g${at})">${'<rect/>'.repeat(9)}</g>`), 'too often'],
    [
      'patterns by style',
      `<style>${Array.from({ length: 8 }, (_, at) => `.c${at}{fill:url(#g${at})}`).join('')}</style>` +
        patterns((at) => `<rect class="c${at}"/>`.repeat(9)),
      'too often',
    ],
    ['a picture', `<image href="${picture(9_000, 9_000)}"/>`, 'more than 40 million pixels'],
    ['pictures', `<image href="${picture(5_000, 5_000)}"/>`.repeat(2), 'more than 40 million pixels'],
    ['a picture of another type', `<image href="data:a/b ,%89PNG"/>`, 'cannot be read'],
    ['a picture in a style', `<g style="mask-image:url(${picture(9, 9)})"/>`, 'a style in it has a picture'],
    // A clip is drawn once for each part of what it clips, which is the clip of the next level.
    [
      'clips by style',
      `<style>${Array.from({ length: 8 }, (_, at) => `.c${at}{clip-path:url(#g${at})}`).join('')}</style>` +
        Array.from(
          { length: 8 },
          (_, at) => `<clipPath id="g${at}">${`<rect class="c${at - 1}"/>`.repeat(9)}</clipPath>`,
        ).join('') +
        '<g class="c7"/>',
      'too often',
    ],
    ...[
      '.a,<!-- -->.none{fill:url(#g)}',
      '.a,<![CDATA[.none{fill:url(#g)}]]>',
      '.a{x:"}.none{";fill:url(#g)}',
      '.a{/*}.none{*/fill:url(#g)}',
      '.a{x:url(}.none{);fill:url(#g)}',
      '@media all{.a{fill:url(#g)}}',
      '.a{fill:url(#g)}<![CDATA[]]></style><style>',
    ].map((style) => [
      `a style that says for what in another way: ${style}`,
      `<style>${style}</style><pattern id="g">${path.repeat(20)}</pattern>${'<rect class="a"/>'.repeat(40)}`,
      'too often',
    ]),
    [
      'an animated class',
      `<style>.a{fill:url(#g)}</style><set attributeName="class" to="a"/><g id="g"/>`,
      'animates references',
    ],
    ['a picture of HTML', `<video poster="${picture(9_000, 9_000)}"/>`, 'more than 40 million pixels'],
    ['attributes by default', '<!ATTLIST use href CDATA "#g1">', 'defines entities'],
    ['an inner SVG', `<image href="${inner('<filter/>')}"/>`, 'filters'],
    [
      'an inner SVG that hides its end',
      `<image href="data:image/svg+xml,%3Csvg%3E%3C!--'--%3E%3Cfilter/%3E%3C/svg%3E"/>`,
      'filters',
    ],
  ])('is not drawn if it has a bomb: %s', (_, content, why) => {
    expect(whyNotDrawn(svg(content))).toContain(why);
  });

  it.each([
    [
      'a chart',
      `<defs><path id="m" d="M0 3"/><clipPath id="c"><rect/></clipPath></defs>
      <g clip-path="url(#c)">${'<path d="M0 0 9 9" style="fill:none;stroke:#1f77b4"/>'.repeat(3_000)}</g>
      ${'<use xlink:href="#m" x="1" style="stroke:#000"/>'.repeat(20)}
      <image xlink:href="${picture(640, 480).replace(',', ',&#10;')}"/><metadata><rdf:RDF/></metadata>`,
    ],
    [
      'a plot whose letters and points are parts',
      `<defs><path id="DejaVuSans-30" d="M 31 66 Q 28 66 25 62" transform="scale(0.015)"/><path id="p" d="M0 3"/></defs>
      ${'<g transform="translate(9 9)"><use xlink:href="#DejaVuSans-30"/><use xlink:href="#DejaVuSans-30" x="63"/></g>'.repeat(200)}
      <clipPath id="c"><rect/></clipPath><g clip-path="url(#c)">${'<use xlink:href="#p" x="31" y="41"/>'.repeat(5_000)}</g>`,
    ],
    ['a chain that is not too long', chain(49)],
    [
      'a diagram',
      `<style>#d .edge{stroke:#333;marker-end:url(#arrow)}</style>
      <marker id="arrow"><path d="M 0 0 L 10 5 z"/></marker>
      ${'<path class="edge" d="M1,2C3,4" marker-end="url(#arrow)"/>'.repeat(20)}
      <foreignObject><div xmlns="http://www.w3.org/1999/xhtml">a &gt; b &#8212; c \\alpha</div></foreignObject>`,
    ],
    ['icons', `<image xlink:href="${inner('<linearGradient id="a"/><path fill="url(#a)"/>')}"/>`.repeat(9)],
    [
      'gradients',
      `<linearGradient id="a"><stop/></linearGradient><linearGradient id="b" xlink:href="#a"/>
      <g fill="url(#b)">${'<rect/>'.repeat(5_000)}</g>`,
    ],
    [
      'nested clips',
      `<clipPath id="c"><rect/></clipPath>${'<g clip-path="url(#c)">'.repeat(20)}
      ${'<rect/>'.repeat(5_000)}${'</g>'.repeat(20)}`,
    ],
    [
      'an export of a drawing program',
      `<style>.cls-1,.cls-2{fill:none;}${Array.from({ length: 8 }, (_, at) => `.cls-${at + 2}{clip-path:url(#clip-path-${at});}`).join('')}</style>
      ${Array.from({ length: 8 }, (_, at) => `<clipPath id="clip-path-${at}"><rect class="cls-1" width="200"/></clipPath>`).join('')}
      ${Array.from({ length: 400 }, (_, at) => `<g class="cls-${at % 12}"><path d="M10,10c5.2,3,9.1,2,8-4S5,3,1,2z"/></g>`).join('')}`,
    ],
    [
      'labels',
      '<path aria-label="Data: 28; value: 5"/><a xlink:title="data: users"/><text>a &lt;filter&gt; b</text>',
    ],
    ['links in it', `<g id="a">${'<a href="#a"><text>x</text></a>'.repeat(40)}</g>`],
    ['an animated size', '<circle id="c" r="5"/><animate href="#c" attributeName="r" from="5" to="9"/>'],
    ['a font', '<style>@font-face{src:url("data:application/octet-stream;base64,d09GMgAB")}</style>'],
    ['a link to nothing', '<a href="#"><text>data: 50% of #5</text></a><!-- it\'s "<b>" -->'],
    [
      'an animated colour',
      '<rect fill="url(#a)"><animate attributeName="fill" values="#f00;blue;#0f08"/></rect>',
    ],
  ])('is drawn if it is harmless: %s', (_, content) => {
    expect(whyNotDrawn(svg(content))).toBeNull();
  });

  it.each([
    `<?xml version="1.0" encoding="utf-8" standalone="no"?>
<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN"
  "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd">
<!-- Created with matplotlib -->`,
    `<!DOCTYPE svg SYSTEM 'a>b.dtd'>`,
    '<!DOCTYPE svg>',
  ])('is drawn after the document type of a program: %.60s', (head) => {
    const plot = '<defs><path id="m" d="M0 0v3.5"/></defs><use xlink:href="#m" x="1"/>';
    expect(whyNotDrawn(bytes(head, `<svg>${plot}</svg>`))).toBeNull();
  });

  it('that is not in UTF-8 is not drawn', () => {
    const utf16 = [0xff, 0xfe, ...[...new TextEncoder().encode('<svg><filter/></svg>')].flatMap(le16)];
    expect(whyNotDrawn(bytes(utf16))).toContain('its encoding is not UTF-8');
    expect(whyNotDrawn(bytes('<?xml version="1.0" encoding="UTF-7"?><svg/>'))).toContain('not UTF-8');
    expect(
      whyNotDrawn(bytes('<?xml version="1.0" encoding="iso-8859-1"?><svg>', [0xe9], '</svg>')),
    ).toBeNull();
  });

  it('with entities is not drawn', () => {
    expect(whyNotDrawn(bytes('<!DOCTYPE svg [<!ENTITY a "aaaa">]><svg/>'))).toContain('entities');
  });
});

describe('what a decoder finds, and not what is said first', () => {
  const gif = (...parts: number[][]): ArrayBuffer =>
    bytes('GIF89a', le16(1), le16(1), [0x80, 0, 0], zeros(6), ...parts);
  const control = [0x21, 0xf9, 4, 0, 0, 0, 0, 0];
  const comment = [0x21, 0xfe, 2, 0x2c, 0x2c, 1, 0x2c, 0];
  const frame = (left: number, width: number): number[] => [
    0x2c,
    ...le16(left),
    ...le16(0),
    ...le16(width),
    ...le16(20_000),
  ];
  const jpeg = (...parts: number[][]): ArrayBuffer => bytes([0xff, 0xd8], ...parts);
  const sof = (width: number): number[] => [0xff, 0xc0, 0, 11, 8, ...be16(width), ...be16(width)];
  const small = sof(1);
  /** A small picture, and a sequence of large ones. */
  const avif = (...before: number[][]): ArrayBuffer =>
    bytes(
      be32(24),
      'ftypavis',
      zeros(12),
      'ispe',
      zeros(4),
      be32(1),
      be32(1),
      'tkhd',
      ...before,
      be16(20_000),
      zeros(2),
      be16(20_000),
      zeros(2),
    );

  it.each([
    ['the first frame of a GIF', gif(frame(0, 20_000)), '20000 × 20000'],
    ['the first frame after extensions', gif(control, comment, frame(0, 20_000)), '20000 × 20000'],
    ['a frame outside of the screen', gif(frame(60_000, 1)), '60001 × 20000'],
    ['a GIF without a frame', gif(control, [0x3b]), 'cannot be read'],
    ['an extension that says to be shorter', gif([0x21, 0xf9, 1, 0, 0], frame(0, 1)), 'cannot be read'],
    // A decoder passes over bytes up to the next marker: the first frame that is read here would be within a segment.
    ['bytes between the segments of a JPEG', jpeg([0, 4, 0, 2], small), 'cannot be read'],
    ['a zero that a decoder passes over', jpeg([0xff, 0, 0, 11], sof(20_000), small), 'cannot be read'],
    [
      'a marker without a length',
      jpeg([0xff, 0x01], [0xff, 0xe0, 0, 2], sof(20_000), zeros(0xff_e0), small),
      '20000 × 20000',
    ],
    [
      'a PNG with something before its head',
      bytes([0x89], 'PNG\r\n\x1a\n', be32(8), 'abCd', be32(1), be32(1), zeros(4), 'IHDR', be32(20_000)),
      'cannot be read',
    ],
    [
      'an AVIF with a long box before its head',
      bytes(
        be32(24),
        'ftypavif',
        zeros(12),
        'ispe',
        zeros(4),
        be32(1),
        be32(1),
        zeros(70_000),
        'ispe',
        zeros(4),
        be32(20_000),
        be32(20_000),
      ),
      '20000 × 20000',
    ],
    ['a sequence of pictures in an AVIF', avif(zeros(76)), '20000 × 20000'],
    ['a sequence with long times', avif([1], zeros(87)), '20000 × 20000'],
  ])('%s', (_, picture, why) => {
    expect(whyNotDrawn(picture)).toContain(why);
  });

  it('fill bytes and extensions are no reason', () => {
    expect(whyNotDrawn(jpeg([0xff, 0xff, 0xff, 0xe0, 0, 2], small))).toBeNull();
    expect(whyNotDrawn(gif(control, comment, [0x2c], zeros(4), le16(9), le16(9)))).toBeNull();
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
  '<use href="#a"/><a style="fill:url(' + ' '.repeat(480_000) + '"/>',
  '<a href'.repeat(70_000),
  '<a ' + 'href '.repeat(90_000),
  '<a ' + ' '.repeat(480_000),
  `<style>${'.a{fill:none}'.repeat(30_000)}.b{fill:url(#a)}</style>`,
  `<style>.a,${' '.repeat(480_000)}</style><use href="#a"/>`,
  '<use href="#a"/><a b' + ' '.repeat(480_000) + '/>',
  '<use href="#a"/>' + '<a>'.repeat(60_000) + '</a>'.repeat(60_000),
])('looks at an SVG in proportion to its size: %.12s…', (content) => {
  const started = performance.now();
  expect(whyNotDrawn(bytes(`<svg>${content}</svg>`))).toBeNull();
  expect(performance.now() - started).toBeLessThan(2_000);
});
