/** The only formats of times, durations, sizes, counts and progress in the UI. */

import type { RequestProgress } from '../../contract/generated';

const pad = (value: number, width: number): string => String(value).padStart(width, '0');

/** A wall-clock time as `12:03:04.567`, in the local time zone. `atMs` counts from the Unix epoch. */
export function formatTime(atMs: number): string {
  const at = new Date(atMs);
  if (Number.isNaN(at.getTime())) return '–';
  return `${pad(at.getHours(), 2)}:${pad(at.getMinutes(), 2)}:${pad(at.getSeconds(), 2)}.${pad(at.getMilliseconds(), 3)}`;
}

/** A date and time as `2026-11-21 12:03:04.567`, in the local time zone. */
export function formatDateTime(atMs: number): string {
  const at = new Date(atMs);
  if (Number.isNaN(at.getTime())) return '–';
  return `${pad(at.getFullYear(), 4)}-${pad(at.getMonth() + 1, 2)}-${pad(at.getDate(), 2)} ${formatTime(atMs)}`;
}

/** A duration as `0.42 ms`, `4.2 ms`, `420 ms`, `1.34 s`, `12.3 s`, `2 min 5 s` or `1 h 2 min`. */
export function formatDuration(ms: number): string {
  if (!Number.isFinite(ms) || ms < 0) return '–';
  if (ms === 0) return '0 ms';
  if (ms < 0.995) return `${ms.toFixed(2)} ms`;
  if (ms < 99.95) return `${ms.toFixed(1)} ms`;
  if (ms < 999.5) return `${ms.toFixed(0)} ms`;
  const seconds = ms / 1000;
  if (seconds < 9.995) return `${seconds.toFixed(2)} s`;
  if (seconds < 59.95) return `${seconds.toFixed(1)} s`;
  const whole = Math.round(seconds);
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${whole % 60} s`;
  const minutes = Math.round(seconds / 60);
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** The value of a running timer: as `formatDuration`, without the tenths that are always zero from ten seconds on. */
export function formatRunning(ms: number): string {
  return ms < 10_000 ? formatDuration(ms) : formatDuration(ms).replace('.0 s', ' s');
}

const UNITS = ['kB', 'MB', 'GB', 'TB'] as const;

/** A number of bytes as `999 B`, `1.2 kB`, `123 kB` or `1.2 MB` (a kB is 1,000 bytes). */
export function formatSize(bytes: number): string {
  if (!Number.isFinite(bytes) || bytes < 0) return '–';
  if (bytes < 1000) return `${Math.round(bytes)} B`;
  let value = bytes / 1000;
  let unit = 0;
  while (value >= 999.5 && unit < UNITS.length - 1) {
    value /= 1000;
    unit += 1;
  }
  return `${value < 99.95 ? value.toFixed(1) : value.toFixed(0)} ${UNITS[unit] ?? ''}`;
}

const COUNT = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 });

/** A count with separators: `10,000`. With a noun, in the right number: `1 tool`, `2 tools`. */
export function formatCount(count: number, singular?: string, plural?: string): string {
  if (!Number.isFinite(count)) return '–';
  const number = COUNT.format(count);
  if (singular === undefined) return number;
  return `${number} ${count === 1 ? singular : (plural ?? `${singular}s`)}`;
}

/** How far a request is: “2 of 4”, or “2” without a total. */
export function formatProgress({ progress, total }: Pick<RequestProgress, 'progress' | 'total'>): string {
  return total === null ? formatAmount(progress) : `${formatAmount(progress)} of ${formatAmount(total)}`;
}

/** How far a request is, and what the server says about it. */
export function progressInWords(progress: RequestProgress): string {
  return [formatProgress(progress), progress.message ?? ''].filter(Boolean).join(' · ');
}

function formatAmount(value: number): string {
  return Number.isInteger(value) ? formatCount(value) : String(Math.round(value * 1000) / 1000);
}

/** The beginning of a text, of at most `most` UTF-16 code units, and `…` if it is longer. A surrogate pair is not split. */
export function shortened(text: string, most: number): string {
  if (text.length <= most) return text;
  const isPair = (text.codePointAt(most - 1) ?? 0) > 0xff_ff;
  return `${text.slice(0, isPair ? most - 1 : most)}…`;
}

/** The beginning of a text, and how much more there is: `ab… (3 more characters)`. */
export function shortenedWithRest(text: string, most: number): string {
  if (text.length <= most) return text;
  const shown = shortened(text, most);
  return `${shown} (${formatCount(text.length - (shown.length - 1), 'more character')})`;
}

/** A clause as a sentence: the first word capitalised unless it is a name such as `http://…` or `client_id`. */
export function asSentence(clause: string): string {
  return /^[a-z]+[ ,]/.test(clause) ? clause[0]?.toUpperCase() + clause.slice(1) : clause;
}

/** A program and its arguments as one line for a reader: what is empty or has spaces is in quotes. */
export function shownLine(command: string, args: readonly string[]): string {
  return [command, ...args].map((word) => (word === '' || /\s/.test(word) ? `"${word}"` : word)).join(' ');
}
