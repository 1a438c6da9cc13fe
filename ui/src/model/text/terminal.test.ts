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
    { text: 'a' },
    { text: 'b' },
    { text: 'c' },
    { text: 'hidden' },
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
