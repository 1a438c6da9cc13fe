import Anser from 'anser';

/** Text of a terminal: escape sequences give it colours and styles. */

const ESC = String.fromCharCode(27);
const BEL = String.fromCharCode(7);

/** Sequences that are not of colours (titles, links, character sets), and those that the end of the text cuts off. */
const OTHERS = new RegExp(
  `${ESC}(?:[\\]PX^_][^${BEL}${ESC}]*(?:${BEL}|${ESC}\\\\|$)|[ #%()*+./-].?|[^[]|$)|${ESC}\\[[0-9;]*$`,
  'g',
);

/** The colours that the window has for text; others, and those behind text, are left out: they may be unreadable here. */
const COLOURS = ['red', 'green', 'yellow', 'blue', 'magenta', 'cyan'] as const;
export type TerminalColour = (typeof COLOURS)[number];

/** A part of a text with one look. */
export interface TerminalPart {
  text: string;
  colour?: TerminalColour;
  bold?: true;
  italic?: true;
  underline?: true;
  dim?: true;
}

/** The parts of a text by their look, without its escape sequences. Text that a terminal would hide is shown. */
export function terminalParts(text: string): TerminalPart[] {
  if (!text.includes(ESC)) return [{ text }];
  return parsed(text)
    .filter(({ content }) => content !== '')
    .map(({ content, fg, decorations }): TerminalPart => {
      const colour = COLOURS.find((name) => fg === `ansi-${name}` || fg === `ansi-bright-${name}`);
      return {
        text: content,
        ...(colour !== undefined && { colour }),
        ...(decorations.includes('bold') && { bold: true }),
        ...(decorations.includes('italic') && { italic: true }),
        ...(decorations.includes('underline') && { underline: true }),
        ...((decorations.includes('dim') || fg === 'ansi-bright-black') && { dim: true }),
      };
    });
}

/** A text without the escape sequences of a terminal. */
export function plainText(text: string): string {
  if (!text.includes(ESC)) return text;
  return parsed(text)
    .map(({ content }) => content)
    .join('');
}

function parsed(text: string): Anser.AnserJsonEntry[] {
  return Anser.ansiToJson(text.replaceAll(OTHERS, ''), { use_classes: true, remove_empty: true });
}
