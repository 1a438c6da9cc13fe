// A tool result of 1 MB and 10 MB of JSON text: from the arrival of its last byte until it is readable.
import { INSPECTOR, PATIENCE_MS, inspect, prepareTool } from './inspector.mjs';
import { benchServer, engine, forgetTasks, launch, longestTask, openConnected, prepareCall, press, report, serve, untilSeen } from './measure.mjs';

const RUNS = 5;
const SIZES = [
  ['1mb', 1_000_000],
  ['10mb', 10_000_000],
];

/** The sizes measured for the peer and, to compare like with like, for us: from the click until readable. */
const BESIDE = [
  ['100kb', 100_000],
  ['1mb', 1_000_000],
];

const browser = await launch();
try {
  for (const [label, bytes] of SIZES) {
    const readable = [];
    const longest = [];
    for (let run = 0; run < RUNS; run++) {
      const { address, end } = await serve(benchServer());
      try {
        const page = await openConnected(browser, address);
        const call = await prepareCall(page, 'records', JSON.stringify({ bytes }));
        await forgetTasks(page);
        await watchResult(page);
        await call();
        const seenAtMs = await page.evaluate(() => window.readable);
        const answer = await response(page);
        readable.push(seenAtMs - answer.atMs);
        longest.push(await longestTask(page));
        await page.close();
      } finally {
        await end();
      }
    }
    report({ name: `large-results-${label}-readable`, unit: 'ms', values: readable });
    report({ name: `large-results-${label}-longest-task`, unit: 'ms', values: longest });
  }
  for (const [label, bytes] of BESIDE) await beside(label, bytes);
} finally {
  await browser.close();
}

/** Promises the moment at which the beginning of the records has been painted. */
function watchResult(page) {
  return page.evaluate(() => {
    window.readable = new Promise((resolve) => {
      const look = () => {
        const result = document.querySelector('section[aria-label="Result"]');
        if (result?.textContent?.includes('record 0') === true) window.afterPaint(() => resolve(Date.now()));
        else requestAnimationFrame(look);
      };
      requestAnimationFrame(look);
    });
  });
}

async function response(page) {
  const { rows } = await engine(page, 'traffic_rows', { filter: 'kind:response', offset: 0, limit: 500 });
  return rows.find((row) => row.method === 'tools/call');
}

async function beside(label, bytes) {
  const seen = [];
  for (let run = 0; run < RUNS; run++) {
    const { address, end } = await serve(benchServer());
    try {
      const page = await openConnected(browser, address);
      const call = await prepareCall(page, 'records', JSON.stringify({ bytes }));
      seen.push(await untilSeen(page, call, { selector: 'section[aria-label="Result"]', text: 'record 0' }));
      await page.close();
    } finally {
      await end();
    }
  }
  report({ name: `large-results-${label}-from-click`, unit: 'ms', values: seen, peer: await peerOf(bytes) });
}

/** One run only: the peer takes long, and longer for more. */
async function peerOf(bytes) {
  const values = [];
  let note = 'one run of the peer';
  try {
    const { page, end } = await inspect(browser, benchServer());
    try {
      const execute = await press(page, await prepareTool(page, 'records', 'bytes', bytes));
      const options = { selector: 'body', text: 'record 0', patienceMs: PATIENCE_MS, everyMs: 200 };
      const ms = await untilSeen(page, execute, options);
      if (ms === null) note = `${INSPECTOR} did not show ${bytes} bytes within ${PATIENCE_MS / 1000} s`;
      else values.push(ms);
    } finally {
      await Promise.race([page.close(), new Promise((resolve) => setTimeout(resolve, 5_000))]);
      await end();
    }
  } catch (thrown) {
    note = `${INSPECTOR} was not measured: ${thrown.message.split('\n')[0]}`;
  }
  return { name: INSPECTOR, values, note };
}
