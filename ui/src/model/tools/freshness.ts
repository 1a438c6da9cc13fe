import type { Freshness } from '../../contract/generated';
import { formatDuration, formatTime } from '../text/format';

/** `ttlMs` and `cacheScope` of an answer (2026-07-28), in words. */

/** `fresh until 12:04:05, private`. */
export function freshnessWords({ ttlMs, scope, sinceAtMs }: Freshness): string {
  const until = ttlMs <= 0 ? 'not to be cached' : `fresh until ${formatTime(sinceAtMs + ttlMs).slice(0, 8)}`;
  return scope === null ? until : `${until}, ${scope}`;
}

/** The same with the fields’ own names, for the tool tip. */
export function freshnessTip({ ttlMs, scope }: Freshness): string {
  return `ttlMs ${ttlMs} (${formatDuration(ttlMs)}), cacheScope ${scope ?? 'not given'}`;
}
