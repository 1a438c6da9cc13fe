import { type Json, type JsonObject, isObject, parseJson, writeJson } from '../text/json';

/** A root in an answer. */
export interface AnsweredRoot {
  uri: string;
  name: string;
}

/** The roots of an answer; null if it is not a list of them that fields could edit without loss. */
export function rootsOf(text: string): AnsweredRoot[] | null {
  const parsed = parseJson(text);
  if (!parsed.ok || !isObject(parsed.value)) return null;
  const { roots, ...others } = parsed.value;
  if (!Array.isArray(roots) || Object.keys(others).length > 0) return null;
  const known = roots.flatMap((root) => rootOf(root) ?? []);
  return known.length === roots.length ? known : null;
}

function rootOf(root: Json): AnsweredRoot | null {
  if (!isObject(root)) return null;
  const { uri, name, ...others } = root;
  const isKnown = typeof uri === 'string' && (name === undefined || typeof name === 'string');
  return isKnown && Object.keys(others).length === 0 ? { uri, name: name ?? '' } : null;
}

/** The answer with these roots. */
export function rootsAnswer(roots: readonly AnsweredRoot[]): string {
  return writeJson({
    roots: roots.map(({ uri, name }): JsonObject => (name === '' ? { uri } : { uri, name })),
  });
}

/** The path of a `file:` URI, to begin with in a field; the URI itself if it has none. */
export function pathOf(uri: string): string {
  if (!URL.canParse(uri)) return uri;
  const { protocol, pathname, host } = new URL(uri);
  if (protocol !== 'file:' || host !== '') return uri;
  try {
    const path = decodeURIComponent(pathname);
    return /^\/[a-z]:/i.test(path) ? path.slice(1).replaceAll('/', '\\') : path;
  } catch {
    return uri;
  }
}
