import { dereference, validate, type Schema, type SchemaDraft } from '@cfworker/json-schema';
import { TooExpensive, meteredSchema } from '../background/budget';
import { type Json, type JsonObject, isObject, toPlain } from '../text/json';
import { isQuick } from './patterns';

/** The revision of JSON Schema that a schema names; the newest if it names none. */
export function draftOf(schema: unknown): SchemaDraft {
  const uri = isObject(schema) ? schema['$schema'] : undefined;
  if (typeof uri !== 'string') return '2020-12';
  if (/draft-0?[67]/.test(uri)) return '7';
  if (/draft-0?4/.test(uri)) return '4';
  return uri.includes('2019-09') ? '2019-09' : '2020-12';
}

/** Whether a value fits a part of a schema; false if that cannot be checked. */
export type Fits = (part: Json, value: Json | undefined) => boolean;

/** Larger values are not compared with alternatives while drawing. */
const MAX_MEMBERS = 5_000;
/** Patterns and formats are not tried on longer texts while drawing. */
const MAX_TEXT = 1_000;

/** Values are not compared with schemas whose parts have longer addresses, all together in characters. */
const MAX_ADDRESSES = 2_000_000;
/** How many characters of addresses are written in one step. */
const ADDRESSES_PER_STEP = 200;

/** A schema with its references resolved. */
interface Resolved {
  schema: Schema;
  parts: WeakMap<object, Schema>;
  known: Record<string, Schema | boolean>;
}

/**
 * Checks values against parts of a schema. It runs while the form is drawn, so patterns that could take long are left out:
 * the check of the whole value (checker.ts), which can be stopped, has them. `spend` is called for each part of the schema
 * that is looked at, and for what it costs to prepare parts that the form made itself; it may throw.
 */
export function fitsIn(root: JsonObject, spend: (steps?: number) => void): Fits {
  const isTooLarge = lengthOfAddresses(root) > MAX_ADDRESSES;
  const resolve = (keeps: (keyword: string, value: Json) => boolean): Resolved => {
    const parts = new WeakMap<object, Schema>();
    const schema = meteredSchema(root, { onVisit: () => spend(), keeps, parts }) as Schema;
    return { schema, parts, known: dereference(schema) };
  };
  let quick: Resolved | undefined;
  let plain: Resolved | undefined;
  return (part, value) => {
    if (typeof part === 'boolean') return part;
    if (value === undefined || !isObject(part) || isTooLarge) return false;
    const { members, longest } = sizeOf(value);
    if (members > MAX_MEMBERS) return false;
    try {
      const keeps = longest > MAX_TEXT ? isNoPattern : isQuickKeyword;
      const resolved = longest > MAX_TEXT ? (plain ??= resolve(keeps)) : (quick ??= resolve(keeps));
      const inRoot = resolved.parts.get(part);
      // Parts that the form made itself are looked up beside those of the schema.
      const lookup =
        inRoot === undefined ? (Object.create(resolved.known) as Resolved['known']) : resolved.known;
      if (inRoot === undefined) {
        const length = lengthOfAddresses(part);
        if (length > MAX_ADDRESSES) return false;
        spend(Math.ceil(length / ADDRESSES_PER_STEP));
      }
      const schema = inRoot ?? (meteredSchema(part, { onVisit: () => spend(), keeps }) as Schema);
      if (inRoot === undefined) dereference(schema, lookup, baseOf(root), '/part-of-a-form');
      return validate(toPlain(value), schema, draftOf(resolved.schema), lookup, true).valid;
    } catch (thrown) {
      if (thrown instanceof TooExpensive) throw thrown;
      return false;
    }
  };
}

/**
 * How many characters the addresses have that the validator writes for the parts of a schema before it checks anything: one for
 * each part, which begins with that of the part around it, and of all parts within one with an `$id` twice as many.
 */
function lengthOfAddresses(schema: Json): number {
  let total = 0;
  const add = (node: Json, length: number, times: number): void => {
    if (total > MAX_ADDRESSES) return;
    if (Array.isArray(node)) for (const item of node) add(item, length + 3, times);
    else if (isObject(node)) {
      const id = node['$id'] ?? node['id'];
      const within = typeof id === 'string' ? 2 * times : times;
      const prefix = typeof id === 'string' ? length + id.length : length;
      total += within * prefix;
      for (const [name, member] of Object.entries(node)) add(member, prefix + name.length + 1, within);
    }
  };
  add(schema, 40, 1);
  return total;
}

/** The validator tries the format `url` with a pattern whose time doubles with each letter. */
function isQuickKeyword(keyword: string, value: Json): boolean {
  if (keyword === 'format') return value !== 'url';
  return keyword !== 'pattern' || typeof value !== 'string' || isQuick(value);
}

function isNoPattern(keyword: string, value: Json): boolean {
  return (keyword !== 'pattern' && keyword !== 'format') || typeof value !== 'string';
}

function sizeOf(value: Json): { members: number; longest: number } {
  let members = 0;
  let longest = 0;
  const add = (one: Json): void => {
    members += 1;
    if (members > MAX_MEMBERS) return;
    if (typeof one === 'string') longest = Math.max(longest, one.length);
    else if (Array.isArray(one)) for (const item of one) add(item);
    else if (isObject(one)) {
      for (const [name, member] of Object.entries(one)) {
        longest = Math.max(longest, name.length);
        add(member);
      }
    }
  };
  add(value);
  return { members, longest };
}

function baseOf(root: JsonObject): URL | undefined {
  const id = root['$id'];
  return typeof id === 'string' && URL.canParse(id) ? new URL(id) : undefined;
}
