import { type Json, type JsonObject, isObject, parseJson, writeJsonCompact } from '../../model/text/json';

/**
 * The schemas of the table: those of real servers (`real/`) and hand-made ones (`hard/`). They are read as text, so that
 * the numbers of the samples keep their text.
 */
const FILES: Record<string, string> = import.meta.glob('./{real,hard}/*.json', {
  query: '?raw',
  import: 'default',
  eager: true,
});

/** A schema with values that fit it and values that do not. */
export interface TableCase {
  /** The file, without folder and extension. */
  group: string;
  name: string;
  schema: Json;
  schemaJson: string;
  valid: JsonObject[];
  /** Each with the pointers of its problems. */
  invalid: { value: JsonObject; at: string[] }[];
}

function casesOf([path, text]: [string, string]): TableCase[] {
  const parsed = parseJson(text);
  if (!parsed.ok) throw new Error(`${path}: ${parsed.message} at ${parsed.position}`);
  const { cases } = parsed.value as unknown as { cases: Omit<TableCase, 'group' | 'schemaJson'>[] };
  const group = path.replace(/^.*\/(.*)\.json$/, '$1');
  return cases.map((one) => ({ ...one, group, schemaJson: writeJsonCompact(one.schema) }));
}

/** Every case, sorted by file. */
export const CASES: TableCase[] = Object.entries(FILES).flatMap(casesOf);

/** The scalars in a value, each with its path. */
export function leavesOf(value: Json, path: string[] = []): { path: string[]; value: Json }[] {
  if (Array.isArray(value)) {
    return value.flatMap((member, index) => leavesOf(member, [...path, String(index)]));
  }
  if (isObject(value)) {
    return Object.entries(value).flatMap(([key, member]) => leavesOf(member, [...path, key]));
  }
  return [{ path, value }];
}
