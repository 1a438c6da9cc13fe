import { type Inner, whyNoSvg } from './svg';

/** Whether a picture of a server can be drawn: a few bytes can stand for gigabytes of pixels, or for hours of drawing. */

/** The most pixels that are drawn: 160 MB when decoded. */
const MAX_PIXELS = 40_000_000;

/** Why a picture is not drawn, in a sentence; null if it is. `maxPixels` limits width times height. */
export function whyNotDrawn(bytes: ArrayBuffer, maxPixels = MAX_PIXELS): string | null {
  const view = new DataView(bytes);
  // SVG is drawn as an image, without scripts and without loading.
  if (isMarkup(view)) return whyNoSvg(bytes, maxPixels, innerOf);
  const size = sizeOf(view);
  if (size === null) return 'Image not shown: its size cannot be read.';
  const { width, height } = size;
  if (width * height <= maxPixels) return null;
  const pixels = Math.round((width * height) / 1e6).toLocaleString('en');
  return `Image not shown: it has ${width} × ${height} pixels (${pixels} million; the limit is ${maxPixels / 1e6} million).`;
}

/** The most pixels of an icon. */
const MAX_ICON_PIXELS = 4_000_000;
/** Whether icons are drawn, by their addresses: a list shows the same ones at each drawing. */
const icons = new Map<string, boolean>();
const MAX_REMEMBERED = 500;

/** Whether an icon is drawn: a `data:` address with a picture of a moderate size. Other addresses are those of Patchbay. */
export function isDrawnIcon(address: string): boolean {
  if (!/^data:/i.test(address)) return true;
  let isDrawn = icons.get(address);
  if (isDrawn === undefined) {
    const bytes = bytesOf(address);
    isDrawn = bytes !== null && whyNotDrawn(bytes, MAX_ICON_PIXELS) === null;
    if (icons.size >= MAX_REMEMBERED) icons.clear();
    icons.set(address, isDrawn);
  }
  return isDrawn;
}

