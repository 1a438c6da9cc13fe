import type { OutputUnit } from '@cfworker/json-schema';

/**
 * The validator lists why a value fits none of the alternatives of `anyOf` or `oneOf`, alternative by alternative. If it
 * is clear which of them was meant, its problems are the helpful ones; otherwise that none matches. Doubtful errors are left
 * out, with those that only follow from them.
 */
export function resolveAlternatives(errors: OutputUnit[], doubts?: Doubts): OutputUnit[] {
  const all = placed(errors);
  return resolve(doubts === undefined ? all : withoutDoubts(all, doubts)).map(({ unit }) => unit);
}

/** Whether an error may be none. */
export type Doubts = (unit: OutputUnit) => boolean;

function withoutDoubts(errors: Placed[], doubts: Doubts): Placed[] {
  const kept: Placed[] = [];
  for (let index = 0; index < errors.length; index += 1) {
    const one = errors[index];
    if (one === undefined) break;
    const inside = insideOf(errors, index);
    index += inside.length;
    const isChoice = CHOICES.includes(one.unit.keyword);
    if (doubts(one.unit) && (!isChoice || hasMatches(one.unit))) continue;
    const left = withoutDoubts(inside, doubts);
    // A choice fits if one of its alternatives does, and what is around errors if none of them is left.
    const isLeft = isChoice
      ? inAlternatives(one, left).size === inAlternatives(one, inside).size
      : inside.length === 0 || left.length > 0;
    if (isLeft) kept.push(one, ...left);
  }
  return kept;
}

const CHOICES = ['anyOf', 'oneOf'];

/** Whether several alternatives of a `oneOf` match. */
function hasMatches({ error }: OutputUnit): boolean {
  return (/\((\d+) matches\)/.exec(error)?.[1] ?? '0') !== '0';
}

/** The errors that follow one because they are inside of it. */
function insideOf(errors: Placed[], index: number): Placed[] {
  const around = `${errors[index]?.place ?? ''}/`;
  let end = index + 1;
  while (errors[end]?.place.startsWith(around) === true) end += 1;
  return errors.slice(index + 1, end);
}

/** The errors in a choice, by alternative. */
function inAlternatives(choice: Placed, inside: Placed[]): Map<string, Placed[]> {
  const groups = new Map<string, Placed[]>();
  for (const one of inside) {
    const index = one.place.slice(choice.place.length + 1).split('/')[0] ?? '';
    groups.set(index, [...(groups.get(index) ?? []), one]);
  }
  return groups;
}

/** An error with the place of its keyword in the schema. */
interface Placed {
  unit: OutputUnit;
  place: string;
}

/** The validator gives the schema `false` the place of the value; its place is that of the keyword before. */
function placed(errors: OutputUnit[]): Placed[] {
  let before = '#';
  return errors.map((unit) => {
    const place = unit.keyword === 'false' ? `${before}/false` : unit.keywordLocation;
    before = place;
    return { unit, place };
  });
}

function resolve(errors: Placed[]): Placed[] {
  const resolved: Placed[] = [];
  for (let index = 0; index < errors.length; index += 1) {
    const one = errors[index];
    if (one === undefined) break;
    if (!CHOICES.includes(one.unit.keyword)) {
      resolved.push(one);
      continue;
    }
    const inside = insideOf(errors, index);
    index += inside.length;
    const meant = hasMatches(one.unit) ? undefined : meantBy(one, inside);
    resolved.push(...(meant ?? [one]));
  }
  return resolved;
}

/** The errors of the alternative that was meant; undefined if it could be several. */
function meantBy(choice: Placed, inside: Placed[]): Placed[] | undefined {
  const at = choice.unit.instanceLocation;
  const possible = [...inAlternatives(choice, inside).values()]
    .map(resolve)
    .filter((group) => !group.some(({ unit }) => isOther(unit, at)));
  if (possible.length === 1) return possible[0];
  const told = possible.filter((group) => !group.some(({ unit }) => isToldApart(unit, at)));
  if (told.length === 1) return told[0];
  const counts = told.map((group) => group.filter(({ unit }) => isStructural(unit, at)).length);
  const least = Math.min(...counts);
  const closest = told.filter((_, index) => counts[index] === least);
  return closest.length === 1 ? closest[0] : undefined;
}

/** The whole value is of another type, or another value. */
function isOther({ keyword, instanceLocation }: OutputUnit, at: string): boolean {
  return ['type', 'const', 'enum', 'anyOf', 'oneOf'].includes(keyword) && instanceLocation === at;
}

/** A direct member has another value than the one that tells the alternative apart. */
function isToldApart({ keyword, instanceLocation }: OutputUnit, at: string): boolean {
  return (keyword === 'const' || keyword === 'enum') && isMember(instanceLocation, at);
}

/** A member is missing, or too much. */
function isStructural({ keyword, instanceLocation }: OutputUnit, at: string): boolean {
  return keyword === 'required'
    ? instanceLocation === at
    : keyword === 'false' && isMember(instanceLocation, at);
}

function isMember(location: string, of: string): boolean {
  return location.startsWith(`${of}/`) && !location.slice(of.length + 1).includes('/');
}
