import { type Json, type JsonObject, isObject } from '../../text/json';
import { matchesQuickly } from '../patterns';

/** The schema of a member that `properties` does not name; undefined if the schema says nothing about it or forbids it. */
export function extraSchema(keywords: JsonObject, name: string): Json | undefined {
  for (const [pattern, schema] of patternsOf(keywords))
    if (matchesQuickly(pattern, name) === true) return schema;
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

function patternsOf(keywords: JsonObject): [string, Json][] {
  const patterns = keywords['patternProperties'];
  return isObject(patterns) ? Object.entries(patterns) : [];
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
