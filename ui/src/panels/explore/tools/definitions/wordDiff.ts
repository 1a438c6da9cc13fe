import { CHARACTERS, quickDiff } from '../../../../widgets/code/quickDiff';

/** A part of two compared texts: of both, or of one of them only. */
export interface Segment {
  kind: 'same' | 'before' | 'after';
  text: string;
}

/** Texts up to this length are replaced as a whole if little of them stays, in characters. */
const SHORT = 80;

/** Numbers, words, white space, and every other character for itself. */
const WORDS = /[+-]?\d[\d.]*(?:[eE][+-]?\d+)?|[\p{L}\p{M}\p{N}_]+|\s+|./gsu;

/** What changed between two texts, in whole words and numbers: `100` and `4000` have nothing in common. */
export function wordDiff(before: string, after: string): Segment[] {
  const words = joined(compared(before, after));
  const isShort = Math.max(before.length, after.length) <= SHORT;
  return isShort && isScattered(words) ? replaced(before, after) : words;
}

/** The one text instead of the other. */
export function replaced(before: string, after: string): Segment[] {
  const segments: Segment[] = [
    { kind: 'before', text: before },
    { kind: 'after', text: after },
  ];
  return segments.filter(({ text }) => text !== '');
}

function compared(before: string, after: string): Segment[] {
  const ids = new Map<string, string>();
  const a: string[] = before.match(WORDS) ?? [];
  const b: string[] = after.match(WORDS) ?? [];
  // Each different word is one character, which is what is compared. There are fewer than surrogates begin at.
  const encoded = (words: string[]): string =>
    words
      .map((word) => {
        const id = ids.get(word) ?? String.fromCharCode(ids.size + 1);
        ids.set(word, id);
        return id;
      })
      .join('');
  const segments: Segment[] = [];
  let at = 0;
  for (const { fromA, toA, fromB, toB } of quickDiff(encoded(a), encoded(b), [CHARACTERS])) {
    segments.push({ kind: 'same', text: a.slice(at, fromA).join('') });
    segments.push({ kind: 'before', text: a.slice(fromA, toA).join('') });
    segments.push({ kind: 'after', text: b.slice(fromB, toB).join('') });
    at = toA;
  }
  segments.push({ kind: 'same', text: a.slice(at).join('') });
  return segments.filter(({ text }) => text !== '');
}

/** Changes with nothing but white space in between are one change. */
function joined(segments: Segment[]): Segment[] {
  const result: Segment[] = [];
  let before = '';
  let after = '';
  const flush = (): void => {
    result.push(...replaced(before, after));
    before = '';
    after = '';
  };
  segments.forEach(({ kind, text }, at) => {
    if (kind === 'before') before += text;
    else if (kind === 'after') after += text;
    else if (at > 0 && at < segments.length - 1 && text.trim() === '') {
      before += text;
      after += text;
    } else {
      flush();
      result.push({ kind, text });
    }
  });
  flush();
  return result;
}

/** Whether more changes than stays, in several places. */
function isScattered(segments: Segment[]): boolean {
  const length = (wanted: Segment['kind']): number =>
    segments.reduce(
      (sum, { kind, text }) => sum + (kind === wanted ? text.replaceAll(/[^\p{L}\p{N}]/gu, '').length : 0),
      0,
    );
  const changes = segments.filter(
    ({ kind }, at) => kind !== 'same' && segments[at - 1]?.kind !== 'before',
  ).length;
  return changes > 1 && length('same') < Math.max(length('before'), length('after'));
}
