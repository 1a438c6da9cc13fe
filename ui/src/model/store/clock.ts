import { useSyncExternalStore } from 'react';

/** How often running timers render, in ms. */
const TICK_MS = 100;

const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;
let now = Date.now();

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  timer ??= setInterval(() => {
    now = Date.now();
    for (const each of listeners) each();
  }, TICK_MS);
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) {
      clearInterval(timer);
      timer = undefined;
    }
  };
}

/** The time in ms since the Unix epoch, updated while mounted. All users share one timer. */
export function useNow(): number {
  return useSyncExternalStore(subscribe, () => now);
}
