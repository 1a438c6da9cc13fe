import { shortenedWithRest } from './format';
import { isObject, parseJson, toPlain } from './json';

/** The longest part of a value that is shown, in characters. */
const MAX_VALUE = 100;
/** Longer annotations are not read, which would block the window: in characters. */
const MAX_READ = 10_000;

/** The annotations of a content block or resource in words (specification, “Annotations”); other members as JSON. */
export function annotationsInWords(json: string): string {
  if (json.length > MAX_READ) return shortenedWithRest(json, MAX_VALUE);
  const parsed = parseJson(json);
  const value = parsed.ok ? toPlain(parsed.value) : null;
  if (!isObject(value)) return json.slice(0, MAX_VALUE);
  return Object.entries(value)
    .map(([name, member]) => inWords(name, member).slice(0, MAX_VALUE))
    .join(' · ');
}

function inWords(name: string, member: unknown): string {
  if (name === 'audience' && Array.isArray(member)) return `for ${member.map(String).join(', ')}`;
  if (name === 'priority' && typeof member === 'number') return `priority ${member}`;
  if (name === 'lastModified' && typeof member === 'string') return `modified ${member}`;
  return `${name}: ${JSON.stringify(member)}`;
}
