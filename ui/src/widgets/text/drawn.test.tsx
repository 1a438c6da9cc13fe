import { render } from '@testing-library/react';
import { createElement } from 'react';
import { expect, it } from 'vitest';
import { MAX_DRAWN, drawn } from './drawn';

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
