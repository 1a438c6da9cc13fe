/** Scripts in which joiners are part of the spelling. */
const JOINED =
  'Arabic Syriac Devanagari Bengali Gurmukhi Gujarati Oriya Tamil Telugu Kannada Malayalam Sinhala'
    .split(' ')
    .map((script) => String.raw`\p{Script=${script}}`)
    .join('');

/** What an emoji can end with before a joiner. */
const EMOJI = String.raw`[\p{Extended_Pictographic}\uFE0F\u{1F3FB}-\u{1F3FF}]`;

/**
 * Characters without a visible form of their own: controls, zero-width and direction characters, fillers, variation
 * selectors, tags. The same characters as in the command line, but for those that an emoji, a word of a script with
 * joiners, or a line break of Windows is spelled with.
 */
export const HIDDEN = new RegExp(
  [
    String.raw`[\0-\x08\x0B\x0C\x0E-\x1F\x7F-\x9F\xAD\u034F\u061C\u115F\u1160\u17B4\u17B5\u180B-\u180F\u200B\u200E\u200F]`,
    String.raw`[\u2028-\u202E\u2060-\u206F\u3164\uFE00-\uFE0D\uFEFF\uFFA0\uFFF9-\uFFFB\u{1D173}-\u{1D17A}\u{E0000}-\u{E0FFF}]`,
    String.raw`\r(?!\n)`,
    String.raw`(?<![\p{Extended_Pictographic}\d#*])[\uFE0E\uFE0F]`,
    String.raw`(?<![${JOINED}])\u200C|\u200C(?![${JOINED}])`,
    String.raw`(?<![${JOINED}]|${EMOJI})\u200D|(?<=${EMOJI})\u200D(?!\p{Extended_Pictographic})`,
  ].join('|'),
  'u',
);
const EACH = new RegExp(HIDDEN, 'gu');
/** Texts of these characters alone, as most are, have no hidden one; this is found in a fraction of the time. */
const PLAIN = /^[\t\n\x20-\x7E]*$/;

/** A part of a text: visible text, or one hidden character. */
export interface TextPart {
  text: string;
  /** The name of a hidden character, as `U+200B`; null for visible text. */
  hidden: string | null;
}

/** Whether a text has hidden characters. */
export function hasHidden(text: string): boolean {
  return !PLAIN.test(text) && HIDDEN.test(text);
}

/** A text in parts, with every hidden character as a part of its own. */
export function partsOf(text: string): TextPart[] {
  const parts: TextPart[] = [];
  let at = 0;
  for (const { 0: character, index } of text.matchAll(EACH)) {
    if (index > at) parts.push({ text: text.slice(at, index), hidden: null });
    parts.push({ text: character, hidden: nameOf(character) });
    at = index + character.length;
  }
  if (at < text.length) parts.push({ text: text.slice(at), hidden: null });
  return parts;
}

/** A text with the names of hidden characters in their place, for what can only be text. */
export function withNames(text: string): string {
  return text.replaceAll(EACH, (character) => `‹${nameOf(character)}›`);
}

/** The name of a character: `U+200B`. */
export function nameOf(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
}
