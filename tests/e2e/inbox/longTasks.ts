import type { Page } from '@playwright/test';

// How long the window is blocked, measured in the browser itself.

declare global {
  interface Window {
    longTasks: number[];
  }
}

/** What the reference work takes, in ms, on the machine that the limits are meant for. */
const REFERENCE_MS = 60;

/** Begins to note the tasks of the main thread that take 50 ms or more. */
export async function noteLongTasks(page: Page): Promise<void> {
  await page.evaluate(() => {
    window.longTasks = [];
    new PerformanceObserver((list) => {
      window.longTasks.push(...list.getEntries().map(({ duration }) => duration));
    }).observe({ type: 'longtask' });
  });
}

/** How much slower this machine is now than the one the limits are meant for: the best of some runs of a fixed piece of work. */
export function slowness(page: Page): Promise<number> {
  return page.evaluate((reference) => {
    let best = Infinity;
    for (let run = 0; run < 5; run += 1) {
      const started = performance.now();
      const rows = Array.from({ length: 40_000 }, (_, at) => ({
        at,
        text: `row ${at}`,
      }));
      JSON.parse(JSON.stringify(rows));
      best = Math.min(best, performance.now() - started);
    }
    return Math.max(1, best / reference);
  }, REFERENCE_MS);
}

/** Waits until what was asked for is drawn: two frames and an idle moment. */
function drawn(page: Page): Promise<void> {
  return page.evaluate(
    () =>
      new Promise<void>((resolve) => {
        requestAnimationFrame(() => requestAnimationFrame(() => requestIdleCallback(() => resolve())));
      }),
  );
}

/**
 * Does something several times, and returns the longest task of the best run, in ms, and the limit on this machine: only what is
 * slow each time counts, not what else the machine had to do.
 */
export async function longestTask(page: Page, limitMs: number, acts: (() => Promise<void>)[]): Promise<{ ms: number; limit: number }> {
  let limit = limitMs * (await slowness(page));
  let ms = Infinity;
  for (const act of acts) {
    if (ms <= limit) break;
    await page.evaluate(() => (window.longTasks = []));
    await act();
    await drawn(page);
    ms = Math.min(ms, await page.evaluate(() => Math.max(0, ...window.longTasks)));
    // The machine may have become busy meanwhile.
    if (ms > limit) limit = Math.max(limit, limitMs * (await slowness(page)));
  }
  return { ms: Math.round(ms), limit: Math.round(limit) };
}
