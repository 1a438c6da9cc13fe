import { expect, it } from 'vitest';
import { detailParagraphs } from './failureDetail';

const RED = '\u001B[31mERROR\u001B[0m cannot open';

it('does not repeat the lines of stderr that are shown below', () => {
  expect(detailParagraphs('npm error 404', ['npm error 404'])).toEqual([]);
  expect(
    detailParagraphs(`${RED}\nWARN giving up\nTried before: 2026-07-28: it ended`, [RED, 'WARN giving up']),
  ).toEqual(['Tried before: 2026-07-28: it ended']);
});

it('keeps what is nowhere else, without escape sequences', () => {
  expect(detailParagraphs(null, [])).toEqual([]);
  expect(detailParagraphs(`${RED}\nlast`, ['last'])).toEqual(['ERROR cannot open']);
});

it('has what the peer sent and what was tried before as paragraphs', () => {
  expect(detailParagraphs('<html>\n<body>\n\n\nTried before: one\ninitialize: two', [])).toEqual([
    '<html>\n<body>',
    'Tried before: one\ninitialize: two',
  ]);
});
