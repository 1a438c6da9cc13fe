// A tool result of 1 MB and of 10 MB of JSON text: from the arrival of its last byte until it can be read.
import { EVERYTHING, benchServer, engine, forgetTasks, launch, longestTask, openConnected, prepareCall, report, serve } from './measure.mjs';

const RUNS = 5;
const SIZES = [
  ['1mb', 1_000_000],
  ['10mb', 10_000_000],
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
} finally {
  await browser.close();
}

/** Promises the moment at which the beginning of the records stands on the screen. */
function watchResult(page) {
  return page.evaluate(() => {
    window.readable = new Promise((resolve) => {
      const look = () => {
        const result = document.querySelector('section[aria-label="Result"]');
        if (result?.textContent?.includes('record 0') === true) resolve(Date.now());
        else requestAnimationFrame(look);
      };
      look();
    });
  });
}

async function response(page) {
  const { rows } = await engine(page, 'traffic_rows', { filter: { ...EVERYTHING, kinds: ['response'] }, offset: 0, limit: 500 });
  return rows.find((row) => row.method === 'tools/call');
}
