import type { Page } from '@playwright/test';

// How long the window is blocked, in processor time of its main thread: what else the machine has to do is not in it.

/** What the reference work takes, in ms, on the machine that the limits are meant for. */
const REFERENCE_MS = 60;

interface TraceEvent {
  name: string;
  ph: string;
  pid: number;
  tid: number;
  args?: { name?: string };
  /** Processor time in µs. */
  tdur?: number;
}

/** Does something, waits until what was asked for is drawn, and returns the longest task that the main thread had meanwhile, in ms. */
async function longestTask(page: Page, act: () => Promise<unknown>): Promise<number> {
  const browser = page.context().browser();
  if (browser === null) throw new Error('only a browser can be traced');
  let trace: Buffer;
  await browser.startTracing(page, { categories: ['-*', 'toplevel'] });
  try {
    await act();
    await drawn(page);
  } finally {
    trace = await browser.stopTracing();
  }
  const { traceEvents } = JSON.parse(trace.toString()) as { traceEvents: TraceEvent[] };
  const thread = ({ pid, tid }: TraceEvent): string => `${pid} ${tid}`;
  const isMain = ({ name, args }: TraceEvent): boolean => name === 'thread_name' && args?.name === 'CrRendererMain';
  const main = new Set(traceEvents.filter(isMain).map(thread));
  const isTask = ({ name, ph }: TraceEvent): boolean => name === 'ThreadControllerImpl::RunTask' && ph === 'X';
  const tasks = traceEvents.filter((event) => isTask(event) && main.has(thread(event)));
  const durations = tasks.flatMap(({ tdur }) => tdur ?? []);
  if (durations.length === 0) throw new Error('the trace has no processor time of the main thread');
  return durations.reduce((longest, each) => Math.max(longest, each)) / 1000;
}

/** Two frames and an idle moment. */
function drawn(page: Page): Promise<void> {
  return page.evaluate(
    () =>
      new Promise<void>((resolve) => {
        requestAnimationFrame(() => requestAnimationFrame(() => requestIdleCallback(() => resolve())));
      }),
  );
}

/** How much slower this machine is than the one the limits are meant for: the best of some runs of a fixed piece of work. */
async function slowness(page: Page): Promise<number> {
  const work = (): Promise<void> =>
    page.evaluate(() => {
      const rows = Array.from({ length: 40_000 }, (_, at) => ({
        at,
        text: `row ${at}`,
      }));
      JSON.parse(JSON.stringify(rows));
    });
  let best = Infinity;
  for (let run = 0; run < 5; run += 1) best = Math.min(best, await longestTask(page, work));
  return Math.max(1, best / REFERENCE_MS);
}

/**
 * Does something several times, and returns the longest task of the best run, in ms, and the limit on this machine: only what is
 * slow each time counts.
 */
export async function bestOf(page: Page, limitMs: number, acts: (() => Promise<void>)[]): Promise<{ ms: number; limit: number }> {
  let limit = limitMs;
  let ms = Infinity;
  for (const act of acts) {
    ms = Math.min(ms, await longestTask(page, act));
    if (ms > limit) limit = Math.max(limit, limitMs * (await slowness(page)));
    if (ms <= limit) break;
  }
  return { ms: Math.round(ms), limit: Math.round(limit) };
}
