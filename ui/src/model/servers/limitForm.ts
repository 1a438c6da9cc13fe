import type { LimitItem, LimitUnit } from '../../contract/generated';

/** The changed limits of a server by name, as text while they are edited; empty for the default. */
export type LimitForm = Record<string, string>;

/** The problems of the form, by name. */
export type LimitProblems = Record<string, string>;

type Steps = readonly (readonly [unit: string, factor: number])[];

const BYTES: Steps = [
  ['GiB', 1 << 30],
  ['MiB', 1 << 20],
  ['KiB', 1 << 10],
  ['B', 1],
];
const MILLISECONDS: Steps = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
  ['s', 1000],
  ['ms', 1],
];
const STEPS: Record<LimitUnit, Steps> = { count: [], bytes: BYTES, milliseconds: MILLISECONDS };
const FACTORS = new Map([...BYTES, ...MILLISECONDS].map(([unit, factor]) => [unit.toLowerCase(), factor]));

/** A number with its unit, the largest one that leaves it whole. */
export function limitInWords(value: number, unit: LimitUnit): string {
  const step = STEPS[unit].find(([, factor]) => value >= factor && value % factor === 0);
  if (step === undefined) return value.toLocaleString('en-US');
  return `${(value / step[1]).toLocaleString('en-US')} ${step[0]}`;
}

/** The number of a text with or without a unit, such as `20`, `64 KiB` or `1.5 s`; undefined if it is none. */
export function limitOf(text: string): number | undefined {
  const parts = /^(\d[\d,]*(?:\.\d+)?)\s*([a-z]*)$/i.exec(text.trim());
  if (parts === null) return undefined;
  const [, digits = '', unit = ''] = parts;
  const factor = unit === '' ? 1 : FACTORS.get(unit.toLowerCase());
  return factor === undefined ? undefined : Math.round(Number(digits.replaceAll(',', '')) * factor);
}

/** What a limit counts: its name says it (`frameBytes`, `retryDelayMs`), which the engine's tests hold. */
function unitOf(name: string): LimitUnit {
  if (name.endsWith('Bytes')) return 'bytes';
  return name.endsWith('Ms') ? 'milliseconds' : 'count';
}

export function limitFormOf(limits: Readonly<Record<string, number | undefined>> = {}): LimitForm {
  return Object.fromEntries(
    Object.entries(limits).map(([name, value]) => [
      name,
      value === undefined ? '' : limitInWords(value, unitOf(name)),
    ]),
  );
}

/** The changes of a form without problems; undefined if there are none. */
export function limitsOf(form: LimitForm): Record<string, number> | undefined {
  const changes = Object.entries(form).flatMap(([name, text]) => {
    const value = limitOf(text);
    return value === undefined ? [] : [[name, value] as const];
  });
  return changes.length === 0 ? undefined : Object.fromEntries(changes);
}

export function limitProblemsOf(form: LimitForm): LimitProblems {
  return Object.fromEntries(
    Object.entries(form).flatMap(([name, text]) =>
      text.trim() === '' || limitOf(text) !== undefined
        ? []
        : [[name, 'Enter a number, such as 20, 64 KiB or 2 s.'] as const],
    ),
  );
}

/** What is wrong with a number as the value of a limit; undefined if nothing is. */
export function rangeProblem(text: string, { unit, least, most }: LimitItem): string | undefined {
  const value = limitOf(text);
  if (value === undefined || (value >= least && value <= most)) return undefined;
  return `From ${limitInWords(least, unit)} to ${limitInWords(most, unit)}.`;
}

/** What differs from the default, in a few words; empty if nothing does. */
export function limitsInWords(form: LimitForm): string {
  return Object.entries(form)
    .filter(([, text]) => text.trim() !== '')
    .map(([name, text]) => `${name} ${text.trim()}`)
    .join(' · ');
}
