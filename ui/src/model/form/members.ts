import { firstFree } from '../store/firstFree';
import type { Json, JsonObject } from '../text/json';

/** Edits of one member, which leave the other members, their order and their number text as they are. */

/** The object with a member set, in its place; undefined removes it. */
export function withMember(object: JsonObject, name: string, value: Json | undefined): JsonObject {
  if (value === undefined) return Object.fromEntries(Object.entries(object).filter(([key]) => key !== name));
  if (!Object.hasOwn(object, name)) return Object.fromEntries([...Object.entries(object), [name, value]]);
  return Object.fromEntries(Object.entries(object).map(([key, old]) => [key, key === name ? value : old]));
}

/** The object with a member renamed, in its place. */
export function renamed(object: JsonObject, from: string, to: string): JsonObject {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key === from ? to : key, value]));
}

/** The array with an item set; undefined removes the last item, and empties any other with null. */
export function withItem(
  array: readonly Json[],
  index: number,
  value: Json | undefined,
  fill: (index: number) => Json,
): Json[] {
  if (value === undefined && index >= array.length - 1) return array.slice(0, index);
  const filled = [...array];
  while (filled.length < index) filled.push(fill(filled.length));
  filled[index] = value ?? null;
  return filled;
}

/** The array with an item moved. */
export function moved(array: readonly Json[], from: number, to: number): Json[] {
  const rest = array.filter((_, index) => index !== from);
  const item = array[from];
  return item === undefined ? [...array] : [...rest.slice(0, to), item, ...rest.slice(to)];
}

/** A name that is not taken: `key`, `key2`, `key3` … */
export function freeName(taken: ReadonlySet<string>, wanted: string): string {
  return firstFree(
    wanted,
    (number) => `${wanted}${number}`,
    (name) => taken.has(name),
  );
}

/** A name that fits a simple pattern: its literal beginning. */
export function nameFor(pattern: string | undefined): string {
  const literal = /^\^((?:[\w -]|\\[.$/-])+)/.exec(pattern ?? '')?.[1]?.replaceAll('\\', '');
  if (literal === undefined) return 'key';
  return pattern === `^${literal}$` ? literal : `${literal}key`;
}
