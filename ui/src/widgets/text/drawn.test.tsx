import { render } from '@testing-library/react';
import { createElement } from 'react';
import { describe, expect, it } from 'vitest';
import { MAX_DRAWN, drawn } from './drawn';
import { jsx } from './jsxRuntime';

const show = (tag: string, props: Record<string, unknown>) => {
  const { container } = render(createElement(tag, drawn(tag, props)));
  return container.firstElementChild as HTMLElement;
};

it('marks hidden characters, and leaves the text as it was', () => {
  const text = 'pay\u202Eload\u200B';
  const element = show('p', { children: text });
  const marks = [...element.querySelectorAll('mark')];
  expect(marks.map((mark) => mark.dataset['hidden'])).toEqual(['U+202E', 'U+200B']);
  expect(element.textContent).toBe(text);
});

it('marks texts among other children, which keep their places', () => {
  const element = show('p', {
    children: ['a\u200B', createElement('b', { key: 'b' }, 'bold'), ' c', null, 3],
  });
  expect(element.querySelectorAll('mark')).toHaveLength(1);
  expect(element.textContent).toBe('a\u200Bbold c3');
});

it('names hidden characters where there can be no mark', () => {
  const element = show('button', {
    'aria-label': 'Copy a\u200B',
    title: 'b\u2066',
    'data-tip': 'c',
    children: 'x',
  });
  expect([element.getAttribute('aria-label'), element.title, element.dataset['tip']]).toEqual([
    'Copy a‹U+200B›',
    'b‹U+2066›',
    'c',
  ]);
  expect(show('option', { children: 'o\u200B' }).textContent).toBe('o‹U+200B›');
});

it('changes nothing else: the props are the same object', () => {
  for (const props of [{ children: 'visible ❤️' }, { children: ['a', 1] }, { value: 'a\u200B' }, {}]) {
    expect(drawn('p', props)).toBe(props);
  }
  // What the user writes, and what is not drawn.
  for (const tag of ['textarea', 'style', 'script']) {
    const props = { children: 'a\u200B' };
    expect(drawn(tag, props)).toBe(props);
  }
});

it('cuts what no element can show', () => {
  const { textContent } = show('pre', { children: 'x'.repeat(MAX_DRAWN + 1234) });
  expect(textContent).toBe(`${'x'.repeat(MAX_DRAWN)}… (1,234 more characters)`);
});

describe('a picture in an address', () => {
  /** The head of a PNG of this size, as an address. */
  const png = (side: number): string => {
    const size = String.fromCharCode(...[24, 16, 8, 0].map((bits) => (side >>> bits) & 255));
    return `data:image/png;base64,${btoa(`\u0089PNG\r\n\u001A\n\u0000\u0000\u0000\rIHDR${size}${size}`)}`;
  };
  /** Groups of two copies of the group before. */
  const groups = Array.from(
    { length: 30 },
    (_, at) => `<g id="g${at + 1}">${`<use href="#g${at}"/>`.repeat(2)}</g>`,
  );
  const svg = `<svg xmlns="http://www.w3.org/2000/svg"><g id="g0"><rect/></g>${groups.join('')}</svg>`;

  it.each([
    ['a picture of too many pixels', png(3000)],
    ['an SVG that repeats itself', `data:image/svg+xml,${encodeURIComponent(svg)}`],
  ])('is never drawn if it is %s', (_, src) => {
    const image = show('img', { src, alt: 'icon' });
    expect(image.hasAttribute('src')).toBe(false);
    expect(image.hidden).toBe(true);
  });

  it('is drawn if it is of a moderate size', () => {
    const props = { src: png(64), alt: 'icon' };
    expect(drawn('img', props)).toBe(props);
  });

  it('is left out of every element that is written as JSX', () => {
    // What a build calls for JSX; tests run as in development, where React has another one.
    const { container } = render(jsx('img', { src: png(3000), alt: 'icon' }));
    expect(container.querySelector('img')?.hasAttribute('src')).toBe(false);
  });
});

// Each mark is an element: 20,000 in one text, and as many in the next one, blocked the window.
it('marks a bounded number of characters, and names the others', () => {
  const element = show('p', { children: 'a\u200B'.repeat(3_000) });
  expect(element.querySelectorAll('mark')).toHaveLength(1_000);
  expect(element.textContent).toBe('a\u200B'.repeat(1_000) + 'a‹U+200B›'.repeat(2_000));
});
