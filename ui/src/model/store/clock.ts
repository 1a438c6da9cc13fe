import { useSyncExternalStore } from 'react';

/** How often running timers render, in ms. */
const TICK_MS = 100;

const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;
let now = Date.now();

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  if (timer === undefined) {
    now = Date.now();
    timer = setInterval(() => {
      now = Date.now();
      for (const each of listeners) each();
    }, TICK_MS);
  }
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) {
      clearInterval(timer);
      timer = undefined;
    }
  };
}

/** The time in ms since the Unix epoch, rounded down to a step. Renders once a step while mounted; all users share one timer. */
export function useNow(stepMs: number = TICK_MS): number {
  return useSyncExternalStore(subscribe, () => Math.floor(now / stepMs) * stepMs);
}

/** How long it is since a time, in ms: in steps of a tenth of a second, and from ten seconds on in whole seconds. */
export function useElapsed(sinceAtMs: number): number {
  return useSyncExternalStore(subscribe, () => {
    const elapsed = Math.max(0, now - sinceAtMs);
    return elapsed - (elapsed % stepOf(elapsed));
  });
}

/** How long it is until a time, in ms, in the steps of {@link useElapsed}; 0 after it. */
export function useRemaining(untilAtMs: number): number {
  return useSyncExternalStore(subscribe, () => {
    const remaining = Math.max(0, untilAtMs - now);
    const step = stepOf(remaining);
    return Math.ceil(remaining / step) * step;
  });
}

/** What runs for minutes, such as a call that waits for the user or an open stream, need not be drawn ten times a second. */
function stepOf(ms: number): number {
  return ms < 10_000 ? TICK_MS : 1000;
}