function bytesOf(address: string): ArrayBuffer | null {
  const comma = address.indexOf(',');
  try {
    const data = address
      .slice(comma + 1)
      .replace(/#[^]*$/, '')
      .replaceAll(/[^\0-\x7F]+/g, encodeURIComponent)
      .replaceAll(/%([0-9a-f]{2})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
    const text = /;\s*base64\s*$/i.test(address.slice(0, comma)) ? atob(data) : data;
    return Uint8Array.from(text, (character) => character.charCodeAt(0)).buffer;
  } catch {
    return null;
  }
}

/** What is known of a picture within another one. */
function innerOf(address: string): Inner {
  const bytes = bytesOf(address);
  if (bytes === null) return null;
  const view = new DataView(bytes);
  if (isMarkup(view)) return { svg: bytes };
  const size = sizeOf(view);
  return size && { pixels: size.width * size.height };
}

function isMarkup(view: DataView): boolean {
  // After a byte order mark and white space.
  for (let at = 0; at < Math.min(view.byteLength, 64); at += 1) {
    const byte = view.getUint8(at);
    if (byte === 0x3c) return true;
    if (![0x09, 0x0a, 0x0d, 0x20, 0xef, 0xbb, 0xbf, 0xfe, 0xff, 0x00].includes(byte)) return false;
  }
  return false;
}

interface Size {
  width: number;
  height: number;
}

/** The size that the head of a PNG, GIF, JPEG, WebP, BMP, ICO or AVIF says; null for anything else. */
function sizeOf(view: DataView): Size | null {
  try {
    const head = view.getUint32(0);
    if (head === 0x89504e47) return sizeOfPng(view, 0);
    if (head === 0x47494638) return sizeOfGif(view);
    if (head >>> 16 === 0xffd8) return sizeOfJpeg(view);
    if (head >>> 16 === 0x424d) return sizeOfBmp(view);
    if (head === 0x52494646 && view.getUint32(8) === 0x57454250) return sizeOfWebp(view);
    if (head === 0x00000100) return sizeOfIco(view);
    if (view.getUint32(4) === 0x66747970) return sizeOfAvif(view);
    return null;
  } catch (thrown) {
    // Cut off before its size.
    if (thrown instanceof RangeError) return null;
    throw thrown;
  }
}

/** A decoder passes over what it does not know before the first part of the head, so that nothing may be there. */
function sizeOfPng(view: DataView, start: number): Size | null {
  if (view.getUint32(start + 12) !== 0x49484452) return null;
  return { width: view.getUint32(start + 16), height: view.getUint32(start + 20) };
}

function sizeOfBmp(view: DataView): Size {
  return { width: view.getUint32(18, true), height: Math.abs(view.getInt32(22, true)) };
}

/** Of the screen and its first picture: a decoder makes the screen as large as that. */
function sizeOfGif(view: DataView): Size | null {
  const screen = { width: view.getUint16(6, true), height: view.getUint16(8, true) };
  const flags = view.getUint8(10);
  // After the palette come extensions, each with a label and blocks of data, of which the last one is empty.
  let at = 13 + ((flags & 0x80) === 0 ? 0 : 3 * 2 ** ((flags & 7) + 1));
  while (view.getUint8(at) === 0x21) {
    // A decoder reads 4 bytes of this one, however many it says to have.
    if (view.getUint8(at + 1) === 0xf9 && view.getUint8(at + 2) !== 4) return null;
    at += 2;
    while (view.getUint8(at) !== 0) at += 1 + view.getUint8(at);
    at += 1;
  }
  if (view.getUint8(at) !== 0x2c) return null;
  return {
    width: Math.max(screen.width, view.getUint16(at + 1, true) + view.getUint16(at + 5, true)),
    height: Math.max(screen.height, view.getUint16(at + 3, true) + view.getUint16(at + 7, true)),
  };
}

function sizeOfJpeg(view: DataView): Size | null {
  let at = 2;
  for (;;) {
    const marker = view.getUint16(at);
    // A decoder looks for the next marker from here, which need not be where this is read.
    if (marker >>> 8 !== 0xff || marker === 0xff00) return null;
    const isFrame = marker >= 0xffc0 && marker <= 0xffcf && ![0xffc4, 0xffc8, 0xffcc].includes(marker);
    if (isFrame) return { width: view.getUint16(at + 7), height: view.getUint16(at + 5) };
    // Fill bytes, and markers without a length.
    const isAlone = marker === 0xff01 || (marker >= 0xffd0 && marker <= 0xffd9);
    at += marker === 0xffff ? 1 : isAlone ? 2 : 2 + view.getUint16(at + 2);
  }
}

function sizeOfWebp(view: DataView): Size | null {
  switch (view.getUint32(12)) {
    case 0x56503820: // VP8
      return { width: view.getUint16(26, true) & 0x3fff, height: view.getUint16(28, true) & 0x3fff };
    case 0x5650384c: {
      // VP8L
      const bits = view.getUint32(21, true);
      return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
    }
    case 0x56503858: // VP8X
      return { width: uint24(view, 24) + 1, height: uint24(view, 27) + 1 };
    default:
      return null;
  }
}

function uint24(view: DataView, at: number): number {
  return view.getUint16(at, true) + view.getUint8(at + 2) * 0x10000;
}

/** An icon has several pictures, each with at most 256 × 256 pixels, or a PNG. */
function sizeOfIco(view: DataView): Size | null {
  let largest: Size = { width: 256, height: 256 };
  const count = view.getUint16(4, true);
  for (let index = 0; index < count; index += 1) {
    const at = view.getUint32(6 + index * 16 + 12, true);
    const isPng = at + 24 <= view.byteLength && view.getUint32(at) === 0x89504e47;
    const size = isPng ? sizeOfPng(view, at) : largest;
    if (size === null) return null;
    if (size.width * size.height > largest.width * largest.height) largest = size;
  }
  return largest;
}

/** The largest that an `ispe` box says of a picture, or a `tkhd` box of a sequence of them. */
function sizeOfAvif(view: DataView): Size | null {
  let largest: Size | null = null;
  for (let at = 0; at + 16 <= view.byteLength; at += 1) {
    const box = view.getUint32(at);
    if (box !== 0x69737065 && box !== 0x746b6864) continue;
    const size = box === 0x69737065 ? sizeOfIspe(view, at) : sizeOfTrack(view, at);
    if (largest === null || size.width * size.height > largest.width * largest.height) largest = size;
  }
  return largest;
}

function sizeOfIspe(view: DataView, at: number): Size {
  return { width: view.getUint32(at + 8), height: view.getUint32(at + 12) };
}

/** In whole pixels: after them come fractions. The times before them are longer in version 1. */
function sizeOfTrack(view: DataView, at: number): Size {
  const place = at + (view.getUint8(at + 4) === 1 ? 92 : 80);
  return { width: view.getUint16(place), height: view.getUint16(place + 4) };
}
