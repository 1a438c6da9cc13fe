import { Validator, type OutputUnit, type Schema } from '@cfworker/json-schema';
import { isLosslessNumber } from 'lossless-json';
import { Budget, TooExpensive, meteredSchema } from '../../background/budget';
import { type Json, fromPointer, isObject, isUnsafe, memberAt, toPlain, toPointer } from '../../text/json';
import { type Doubts, resolveAlternatives } from './alternatives';
import { createExactCheck, hasUnsafe } from '../fields/exact';
import { draftOf } from '../fits';
import { shortened } from '../../text/format';

/**
 * Checks values against JSON Schemas from servers. Runs in a worker (checker.ts), never where the window is drawn. The validator interprets the schema; it does not compile it to code
 * (`new Function`), which the Content-Security-Policy forbids and a server's schema must not cause. Nothing is fetched.
 */

/** A place in a value that does not match the schema. */
export interface Problem {
  /** JSON pointer into the value. */
  pointer: string;
  /** The problem, without a full stop. */
  message: string;
  /** A required member is missing; shown only after the user has tried to send. */
  missing: boolean;
}

/** The result of a check. */
export type Validation =
  | { type: 'checked'; problems: Problem[] }
  | { type: 'notChecked'; reason: string }
  /** The check was stopped. */
  | { type: 'tooExpensive' };

/** A check, compiled once per schema and run at each edit. */
export type Check = (value: Json) => Validation;

/** How many parts of the schema are looked at for one value, counted again for each place of the value. */
const MAX_STEPS = 300_000;
/** Longer messages are cut: they quote what the schema allows. */
const MAX_MESSAGE = 300;
/** Longer names of places are cut: they are names that the schema chose. */
const MAX_PLACE = 200;

/** Compiles a schema as received; the check of an invalid schema returns `notChecked`. */
export function compileCheck(schema: Json, steps = MAX_STEPS): Check {
  if (typeof schema !== 'boolean' && !isObject(schema)) {
    return () => ({ type: 'notChecked', reason: 'The schema is neither an object nor a boolean' });
  }
  let budget = new Budget(steps);
  const spend = (count?: number): void => budget.spend(count);
  let validator: Validator | undefined;
  const exact = createExactCheck(schema, spend);
  return (value) => {
    budget = new Budget(steps);
    try {
      validator ??= createValidator(schema, spend);
      const { errors } = validator.validate(toPlain(value));
      const doubts: Doubts | undefined = hasUnsafe(value) ? (unit) => isDoubtful(unit, value) : undefined;
      const problems = problemsOf(errors, doubts);
      const places = new Set(problems.map(({ pointer }) => pointer));
      const others = exact(value).filter(({ pointer }) => !places.has(pointer));
      return { type: 'checked', problems: [...problems, ...others] };
    } catch (thrown) {
      if (thrown instanceof TooExpensive) return { type: 'tooExpensive' };
      return { type: 'notChecked', reason: reasonOf(thrown) };
    }
  };
}

function createValidator(schema: Json, onVisit: () => void): Validator {
  const plain = typeof schema === 'boolean' ? schema : meteredSchema(schema, { onVisit });
  return new Validator(plain as Schema | boolean, draftOf(plain), false);
}

function reasonOf(thrown: unknown): string {
  if (thrown instanceof RangeError) return 'The schema or the value is nested too deeply';
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  return (message.slice(0, 2_000).split('\n')[0] ?? message)
    .slice(0, MAX_MESSAGE)
    .replace(/\.\s*$/, '')
    .replace(/\.\s+Absolute URI.*$/, '');
}

/** Keywords whose own problem only repeats those of their members. */
const WRAPPERS = new Set([
  '$ref',
  '$recursiveRef',
  '$dynamicRef',
  'allOf',
  'properties',
  'patternProperties',
  'additionalProperties',
  'unevaluatedProperties',
  'items',
  'prefixItems',
  'additionalItems',
  'unevaluatedItems',
  'then',
  'else',
  'dependentSchemas',
  'if',
  'propertyNames',
]);

/** Keywords that a number may seem to violate because it was rounded to another one. */
const EQUALITIES = new Set(['multipleOf', 'not', 'oneOf']);

/**
 * Whether an error may only say that the validator takes integers for equal which JavaScript numbers cannot tell apart. The exact
 * check (exact.ts) decides where it knows the keyword.
 */
