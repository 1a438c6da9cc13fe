import { describe, expect, it } from 'vitest';
import { blend, channels, contrast, tokens } from './colours.fixture';

const TEXT = ['text', 'text-dim', 'text-faint', 'accent-text', 'out', 'in', 'ok', 'warn', 'error', 'off'];
const CODE = ['code-key', 'code-string', 'code-number', 'code-word'];
const GROUNDS = ['ground', 'pane', 'sunken'];
/** The layers between a ground and its text: the row under the pointer, the selected row, notes. */
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
      ['on-danger', 'danger'],
      ['on-danger', 'danger-hover'],
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
