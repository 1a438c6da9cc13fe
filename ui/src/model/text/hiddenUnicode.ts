/** Characters without a visible form of their own, as ranges: controls, zero-width and direction characters, fillers, variation selectors, tags. */
const HIDDEN: readonly (readonly [number, number])[] = [
  [0x00, 0x08],
  [0x0b, 0x1f],
  [0x7f, 0x9f],
  [0xad, 0xad],
  [0x34f, 0x34f],
  [0x61c, 0x61c],
  [0x115f, 0x1160],
  [0x17b4, 0x17b5],
  [0x180b, 0x180f],
  [0x200b, 0x200f],
  [0x2028, 0x202e],
  [0x2060, 0x206f],
  [0x3164, 0x3164],
  [0xfe00, 0xfe0f],
  [0xfeff, 0xfeff],
  [0xffa0, 0xffa0],
  [0xfff9, 0xfffb],
  [0x1d173, 0x1d17a],
  [0xe0000, 0xe0fff],
];

/** A part of a text: visible text, or one hidden character as `U+200B`. */
export interface TextPart {
  text: string;
  isHidden: boolean;
}

function isHidden(code: number): boolean {
  return HIDDEN.some(([first, last]) => code >= first && code <= last);
}

/** A text in parts, with every hidden character as a part of its own. The same characters as in the command line. */
export function withHiddenMarked(text: string): TextPart[] {
  const parts: TextPart[] = [];
  let visible = '';
  const flush = (): void => {
    if (visible !== '') parts.push({ text: visible, isHidden: false });
    visible = '';
  };
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0;
    if (!isHidden(code)) {
      visible += character;
      continue;
    }
    flush();
    parts.push({ text: `U+${code.toString(16).toUpperCase().padStart(4, '0')}`, isHidden: true });
  }
  flush();
  return parts;
}
