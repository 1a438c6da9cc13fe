import type { CommandError } from '../../contract/generated';

/** How many pings are kept for a server. */
export const MAX_PINGS = 60;

/** One ping: when it was sent, and how long the answer took or why there was none. */
export type Ping = { atMs: number } & ({ durationMs: number } | { error: CommandError });

/** The intervals at which pings can be repeated, in ms. */
export const PING_INTERVALS = [1_000, 5_000, 30_000] as const;

/** The history with one more ping; the oldest go. */
export function withPing(pings: readonly Ping[], ping: Ping): Ping[] {
  return [...pings, ping].slice(-MAX_PINGS);
}

/** Figures of a history. */
export interface PingFigures {
  count: number;
  failed: number;
  /** Of the answered ones, in ms; null if none was answered. */
  times: { min: number; median: number; max: number } | null;
}

export function pingFigures(pings: readonly Ping[]): PingFigures {
  const times = pings
    .flatMap((ping) => ('durationMs' in ping ? [ping.durationMs] : []))
    .toSorted((a, b) => a - b);
  const [min] = times;
  const max = times.at(-1);
  const upper = times[Math.floor(times.length / 2)];
  const lower = times[Math.floor((times.length - 1) / 2)];
  const failed = pings.length - times.length;
  if (min === undefined || max === undefined || upper === undefined || lower === undefined) {
    return { count: pings.length, failed, times: null };
  }
  return { count: pings.length, failed, times: { min, median: (lower + upper) / 2, max } };
}
