import type { ElementType } from 'react';
import * as react from 'react-jsx-runtime-itself';
import { drawn } from './drawn';

/**
 * React's functions for elements, which the build puts in the place of `react/jsx-runtime` for our code and for Mantine
 * (vite.config.ts): every element of HTML is drawn through `drawn`.
 */

export const Fragment = react.Fragment;

type Props = Record<string, unknown>;
const propsOf = (type: unknown, props: unknown): Props =>
  (typeof type === 'string'
    ? drawn(type, props as Props)
    : type === Fragment
      ? drawn('', props as Props)
      : props) as Props;

export function jsx(type: ElementType, props: unknown, key?: React.Key) {
  return react.jsx(type, propsOf(type, props), key);
}

export function jsxs(type: ElementType, props: unknown, key?: React.Key) {
  return react.jsxs(type, propsOf(type, props), key);
}
