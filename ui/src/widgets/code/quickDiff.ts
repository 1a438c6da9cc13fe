import { Change, diff } from '@codemirror/merge';

/**
 * What differs between two texts of servers, in a bounded time: the algorithm of the library tries every place where a
 * repeated text could belong, in the square of its length, and looks at no clock while it does. Lines that both texts have
 * once are the same line; what is between two of them is compared by words in the same way, and what is left by characters.
 */

/** Two stretches, of parts or of characters. */
interface Gap {
  fromA: number;
  toA: number;
  fromB: number;
  toB: number;
}

/** Longer stretches are not compared by characters: the products of their lengths, all together. */
const MAX_PAIRS = 100_000_000;
/** What follows so many lines or words of a stretch is one more. */
const MAX_PARTS = 50_000;
/** Longer stretches are not compared by words, all together in characters. */
const MAX_BY_WORDS = 300_000;
/** How often what is between two lines is compared again, where other lines may occur once. */
const MAX_DEPTH = 6;
/** After so many changes, the rest is one change: each has its place beside the text. */
const MAX_CHANGES = 2_000;

const LINES = /[^\n]*\n|[^\n]+/g;
const WORDS = /[\p{L}\p{M}\p{N}_]+|\s+|./gsu;

/** The parts of a text whose characters stand for something themselves. */
export const CHARACTERS = /./gsu;

/** The changes from `a` to `b`, in order. `patterns`: of what parts long texts are, the largest first. */
export function quickDiff(a: string, b: string, patterns: readonly RegExp[] = [LINES, WORDS]): Change[] {
  let left = MAX_PAIRS;
  let leftByWords = MAX_BY_WORDS;
  const changes: Change[] = [];
  const add = ({ fromA, toA, fromB, toB }: Gap): void => {
    const last = changes.at(-1);
    const isNext = last?.toA === fromA && last.toB === fromB;
    if (last !== undefined && (isNext || changes.length >= MAX_CHANGES))
      changes[changes.length - 1] = new Change(last.fromA, toA, last.fromB, toB);
    else changes.push(new Change(fromA, toA, fromB, toB));
  };
  const compare = (gap: Gap, [pattern, ...finer]: readonly RegExp[]): void => {
    const { fromA, toA, fromB, toB } = gap;
    const pairs = (toA - fromA) * (toB - fromB);
    if (pairs === 0 || changes.length >= MAX_CHANGES) add(gap);
    else if (pairs <= left) {
      left -= pairs;
      for (const one of diff(a.slice(fromA, toA), b.slice(fromB, toB), { scanLimit: 500 })) {
        add({
          fromA: fromA + one.fromA,
          toA: fromA + one.toA,
          fromB: fromB + one.fromB,
          toB: fromB + one.toB,
        });
      }
    } else if (pattern === undefined) add(gap);
    else if (pattern === WORDS && (leftByWords -= toA - fromA + toB - fromB) < 0) add(gap);
    else for (const inner of differing(a, b, gap, pattern)) compare(inner, finer);
  };
  compare({ fromA: 0, toA: a.length, fromB: 0, toB: b.length }, patterns);
  return changes;
}

/** The stretches within a gap whose parts differ. */
function differing(a: string, b: string, { fromA, toA, fromB, toB }: Gap, pattern: RegExp): Gap[] {
  const ids = new Map<string, number>();
  const [partsA, startsA] = partsOf(a.slice(fromA, toA), pattern, ids);
  const [partsB, startsB] = partsOf(b.slice(fromB, toB), pattern, ids);
  return gapsOf(partsA, partsB).map((gap) => ({
    fromA: fromA + (startsA[gap.fromA] ?? 0),
    toA: fromA + (startsA[gap.toA] ?? 0),
    fromB: fromB + (startsB[gap.fromB] ?? 0),
    toB: fromB + (startsB[gap.toB] ?? 0),
  }));
}

/** The parts of a text by number, and where each begins; the end of the text is the last place. */
function partsOf(
  text: string,
  pattern: RegExp,
  ids: Map<string, number>,
): [parts: number[], starts: number[]] {
  const parts: number[] = [];
  const starts: number[] = [];
  let at = 0;
  for (const [found] of text.matchAll(pattern)) {
    const part = parts.length < MAX_PARTS ? found : text.slice(at);
    const id = ids.get(part) ?? ids.size;
    ids.set(part, id);
    parts.push(id);
    starts.push(at);
    at += part.length;
    if (at === text.length) break;
  }
  starts.push(at);
  return [parts, starts];
}

/** Where two lists differ, in order: between what both have once (“patience diff”). */
function gapsOf(a: readonly number[], b: readonly number[]): Gap[] {
  const gaps: Gap[] = [];
  const look = (gap: Gap, depth: number): void => {
    let { fromA, toA, fromB, toB } = gap;
    for (; fromA < toA && fromB < toB && a[fromA] === b[fromB]; fromA += 1) fromB += 1;
    for (; fromA < toA && fromB < toB && a[toA - 1] === b[toB - 1]; toA -= 1) toB -= 1;
    if (fromA === toA && fromB === toB) return;
    const inner = { fromA, toA, fromB, toB };
    const places = depth < MAX_DEPTH && fromA < toA && fromB < toB ? commonPlaces(a, b, inner) : [];
    if (places.length === 0) gaps.push(inner);
    else {
      let [atA, atB] = [fromA, fromB];
      for (const [nextA, nextB] of [...places, [toA, toB] as const]) {
        look({ fromA: atA, toA: nextA, fromB: atB, toB: nextB }, depth + 1);
        [atA, atB] = [nextA, nextB];
      }
    }
  };
  look({ fromA: 0, toA: a.length, fromB: 0, toB: b.length }, 0);
  return gaps;
}

type Place = readonly [inA: number, inB: number];

/** The places of what both stretches have once: as many as possible that have the same order in both. */
function commonPlaces(a: readonly number[], b: readonly number[], { fromA, toA, fromB, toB }: Gap): Place[] {
  const inB = placesOfSingle(b, fromB, toB);
  const places: Place[] = [];
  for (const [id, at] of placesOfSingle(a, fromA, toA)) {
    const other = inB.get(id) ?? -1;
    if (at >= 0 && other >= 0) places.push([at, other]);
  }
  return longestInOrder(places);
}

/** Where each part is that occurs once; -1 for the others. In order. */
function placesOfSingle(parts: readonly number[], from: number, to: number): Map<number, number> {
  const places = new Map<number, number>();
  for (let at = from; at < to; at += 1) {
    const id = parts[at] ?? 0;
    places.set(id, places.has(id) ? -1 : at);
  }
  return places;
}

/** The longest series of places whose order is the same in both texts. */
function longestInOrder(places: readonly Place[]): Place[] {
  /** The last place of the best series of each length, and what is before each place in its series. */
  const ends: number[] = [];
  const before: number[] = [];
  places.forEach(([, inB], at) => {
    let low = 0;
    let high = ends.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((places[ends[middle] ?? 0]?.[1] ?? 0) < inB) low = middle + 1;
      else high = middle;
    }
    before[at] = low === 0 ? -1 : (ends[low - 1] ?? -1);
    ends[low] = at;
  });
  const series: Place[] = [];
  for (let at = ends.at(-1) ?? -1; at >= 0; at = before[at] ?? -1) {
    const place = places[at];
    if (place !== undefined) series.push(place);
  }
  return series.toReversed();
}
