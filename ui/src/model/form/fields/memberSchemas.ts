import { TaskBudget, TooExpensive } from '../../background/budget';
import { type Json, type JsonObject, isObject } from '../../text/json';
import { matchesQuickly } from '../patterns';

/** Names are tried with patterns so often within one task; each pattern may take time with the square of the name. */
const budget = new TaskBudget(40_000);

/** Whether a name is tried with one more pattern; there may be thousands of both. */
function mayTry(name: string): boolean {
  try {
    budget.spend(1 + Math.floor(name.length ** 2 / 1_000));
    return true;
  } catch (thrown) {
    if (thrown instanceof TooExpensive) return false;
    throw thrown;
  }
}

/** The schema of a member that `properties` does not name; undefined if the schema says nothing about it or forbids it. */
export function extraSchema(keywords: JsonObject, name: string): Json | undefined {
  for (const [pattern, schema] of patternsOf(keywords)) {
    if (!mayTry(name)) break;
    if (matchesQuickly(pattern, name) === true) return schema;
  }
  const more = keywords['additionalProperties'];
  return more === false ? undefined : more;
}

/** The schema of a member. */
export function memberSchema(keywords: JsonObject, name: string): Json {
  const properties = keywords['properties'];
  const named = isObject(properties) && Object.hasOwn(properties, name) ? properties[name] : undefined;
  return named ?? extraSchema(keywords, name) ?? true;
}

/** The schemas that a new member can have, each with a pattern for its name if it needs one. */
export function newMembers(keywords: JsonObject): { schema: Json; pattern?: string } | undefined {
  const [first] = patternsOf(keywords);
  const more = keywords['additionalProperties'];
  const names = keywords['propertyNames'];
  const pattern = isObject(names) && typeof names['pattern'] === 'string' ? names['pattern'] : undefined;
  if (more !== undefined && more !== false)
    return pattern === undefined ? { schema: more } : { schema: more, pattern };
  return first === undefined ? undefined : { schema: first[1], pattern: first[0] };
}

/** The patterns of schemas as lists, each made once and not for each name. */
const ENTRIES = new WeakMap<object, [string, Json][]>();

function patternsOf(keywords: JsonObject): [string, Json][] {
  const patterns = keywords['patternProperties'];
  if (!isObject(patterns)) return [];
  const known = ENTRIES.get(patterns) ?? Object.entries(patterns);
  ENTRIES.set(patterns, known);
  return known;
}

/** The schemas of the first items of a tuple; none for a list. */
export function slotsOf(keywords: JsonObject): Json[] {
  const { prefixItems, items } = keywords;
  if (Array.isArray(prefixItems)) return prefixItems;
  return Array.isArray(items) ? items : [];
}

/** The schema of the items after those of a tuple; false if there must be none. */
export function restOf(keywords: JsonObject): Json {
  const { items, additionalItems } = keywords;
  return (Array.isArray(items) ? additionalItems : items) ?? true;
}

/** The schema of an item. */
export function itemSchema(keywords: JsonObject, index: number): Json {
  return slotsOf(keywords)[index] ?? restOf(keywords);
}
