import { expect, it } from 'vitest';
import { plainText, terminalParts } from './terminal';

const ESC = '\u001B';

it('has parts by their look, without the sequences', () => {
  expect(terminalParts(`${ESC}[32mINFO${ESC}[0m  ready ${ESC}[1;91mnow${ESC}[22;39m.`)).toEqual([
    { text: 'INFO', colour: 'green' },
    { text: '  ready ' },
    { text: 'now', colour: 'red', bold: true },
    { text: '.' },
  ]);
  expect(terminalParts('as it is <b>')).toEqual([{ text: 'as it is <b>' }]);
  expect(terminalParts(`${ESC}[90mold${ESC}[0m`)).toEqual([{ text: 'old', dim: true }]);
});

it('leaves out colours that may be unreadable here, and hides nothing', () => {
  expect(terminalParts(`${ESC}[38;5;17ma${ESC}[38;2;1;1;1mb${ESC}[41mc${ESC}[0m${ESC}[8mhidden`)).toEqual([
    { text: 'abchidden' },
  ]);
});

it.each([
  ['a title', `${ESC}]0;title\u0007text`, 'text'],
  ['a link', `${ESC}]8;;https://x.example${ESC}\\text${ESC}]8;;${ESC}\\`, 'text'],
  ['the cursor', `${ESC}[2K${ESC}[1Gtext${ESC}[?25h`, 'text'],
  ['a character set', `${ESC}(Btext${ESC}c`, 'text'],
  ['a sequence that is cut off', `text${ESC}[3`, 'text'],
  ['only its first byte', `text${ESC}`, 'text'],
  ['one without an end', `text${ESC}]0;never`, 'text'],
  ['brackets', 'text [31m', 'text [31m'],
])('is plain without %s', (_, text, plain) => {
  expect(plainText(text)).toBe(plain);
});

it('joins what has the same look, and takes the colours of a palette', () => {
  expect(
    terminalParts(`${ESC}[1ma${ESC}[1mb${ESC}[38;5;1mc${ESC}[38;5;9md${ESC}[48;5;1;4me${ESC}[38;5;8mf`),
  ).toEqual([
    { text: 'ab', bold: true },
    { text: 'cd', bold: true, colour: 'red' },
    { text: 'e', bold: true, colour: 'red', underline: true },
    { text: 'f', bold: true, underline: true, dim: true },
  ]);
});

it('draws a bounded number of parts, and leaves out no text', () => {
  const parts = terminalParts(`${ESC}[31ma${ESC}[32mb`.repeat(5_000));
  expect(parts).toHaveLength(2_001);
  expect(parts.at(-1)).toEqual({ text: 'ab'.repeat(4_000) });
});

// A line of 64 KiB took 14 s: the parser went through all styles so far at each sequence.
it.each([
  ['styles that are never reset', `${ESC}[1ma`],
  ['many numbers in a sequence', `${ESC}[1;1;1;1;1;1;1;1m`],
  ['one sequence after another', `${ESC}[`],
  ['titles without an end', `${ESC}]`],
  ['links without an end', `${ESC}]8;;`],
])('takes time in proportion to the text: %s', (_, unit) => {
  const started = performance.now();
  plainText(unit.repeat(1_000_000 / unit.length));
  // Before, an hour.
  expect(performance.now() - started).toBeLessThan(5_000);
});
