import { isObject, parseJson, toPlain } from '../text/json';

/** Arguments to start from: the required members of a tool's schema, each with its default or an empty value. */
export function skeletonOf(givenJson: string): string {
  const parsed = parseJson(givenJson);
  const given = parsed.ok ? toPlain(parsed.value) : undefined;
  const schema = isObject(given) && isObject(given['inputSchema']) ? given['inputSchema'] : {};
  const properties = isObject(schema['properties']) ? schema['properties'] : {};
  const required = Array.isArray(schema['required']) ? schema['required'] : [];
  const members = required.filter((name) => typeof name === 'string');
  const values = members.map((name) => [name, valueOf(properties[name])] as const);
  return JSON.stringify(Object.fromEntries(values));
}

function valueOf(schema: unknown): string | number | boolean | null | [] | Record<string, never> {
  if (!isObject(schema)) return null;
  const first = Array.isArray(schema['enum']) ? (schema['enum'] as unknown[])[0] : undefined;
  const value = schema['default'] ?? first;
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value;
  switch (schema['type']) {
    case 'string':
      return '';
    case 'integer':
    case 'number':
      return 0;
    case 'boolean':
      return false;
    case 'array':
      return [];
    case 'object':
      return {};
    default:
      return null;
  }
}
