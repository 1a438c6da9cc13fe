import { toUnicode } from 'punycode/punycode.es6.js';

/** The scripts with letters that look like Latin ones, and a few more that hosts are written in. */
const SCRIPTS = [
  'Cyrillic',
  'Greek',
  'Armenian',
  'Hebrew',
  'Arabic',
  'Cherokee',
  'Georgian',
  'Han',
  'Hiragana',
  'Katakana',
  'Hangul',
  'Thai',
  'Devanagari',
  'Latin',
].map((name) => ({ name, test: new RegExp(`\\p{Script=${name}}`, 'u') }));
/** More letters are not named. */
const MOST_LETTERS = 8;

/** A host name whose `xn--` labels are decoded, and which letters of it are not ASCII. */
export interface DecodedHost {
  text: string;
  /** Like `а (Cyrillic)`, each letter once. */
  letters: string[];
}

/** The host as it is written in its language; null if it has no `xn--` label, or one that is not valid. */
export function decodedHost(host: string): DecodedHost | null {
  if (!/(^|\.)xn--/i.test(host)) return null;
  try {
    const text = toUnicode(host.toLowerCase());
    // oxlint-disable-next-line no-control-regex -- everything outside ASCII
    const letters = [...new Set(text.match(/[^\x00-\x7f]/gu) ?? [])];
    if (letters.length === 0) return null;
    return { text, letters: letters.slice(0, MOST_LETTERS).map(named) };
  } catch {
    return null;
  }
}

function named(letter: string): string {
  const script = SCRIPTS.find(({ test }) => test.test(letter))?.name;
  return `${letter} (${script ?? `U+${(letter.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`})`;
}
