/** Text of a terminal: escape sequences give it colours and styles. */

const ESC = String.fromCharCode(27);
const BEL = String.fromCharCode(7);

/** Sequences that are not of colours (titles, links, character sets), and those that the end of the text cuts off. */
const OTHERS = new RegExp(
  `${ESC}(?:[\\]PX^_][^${BEL}${ESC}]*(?:${BEL}|${ESC}\\\\|$)|[ #%()*+./-].?|[^[]|$)|${ESC}\\[[0-9;]*$`,
  'g',
);

/** What follows `ESC [` up to the end of the sequence: private marks, numbers, and the byte that says what it is. */
const SEQUENCE = /^([!<-?]*)([\d;]*)([ -/]*[@-~])/;

/** More parts are not told apart: each is an element of its own, and what a program writes may have thousands in a line. */
const MAX_PARTS = 2_000;

/** The colours that the window has for text; others, and those behind text, are left out: they may be unreadable here. */
const COLOURS = ['red', 'green', 'yellow', 'blue', 'magenta', 'cyan'] as const;
export type TerminalColour = (typeof COLOURS)[number];
/** The colours by their numbers. */
const NUMBERED = ['black', 'red', 'green', 'yellow', 'blue', 'magenta', 'cyan', 'white'] as const;

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
  return parsed(text).map(({ look, texts }) => ({ text: texts.join(''), ...shownLook(look) }));
}

/** A text without the escape sequences of a terminal. */
export function plainText(text: string): string {
  if (!text.includes(ESC)) return text;
  return parsed(text)
    .flatMap(({ texts }) => texts)
    .join('');
}

/** The state of a terminal: how it writes what comes next. */
interface Look {
  colour: (typeof NUMBERED)[number] | 'grey' | null;
  bold: boolean;
  dim: boolean;
  italic: boolean;
  underline: boolean;
}

const PLAIN: Look = { colour: null, bold: false, dim: false, italic: false, underline: false };

function shownLook({ colour, bold, dim, italic, underline }: Look): Omit<TerminalPart, 'text'> {
  const known = COLOURS.find((name) => name === colour);
  return {
    ...(known !== undefined && { colour: known }),
    ...(bold && { bold: true }),
    ...(italic && { italic: true }),
    ...(underline && { underline: true }),
    ...((dim || colour === 'grey') && { dim: true }),
  };
}

/** What has the same look is one part. Takes time in proportion to the text. */
function parsed(text: string): { look: Look; texts: string[] }[] {
  const parts: { look: Look; texts: string[] }[] = [];
  let look = PLAIN;
  const add = (piece: string): void => {
    if (piece === '') return;
    const last = parts.at(-1);
    if (last !== undefined && (parts.length > MAX_PARTS || isSame(last.look, look))) last.texts.push(piece);
    else parts.push({ look: parts.length === MAX_PARTS ? PLAIN : look, texts: [piece] });
  };
  for (const [at, piece] of text.replaceAll(OTHERS, '').split(`${ESC}[`).entries()) {
    const sequence = at === 0 ? null : SEQUENCE.exec(piece);
    if (sequence === null) {
      add(piece);
      continue;
    }
    const [whole, marks = '', numbers = '', end] = sequence;
    if (marks === '' && end === 'm') look = lookAfter(look, numbers.split(';').map(Number));
    add(piece.slice(whole.length));
  }
  return parts;
}

function isSame(a: Look, b: Look): boolean {
  return (
    a.colour === b.colour &&
    a.bold === b.bold &&
    a.dim === b.dim &&
    a.italic === b.italic &&
    a.underline === b.underline
  );
}

/** The look after the numbers of a sequence (ECMA-48, “SGR”). */
function lookAfter(before: Look, numbers: readonly number[]): Look {
  const look = { ...before };
  for (let at = 0; at < numbers.length; at += 1) {
    const number = numbers[at] ?? 0;
    if (number === 0) Object.assign(look, PLAIN);
    else if (number === 1) look.bold = true;
    else if (number === 2) look.dim = true;
    else if (number === 3) look.italic = true;
    else if (number === 4) look.underline = true;
    else if (number === 21) look.bold = false;
    else if (number === 22) look.bold = look.dim = false;
    else if (number === 23) look.italic = false;
    else if (number === 24) look.underline = false;
    else if (number === 39) look.colour = null;
    else if (number >= 30 && number < 38) look.colour = NUMBERED[number - 30] ?? null;
    else if (number >= 90 && number < 98) look.colour = bright(number - 90);
    else if (number === 38 || number === 48) {
      const index = numbers[at + 2] ?? 0;
      const isOfPalette = numbers[at + 1] === 5;
      // Of the others no colour is readable for sure.
      if (number === 38) look.colour = isOfPalette && index < 16 ? paletteColour(index) : null;
      at += isOfPalette ? 2 : 4;
    }
  }
  return look;
}

function bright(index: number): Look['colour'] {
  return index === 0 ? 'grey' : (NUMBERED[index] ?? null);
}

function paletteColour(index: number): Look['colour'] {
  return index < 8 ? (NUMBERED[index] ?? null) : bright(index - 8);
}
