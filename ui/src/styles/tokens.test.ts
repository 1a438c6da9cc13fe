import { describe, expect, it } from 'vitest';
import css from './tokens.css?raw';

/** The colours of one theme. */
function tokens(theme: 'light' | 'dark'): (name: string) => string {
  const block =
    new RegExp(`:root\\[data-mantine-color-scheme='${theme}'\\] \\{([^}]*)\\}`).exec(css)?.[1] ?? '';
  const found = new Map(
    Array.from(block.matchAll(/--pb-([\w-]+): (#\w+)/g), ([, name, value]) => [name, value]),
  );
  return (name) => {
    const value = found.get(name);
    if (value === undefined) throw new Error(`${theme} has no --pb-${name}`);
    return value;
  };
}

const channels = (hex: string): number[] =>
  [1, 3, 5, 7].map((at) => (at < hex.length ? parseInt(hex.slice(at, at + 2), 16) / 255 : 1));

/** What one sees where `over`, perhaps translucent, lies on `ground`. */
function blend(over: number[], ground: number[]): number[] {
  const alpha = over[3] ?? 1;
  return over.slice(0, 3).map((value, i) => value * alpha + (ground[i] ?? 0) * (1 - alpha));
}

/** WCAG 2.2, relative luminance. */
function luminance(rgb: number[]): number {
  const [r = 0, g = 0, b = 0] = rgb.map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function contrast(a: number[], b: number[]): number {
  const [low = 0, high = 0] = [luminance(a), luminance(b)].toSorted((x, y) => x - y);
  return (high + 0.05) / (low + 0.05);
}

const TEXT = ['text', 'text-dim', 'text-faint', 'accent-text', 'out', 'in', 'ok', 'warn', 'error', 'off'];
const CODE = ['code-key', 'code-string', 'code-number', 'code-word'];
const GROUNDS = ['ground', 'pane', 'sunken'];
/** What lies on the grounds under text: the row under the pointer, the selected row, notes. */
const WASHES = [null, 'hover', 'accent-soft', 'warn-soft', 'error-soft'];

describe.each(['light', 'dark'] as const)('the %s theme', (theme) => {
  const token = tokens(theme);
  const ground = (name: string, wash: string | null): number[] => {
    const base = channels(token(name)).slice(0, 3);
    return wash === null ? base : blend(channels(token(wash)), base);
  };

  it('has text that can be read on every ground (AA, 4.5:1)', () => {
    const poor = GROUNDS.flatMap((name) =>
      WASHES.flatMap((wash) =>
        TEXT.map((text) => ({
          pair: `${text} on ${name} ${wash ?? ''}`,
          ratio: contrast(channels(token(text)).slice(0, 3), ground(name, wash)),
        })),
      ),
    ).filter(({ ratio }) => ratio < 4.5);
    expect(poor).toEqual([]);
  });

  it('has code that can be read (AA, 4.5:1)', () => {
    const poor = GROUNDS.flatMap((name) =>
      CODE.map((text) => ({
        pair: `${text} on ${name}`,
        ratio: contrast(channels(token(text)).slice(0, 3), ground(name, null)),
      })),
    ).filter(({ ratio }) => ratio < 4.5);
    expect(poor).toEqual([]);
  });

  it('has buttons that can be read, marks included', () => {
    for (const [text, on] of [
      ['on-accent', 'accent'],
      ['on-accent', 'accent-hover'],
      ['text', 'code-mark'],
      ['text', 'raised'],
      ['pane', 'text'],
    ] as const) {
      expect(
        contrast(channels(token(text)).slice(0, 3), channels(token(on)).slice(0, 3)),
        text,
      ).toBeGreaterThan(4.5);
    }
  });

  it('has a focus ring that can be seen on every ground (3:1)', () => {
    for (const name of GROUNDS) {
      expect(contrast(channels(token('focus')).slice(0, 3), ground(name, null)), name).toBeGreaterThan(3);
    }
  });
});
