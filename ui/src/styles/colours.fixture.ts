import css from './tokens.css?raw';

export type Contrast = 'standard' | 'high';

/** The colours of one theme. */
export function tokens(theme: 'light' | 'dark', level: Contrast = 'standard'): (name: string) => string {
  const scheme = `:root[data-mantine-color-scheme='${theme}']`;
  const found = coloursOf(`${scheme} {`);
  if (level === 'high') {
    for (const [name, value] of coloursOf(`${scheme}[data-contrast='high'] {`)) found.set(name, value);
  }
  return (name) => {
    const value = found.get(name);
    if (value === undefined) throw new Error(`${theme} has no --pb-${name}`);
    return value;
  };
}

/** The colours of the block that begins so. */
function coloursOf(head: string): Map<string, string> {
  const at = css.indexOf(head);
  const block = at < 0 ? '' : css.slice(at, css.indexOf('}', at));
  return new Map(
    Array.from(block.matchAll(/--pb-([\w-]+): (#\w+)/g), ([, name = '', value = '']) => [name, value]),
  );
}

/** Red, green, blue and alpha of `#rrggbb` or `#rrggbbaa`, each 0 to 1. */
export const channels = (hex: string): number[] =>
  [1, 3, 5, 7].map((at) => (at < hex.length ? parseInt(hex.slice(at, at + 2), 16) / 255 : 1));

/** The visible colour where `over`, which may be translucent, is painted on `ground`. */
export function blend(over: number[], ground: number[]): number[] {
  const alpha = over[3] ?? 1;
  return over.slice(0, 3).map((value, i) => value * alpha + (ground[i] ?? 0) * (1 - alpha));
}

/** WCAG 2.2, relative luminance. */
function luminance(rgb: number[]): number {
  const [r = 0, g = 0, b = 0] = rgb.map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

/** The WCAG 2.2 contrast ratio of two opaque colours. */
export function contrast(a: number[], b: number[]): number {
  const [low = 0, high = 0] = [luminance(a), luminance(b)].toSorted((x, y) => x - y);
  return (high + 0.05) / (low + 0.05);
}
