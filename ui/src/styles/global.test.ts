import { expect, it } from 'vitest';
import css from './global.css?raw';

it('makes no change late for those who want less motion', () => {
  const rule = /data-motion='reduced'\] \*([\s\S]*?\n\})/.exec(css)?.[1] ?? '';
  // With any other length every property of every element has a transition: what is measured in the same frame is old,
  // and a followed list stays one row behind.
  expect(rule).toContain('transition-duration: 0s !important');
});
