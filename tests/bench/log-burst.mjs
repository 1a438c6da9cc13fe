// 10,000 log notifications within one call: all stored, the count on the screen right, the page never busy for long.
import { EVERYTHING, benchServer, engine, forgetTasks, launch, longestTask, openConnected, prepareCall, report, serve } from './measure.mjs';

const RUNS = 5;
const COUNT = 10_000;

const stored = [];
const lag = [];
const longest = [];
const browser = await launch();
try {
  for (let run = 0; run < RUNS; run++) {
    const { address, end } = await serve(benchServer());
    try {
      const page = await openConnected(browser, address);
      const call = await prepareCall(page, 'log_burst', JSON.stringify({ count: COUNT }));
      await forgetTasks(page);
      await watchCount(page);
      await call();
      const last = await lastNotification(page);
      stored.push(last.stored);
      lag.push(await page.evaluate(rightAfter, last));
      longest.push(await longestTask(page));
      await page.close();
    } finally {
      await end();
    }
  }
} finally {
  await browser.close();
}
report({ name: 'log-burst-stored', unit: 'records', values: stored, moreIsBetter: true });
report({ name: 'log-burst-count-right', unit: 'ms', values: lag });
report({ name: 'log-burst-longest-task', unit: 'ms', values: longest });
if (stored.some((count) => count !== COUNT)) throw new Error(`of ${COUNT} notifications were stored: ${stored.join(', ')}`);

/** Notes, frame by frame, when the count on the screen changed. */
function watchCount(page) {
  return page.evaluate(() => {
    window.counts = [];
    const look = () => {
      const text = document.querySelector('[data-testid="traffic-count"]')?.textContent ?? '';
      const count = Number(/[\d,.\s\u202f]+/.exec(text)?.[0].replace(/\D/g, '') ?? 0);
      if (window.counts.at(-1)?.count !== count) window.counts.push({ count, atMs: Date.now() });
      requestAnimationFrame(look);
    };
    look();
  });
}

/** Waits until the call is answered; then: when the last notification was recorded, where it stands, how many there are. */
async function lastNotification(page) {
  for (;;) {
    const { rows, total } = await engine(page, 'traffic_rows', { filter: { ...EVERYTHING, kinds: ['response'] }, offset: 0, limit: 500 });
    const answer = rows.find((row) => row.method === 'tools/call');
    if (answer !== undefined) {
      const filter = { ...EVERYTHING, kinds: ['notification'], text: 'of a burst' };
      const count = (await engine(page, 'traffic_rows', { filter, offset: 0, limit: 1 })).total;
      const [row] = (await engine(page, 'traffic_rows', { filter, offset: count - 1, limit: 1 })).rows;
      const { index } = await engine(page, 'traffic_locate', { filter: EVERYTHING, seq: row.seq });
      return { atMs: row.atMs, count: index + 1, stored: count, total };
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** In the page: how long after the last notification the count had reached it. */
function rightAfter({ atMs, count }) {
  return new Promise((resolve) => {
    const look = () => {
      const right = window.counts.find((seen) => seen.count >= count);
      if (right === undefined) requestAnimationFrame(look);
      else resolve(Math.max(0, right.atMs - atMs));
    };
    look();
  });
}
