// 10,000 log notifications within one call: all are stored, the count on screen is right, the page stays responsive.
import { INSPECTOR, PATIENCE_MS, inspect, prepareTool } from './inspector.mjs';
import { EVERYTHING, benchServer, engine, forgetTasks, launch, longestTask, openConnected, prepareCall, press, report, serve, untilSeen } from './measure.mjs';

const RUNS = 5;
const COUNT = 10_000;
/** The count measured for the peer and, to compare like with like, for us. */
const FEW = 1_000;

const stored = [];
const lag = [];
const longest = [];
const few = { done: [], longest: [] };
const peer = { done: [], longest: [] };
let note = `one run of the peer, of ${FEW} notifications`;
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
      await measureFew(page);
      await page.close();
    } finally {
      await end();
    }
  }
  try {
    await measurePeer();
  } catch (thrown) {
    note = `${INSPECTOR} was not measured: ${thrown.message.split('\n')[0]}`;
  }
} finally {
  await browser.close();
}
report({ name: 'log-burst-stored', unit: 'records', values: stored, moreIsBetter: true });
report({ name: 'log-burst-count-right', unit: 'ms', values: lag });
report({ name: 'log-burst-longest-task', unit: 'ms', values: longest });
report({ name: 'log-burst-1000-answered', unit: 'ms', values: few.done, peer: { name: INSPECTOR, values: peer.done, note } });
report({ name: 'log-burst-1000-longest-task', unit: 'ms', values: few.longest, peer: { name: INSPECTOR, values: peer.longest, note } });
if (stored.some((count) => count !== COUNT)) throw new Error(`of ${COUNT} notifications were stored: ${stored.join(', ')}`);

/** From the click until the call's result, which follows the last notification, is on screen. */
async function measureFew(page) {
  const call = await prepareCall(page, 'log_burst', JSON.stringify({ count: FEW }));
  await forgetTasks(page);
  few.done.push(await untilSeen(page, call, { selector: 'section[aria-label="Result"]', text: `${FEW} notifications sent` }));
  few.longest.push(await longestTask(page));
}

async function measurePeer() {
  const { page, end } = await inspect(browser, benchServer());
  try {
    const execute = await prepareTool(page, 'log_burst', 'count', FEW);
    await forgetTasks(page);
    const seen = await untilSeen(page, await press(page, execute), {
      selector: 'body',
      text: `${FEW} notifications sent`,
      patienceMs: PATIENCE_MS,
      everyMs: 200,
    });
    if (seen === null) {
      // A task that is still running is not reported.
      note = `${INSPECTOR} did not show the answer to ${FEW} notifications within ${PATIENCE_MS / 1000} s`;
    } else {
      peer.done.push(seen);
      peer.longest.push(await longestTask(page));
    }
  } finally {
    await Promise.race([page.close(), new Promise((resolve) => setTimeout(resolve, 5_000))]);
    await end();
  }
}

/** Records, frame by frame, when the count on screen changed. */
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

/** Waits for the call's answer; returns when the last notification was recorded, its position, and the count. */
async function lastNotification(page) {
  for (const until = Date.now() + 60_000; Date.now() < until; ) {
    const { rows, total } = await engine(page, 'traffic_rows', { filter: 'kind:response', offset: 0, limit: 500 });
    const answer = rows.find((row) => row.method === 'tools/call');
    if (answer !== undefined) {
      const filter = 'kind:notification "of a burst"';
      const count = (await engine(page, 'traffic_rows', { filter, offset: 0, limit: 1 })).total;
      const [row] = (await engine(page, 'traffic_rows', { filter, offset: count - 1, limit: 1 })).rows;
      const { index } = await engine(page, 'traffic_locate', { filter: EVERYTHING, seq: row.seq });
      return { atMs: row.atMs, count: index + 1, stored: count, total };
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error('the call was not answered within 60 s');
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
