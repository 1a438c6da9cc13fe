import { MantineProvider } from '@mantine/core';
import { render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { ImageContent } from './ImageContent';

beforeEach(() => {
  // Neither is in jsdom.
  URL.createObjectURL = vi.fn(() => 'blob:picture');
  URL.revokeObjectURL = vi.fn();
});
afterEach(() => {
  Reflect.deleteProperty(URL, 'createObjectURL');
  Reflect.deleteProperty(URL, 'revokeObjectURL');
});

function show(mimeType: string, bytes: Uint8Array<ArrayBuffer>): void {
  render(
    <MantineProvider env="test">
      <ImageContent bytes={bytes.buffer} mimeType={mimeType} fileName="picture" fill={false} />
    </MantineProvider>,
  );
}

/** The head of a PNG: enough to know its size. */
function png(width: number, height: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(24);
  bytes.set(new TextEncoder().encode('\u0000PNG\r\n\u001A\n\u0000\u0000\u0000\rIHDR'));
  const view = new DataView(bytes.buffer);
  view.setUint8(0, 0x89);
  view.setUint32(16, width);
  view.setUint32(20, height);
  return bytes;
}

/** Groups of two copies of the group before: 2^levels rectangles in a few kB. */
function doublings(levels: number): Uint8Array<ArrayBuffer> {
  const groups = Array.from(
    { length: levels },
    (_, at) => `<g id="g${at + 1}"><use href="#g${at}"/><use href="#g${at}"/></g>`,
  );
  const svg = `<svg xmlns="http://www.w3.org/2000/svg"><g id="g0"><rect/></g>${groups.join('')}</svg>`;
  return new TextEncoder().encode(svg);
}

it('draws a picture that has a moderate size', () => {
  show('image/png', png(640, 480));
  expect(document.querySelector('img')?.getAttribute('src')).toBe('blob:picture');
  expect(screen.queryByText(/not shown/)).toBeNull();
});

it.each([
  ['image/png', png(30_000, 30_000), 'it has 30000 × 30000 pixels (900 million; the limit is 40 million).'],
  ['image/svg+xml', doublings(40), 'its parts repeat each other too often.'],
  // What it is said to be does not matter.
  ['image/jpeg', doublings(40), 'its parts repeat each other too often.'],
])('never draws a bomb of type %s: says why, and shows and saves its bytes', (mimeType, bytes, why) => {
  show(mimeType, bytes);
  expect(document.querySelector('img')).toBeNull();
  expect(URL.createObjectURL).not.toHaveBeenCalled();
  expect(screen.getByText(/not shown:/).textContent).toContain(why);
  expect(screen.getByText('Save as picture')).toBeDefined();
  expect(screen.getByLabelText('Bytes')).toBeDefined();
});
