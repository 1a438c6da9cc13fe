import {
  Validator,
  dereference,
  validate,
  type OutputUnit,
  type Schema,
  type SchemaDraft,
} from '@cfworker/json-schema';
import { type Json, fromPointer, isObject, toPlain } from '../text/json';

/**
 * Checks values against JSON Schemas from servers. The validator interprets the schema; it does not compile it to code
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
export type Validation = { type: 'checked'; problems: Problem[] } | { type: 'notChecked'; reason: string };

export function draftOf(schema: unknown): SchemaDraft {
  const uri = isObject(schema) ? schema['$schema'] : undefined;
  if (typeof uri !== 'string') return '2020-12';
  if (/draft-0?[67]/.test(uri)) return '7';
  if (/draft-0?4/.test(uri)) return '4';
  return uri.includes('2019-09') ? '2019-09' : '2020-12';
}

/** A check, compiled once per schema and run at each edit. */
export type Check = (value: Json) => Validation;

/** Compiles a schema as received; the check of an invalid schema returns `notChecked`. */
export function compileCheck(schema: Json): Check {
  const plain = toPlain(schema);
  if (typeof plain !== 'boolean' && !isObject(plain)) {
    return () => ({ type: 'notChecked', reason: 'The schema is neither an object nor a boolean' });
  }
  let validator: Validator | undefined;
  return (value) => {
    try {
      validator ??= new Validator(plain, draftOf(plain), false);
      return { type: 'checked', problems: problemsOf(validator.validate(toPlain(value)).errors) };
    } catch (thrown) {
      return { type: 'notChecked', reason: reasonOf(thrown) };
    }
  };
}

/** Whether a plain value matches a part of a plain schema; false if it cannot be checked. */
export function fits(part: unknown, value: unknown, root: unknown): boolean {
  if (typeof part === 'boolean') return part;
  if (value === undefined || !isObject(part)) return false;
  try {
    // Copies, because the validator modifies its input.
    const schema = structuredClone(part) as Schema;
    const lookup = dereference(structuredClone(root) as Schema);
    dereference(schema, lookup, undefined, '/part-of-a-form');
    return validate(value, schema, draftOf(root), lookup, true).valid;
  } catch {
    return false;
  }
}

function reasonOf(thrown: unknown): string {
  if (thrown instanceof RangeError) return 'The schema or the value is nested too deeply';
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  return (message.split('\n')[0] ?? message).replace(/\.\s*$/, '').replace(/\.\s+Absolute URI.*$/, '');
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
]);

function problemsOf(errors: OutputUnit[]): Problem[] {
  const problems: Problem[] = [];
  const seen = new Set<string>();
  const choices = errors
    .filter(({ keyword }) => keyword === 'anyOf' || keyword === 'oneOf')
    .map(({ keywordLocation }) => `${keywordLocation}/`);
  for (const unit of errors) {
    if (WRAPPERS.has(unit.keyword)) continue;
    // The problems of each alternative are less helpful than the fact that none matches.
    if (choices.some((choice) => unit.keywordLocation.startsWith(choice))) continue;
    const problem = toProblem(unit);
    const key = `${problem.pointer}\n${problem.message}`;
    if (seen.has(key)) continue;
    seen.add(key);
    problems.push(problem);
    if (problems.length === 100) break;
  }
  return problems;
}

function toProblem({ keyword, instanceLocation, error }: OutputUnit): Problem {
  const pointer = decodePointer(instanceLocation);
  if (keyword === 'required') {
    const name = /required property "(.*)"\.$/s.exec(error)?.[1] ?? '';
    return {
      pointer: `${pointer}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`,
      message: 'is required',
      missing: true,
    };
  }
  return { pointer, message: inWords(keyword, error), missing: false };
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

/** A pointer as people write it: `filters[0].name`; the whole value is `arguments`. */
export function pointerInWords(pointer: string): string {
  const steps = fromPointer(pointer);
  if (steps.length === 0) return 'arguments';
  return steps
    .map((step, index) => {
      if (/^\d+$/.test(step)) return `[${step}]`;
      return index === 0 ? step : `.${step}`;
    })
    .join('');
}
