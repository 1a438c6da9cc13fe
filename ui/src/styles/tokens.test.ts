import { describe, expect, it } from 'vitest';
import { initialAppearance } from '../model/workspace/uiState/appearance';
import { sizesOf } from '../model/workspace/uiState/sizes';
import { type Contrast, blend, channels, contrast, tokens } from './colours.fixture';
import css from './tokens.css?raw';

const TEXT = ['text', 'text-dim', 'text-faint', 'accent-text', 'out', 'in', 'ok', 'warn', 'error', 'off'];
const CODE = ['code-key', 'code-string', 'code-number', 'code-word'];
const GROUNDS = ['ground', 'pane', 'sunken'];
/** The layers between a ground and its text: the row under the pointer, the selected row, notes. */
const WASHES = [null, 'hover', 'accent-soft', 'warn-soft', 'error-soft'];
/** What WCAG 2.2 asks of text (AA, and AAA for high contrast), of lines and of what has the focus. */
const ASKED = { standard: { text: 4.5, line: 1, focus: 3 }, high: { text: 7, line: 3, focus: 4.5 } };

const THEMES = (['light', 'dark'] as const).flatMap((theme) =>
  (['standard', 'high'] as const satisfies Contrast[]).map((level) => [theme, level] as const),
);

describe.each(THEMES)('the %s theme in %s contrast', (theme, level) => {
  const token = tokens(theme, level);
  const asked = ASKED[level];
  const colour = (name: string): number[] => channels(token(name)).slice(0, 3);
  const ground = (name: string, wash: string | null): number[] =>
    wash === null ? colour(name) : blend(channels(token(wash)), colour(name));

  /** The pairs that are told apart too poorly. */
  const poor = (names: string[], washes: (string | null)[], least: number) =>
    GROUNDS.flatMap((on) =>
      washes.flatMap((wash) =>
        names.map((name) => ({
          pair: `${name} on ${on} ${wash ?? ''}`,
          ratio: contrast(colour(name), ground(on, wash)),
        })),
      ),
    ).filter(({ ratio }) => ratio < least);

  it('has text that can be read on every ground', () => {
    expect(poor(TEXT, WASHES, asked.text)).toEqual([]);
  });

  it('has code that can be read', () => {
    expect(poor(CODE, [null], asked.text)).toEqual([]);
  });

  it('has buttons that can be read, marks included', () => {
    for (const [text, on] of [
      ['on-accent', 'accent'],
      ['on-accent', 'accent-hover'],
      ['on-danger', 'danger'],
      ['on-danger', 'danger-hover'],
      ['text', 'code-mark'],
      ['text', 'raised'],
      ['pane', 'text'],
    ] as const) {
      expect(contrast(colour(text), colour(on)), text).toBeGreaterThan(asked.text);
    }
  });

  it('has a focus ring and lines that can be seen on every ground', () => {
    expect(poor(['focus'], [null], asked.focus)).toEqual([]);
    expect(poor(['hairline', 'hairline-strong'], [null], asked.line)).toEqual([]);
  });
});

it('high contrast has every colour of the theme', () => {
  const names = (head: string): string[] => {
    const at = css.indexOf(head);
    const block = css.slice(at, css.indexOf('}', at));
    return Array.from(block.matchAll(/(--pb-[\w-]+): #/g), ([, name = '']) => name).toSorted();
  };
  for (const theme of ['light', 'dark']) {
    const scheme = `:root[data-mantine-color-scheme='${theme}']`;
    expect(names(`${scheme}[data-contrast='high'] {`)).toEqual(names(`${scheme} {`));
  }
});

it('the sizes before the first paint are those of the default appearance', () => {
  const block = css.slice(css.indexOf('--pb-scale'), css.indexOf('--pb-focus-width'));
  const written: Record<string, number> = Object.fromEntries(
    Array.from(
      block.matchAll(/--pb-([\w-]+): ([\d.]+)(?:px)?;/g),
      ([, name = '', value]): [string, number] => [name, Number(value)],
    ),
  );
  expect(written).toEqual(sizesOf(initialAppearance));
});
