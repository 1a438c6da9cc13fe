import type { NamedText, PromptArgumentItem } from '../../../contract/generated';
import type { Problem } from '../../form/check/validate';
import { isObject, parseJson, toPointer } from '../../text/json';
import type { PromptValues } from './promptViews';

/** The arguments of a prompt: a form of texts, and the JSON text that is sent. */

/** The arguments that have a name, each once: two of the same name are one field. */
export function fieldsOf(declared: readonly PromptArgumentItem[]): PromptArgumentItem[] {
  const names = new Set<string>();
  return declared.filter(({ name }) => {
    const isNew = name !== '' && !names.has(name);
    names.add(name);
    return isNew;
  });
}

/** The `arguments` as JSON text, in the declared order; null if none is given. Values of unknown arguments come last. */
export function writeArguments(declared: readonly PromptArgumentItem[], values: PromptValues): string | null {
  if (values.size === 0) return null;
  const known = fieldsOf(declared).flatMap(({ name }) => (values.has(name) ? [name] : []));
  const names = new Set([...known, ...values.keys()]);
  // By hand: an object would put names that are numbers first.
  const members = [...names].map((name) => `${JSON.stringify(name)}:${JSON.stringify(values.get(name))}`);
  return `{${members.join(',')}}`;
}

/** The texts in `arguments`, to put them back into the form. */
export function readArguments(json: string | null): PromptValues {
  const parsed = parseJson(json ?? '{}');
  if (!parsed.ok || !isObject(parsed.value)) return new Map();
  return new Map(
    Object.entries(parsed.value).flatMap(([name, value]) =>
      typeof value === 'string' ? [[name, value] as const] : [],
    ),
  );
}

/** The required arguments that are not given. An empty text is given. */
export function missingArguments(declared: readonly PromptArgumentItem[], values: PromptValues): Problem[] {
  return fieldsOf(declared).flatMap(({ name, required }) =>
    required && !values.has(name)
      ? [{ pointer: toPointer([name]), message: 'is required', missing: true }]
      : [],
  );
}

/** The context for the completion of one argument: the texts of the others. */
export function contextFor(argument: string, values: PromptValues): NamedText[] {
  return [...values].flatMap(([name, value]) => (name === argument || value === '' ? [] : [{ name, value }]));
}
