import type { Freshness } from '../../contract/generated';
import { formatDuration, formatTime } from '../text/format';

/** `ttlMs` and `cacheScope` of a list (2026-07-28) in words: `fresh until 12:04:05 · private`, `ttlMs 0 · public`. */
export function freshnessWords({ ttlMs, scope, sinceAtMs }: Freshness): string {
  const until = ttlMs <= 0 ? `ttlMs ${ttlMs}` : `fresh until ${formatTime(sinceAtMs + ttlMs).slice(0, 8)}`;
  return scope === null ? until : `${until} · ${scope}`;
}

/** The same with the names of the fields, for the tooltip. */
export function freshnessTip({ ttlMs, scope }: Freshness): string {
  return `ttlMs ${ttlMs} (${formatDuration(ttlMs)}), cacheScope ${scope ?? 'not given'}`;
}
