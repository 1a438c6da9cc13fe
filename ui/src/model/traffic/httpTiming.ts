import type { HttpExchangeItem, HttpTimingItem } from '../../contract/generated';

/** A part of an exchange on the time axis. */
export interface TimePart {
  name: string;
  /** From the beginning of the exchange, in ms. */
  startMs: number;
  /** How long it took, in ms. */
  lengthMs: number;
  /** Whether it is still running. */
  isOpen: boolean;
}

/** The parts of an exchange, one after the other, and how long the whole is. */
export interface Waterfall {
  parts: TimePart[];
  totalMs: number;
  reused: boolean;
}

const ENDS = new Set(['end', 'failed', 'aborted']);

/** When it ended, in ms after its start; null while it runs. */
export function endOf({ stages }: Pick<HttpExchangeItem, 'stages'>): number | null {
  return stages.findLast(({ stage }) => ENDS.has(stage))?.afterMs ?? null;
}

/** Lays out the parts of an exchange. `nowMs` is the time since it began, for one that has not ended. */
export function waterfallOf(
  timing: HttpTimingItem | null,
  endMs: number | null,
  nowMs: number,
): Waterfall | null {
  if (timing === null) return null;
  const parts: TimePart[] = [];
  let at = 0;
  const add = (name: string, ms: number | null): void => {
    if (ms === null) return;
    parts.push({ name, startMs: at, lengthMs: ms, isOpen: false });
    at += ms;
  };
  add('DNS', timing.dnsMs);
  add('Connect', timing.connectMs);
  add('TLS', timing.tlsMs);
  const isOpen = endMs === null;
  const end = Math.max(at, endMs ?? nowMs);
  if (timing.firstByteMs === null) {
    // A failed connection has no waiting time.
    if (isOpen) parts.push({ name: 'Waiting', startMs: at, lengthMs: end - at, isOpen });
  } else {
    add('Waiting', timing.firstByteMs);
    parts.push({ name: 'Download', startMs: at, lengthMs: Math.max(0, end - at), isOpen });
  }
  return { parts, totalMs: Math.max(end, at), reused: timing.reused };
}

/** The position of a part on an axis of 100 %, always wide enough to be seen. */
export function barOf(part: TimePart, totalMs: number): { left: number; width: number } {
  if (totalMs <= 0) return { left: 0, width: 100 };
  const left = Math.min(99.5, (part.startMs / totalMs) * 100);
  return { left, width: Math.max(0.5, Math.min(100 - left, (part.lengthMs / totalMs) * 100)) };
}

/** The wording of the stages of an exchange. */
export function stageWord(stage: string): string {
  return STAGES[stage] ?? stage;
}

const STAGES: Record<string, string> = {
  sent: 'Sent',
  connected: 'Connected',
  head: 'Head',
  sseId: 'SSE id',
  sseRetry: 'SSE retry',
  sseComment: 'SSE comment',
  redirect: 'Redirect',
  body: 'Body',
  end: 'End',
  failed: 'Failed',
  aborted: 'Aborted',
};

/** The severity of a stage or a status. */
export function stageTone(stage: string): 'error' | 'warn' | 'plain' {
  if (stage === 'failed') return 'error';
  return stage === 'aborted' || stage === 'redirect' ? 'warn' : 'plain';
}

export function statusTone(status: number): 'ok' | 'warn' | 'error' {
  if (status < 300) return 'ok';
  return status < 400 ? 'warn' : 'error';
}
