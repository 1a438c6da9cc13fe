import type { JsonObject } from '../../text/json';

/** What can write the text of a string: the clock, a colour picker, a file, or in the window the path of a file or folder. */
export type Aid = 'date' | 'time' | 'date-time' | 'color' | 'base64' | 'dataUrl' | 'directory' | 'file';

const FORMATS = new Map<string, Aid>([
  ['date', 'date'],
  ['time', 'time'],
  ['date-time', 'date-time'],
  ['datetime', 'date-time'],
  ['color', 'color'],
  ['colour', 'color'],
  ['byte', 'base64'],
  ['binary', 'base64'],
  ['base64', 'base64'],
  ['data-url', 'dataUrl'],
  ['data-uri', 'dataUrl'],
  // What bundles ask for (`user_config`).
  ['directory', 'directory'],
  ['file', 'file'],
]);

/** The aid for a string with these keywords, by its encoding (JSON Schema 2020-12, content) or its format. */
export function aidOf({ format, contentEncoding }: JsonObject): Aid | null {
  if (contentEncoding === 'base64') return 'base64';
  return typeof format === 'string' ? (FORMATS.get(format) ?? null) : null;
}

/** A moment as RFC 3339 writes it: the day where the user is, times in UTC. */
export function nowAs(aid: 'date' | 'time' | 'date-time', now: Date): string {
  if (aid === 'date') {
    const two = (part: number): string => String(part).padStart(2, '0');
    return `${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}`;
  }
  const utc = `${now.toISOString().slice(0, 19)}Z`;
  return aid === 'date-time' ? utc : utc.slice(11);
}

/** Whether a text is a colour that can be shown. Nothing else reaches a style. */
export function isColour(text: string): boolean {
  return /^#([\da-f]{3,4}|[\da-f]{6}|[\da-f]{8})$/i.test(text);
}