function isDoubtful({ keyword, instanceLocation, error }: OutputUnit, value: Json): boolean {
  const at = memberAt(value, fromPointer(decodePointer(instanceLocation)));
  if (keyword === 'uniqueItems') return at !== undefined && hasUnsafe(at);
  if (!isLosslessNumber(at) || !/^-?\d+$/.test(at.value) || !isUnsafe(at)) return false;
  const [, number, bound] = /^(\S+) is (?:less|greater) than .*?(\S+)\.$/.exec(error) ?? [];
  return EQUALITIES.has(keyword) || (number !== undefined && number === bound);
}

function problemsOf(errors: OutputUnit[], doubts?: Doubts): Problem[] {
  const problems: Problem[] = [];
  const seen = new Set<string>();
  const wrongType = new Set<string>();
  for (const unit of resolveAlternatives(errors, doubts)) {
    if (WRAPPERS.has(unit.keyword) || unit.error.endsWith('does not match dependant schema.')) continue;
    const found = toProblem(unit);
    const problem = { ...found, message: shortened(found.message, MAX_MESSAGE) };
    // What else does not fit a value of the wrong type adds nothing.
    if (wrongType.has(problem.pointer)) continue;
    if (unit.keyword === 'type') wrongType.add(problem.pointer);
    const key = `${problem.pointer}\n${problem.message}`;
    if (seen.has(key)) continue;
    seen.add(key);
    problems.push(problem);
    if (problems.length === 100) break;
  }
  return problems;
}

function toProblem({ keyword, keywordLocation, instanceLocation, error }: OutputUnit): Problem {
  const pointer = decodePointer(instanceLocation);
  if (keyword === 'required') {
    const name = /required property "(.*)"\.$/s.exec(error)?.[1] ?? '';
    return { pointer: pointer + toPointer([name]), message: 'is required', missing: true };
  }
  const dependent = /^Instance has "(.*)" but does not have "(.*)"\.$/s.exec(error);
  if (dependent !== null) {
    const [, given = '', name = ''] = dependent;
    return { pointer: pointer + toPointer([name]), message: `is required with ${given}`, missing: true };
  }
  const words = inWords(keyword, error);
  const isName = keywordLocation.includes('/propertyNames');
  return { pointer, message: isName ? `is not a valid property name: ${words}` : words, missing: false };
}

function inWords(keyword: string, error: string): string {
  switch (keyword) {
    case 'type': {
      const expected = /Expected "(.*)"\.$/s.exec(error)?.[1];
      return expected === undefined
        ? 'has the wrong type'
        : `must be ${article(expected.replaceAll('", "', ' or '))}`;
    }
    case 'anyOf':
      return 'matches none of the alternatives';
    case 'oneOf':
      return Number(/\((\d+) matches\)/.exec(error)?.[1] ?? 0) > 1
        ? 'matches more than one alternative'
        : 'must match exactly one alternative';
    case 'enum':
      return error.replace(/^Instance does not match any of/, 'must be one of').replace(/\.$/, '');
    case 'const':
      return error.replace(/^Instance does not match/, 'must be').replace(/\.$/, '');
    case 'exclusiveMinimum':
      return `must be more than ${lastWord(error)}`;
    case 'exclusiveMaximum':
      return `must be less than ${lastWord(error)}`;
    case 'not':
      return 'must not match the schema under “not”';
    case 'false':
      return 'is not allowed here';
    default: {
      const text = error.replace(/\.$/, '');
      return text.charAt(0).toLowerCase() + text.slice(1);
    }
  }
}

function lastWord(error: string): string {
  return error.replace(/\.$/, '').split(' ').at(-1) ?? '';
}

function article(type: string): string {
  if (type === 'null') return type;
  return /^[aeio]/.test(type) ? `an ${type}` : `a ${type}`;
}

/** The validator's `#/a%20b/0` as a JSON pointer. */
function decodePointer(location: string): string {
  const pointer = location.startsWith('#') ? location.slice(1) : location;
  try {
    return decodeURIComponent(pointer);
  } catch {
    return pointer;
  }
}

/** A pointer as people write it: `filters[0].name`; the whole value is `arguments`. It is cut after 200 characters. */
export function pointerInWords(pointer: string): string {
  const steps = fromPointer(pointer);
  if (steps.length === 0) return 'arguments';
  const words = steps
    .map((step, index) => {
      if (/^\d+$/.test(step)) return `[${step}]`;
      return index === 0 ? step : `.${step}`;
    })
    .join('');
  return shortened(words, MAX_PLACE);
}
