// Shared by the benchmarks of results: JSON text of any size, from the answer until it is readable.
import { INSPECTOR, PATIENCE_MS, inspect, prepareTool } from './inspector.mjs';
import { benchServer, engine, forgetTasks, longestTask, openConnected, prepareCall, press, report, serve, untilSeen } from './measure.mjs';

/** From the arrival of the answer until the result is readable, and the longest task since the click. */
export async function measureResult(browser, { name, bytes, runs, besidePeer }) {
  const readable = [];
  const longest = [];
  const fromClick = [];
  for (let run = 0; run < runs; run++) {
    const { address, end } = await serve(benchServer());
    try {
      const page = await openConnected(browser, address);
      const call = await prepareCall(page, 'records', JSON.stringify({ bytes }));
      await forgetTasks(page);
      const seen = await untilSeen(page, call, { selector: 'section[aria-label="Result"]', text: 'record 0' });
      const seenAtMs = await page.evaluate(() => window.seenAtMs);
      const { rows } = await engine(page, 'traffic_rows', { filter: 'kind:response', offset: 0, limit: 500 });
      readable.push(seenAtMs - rows.find((row) => row.method === 'tools/call').atMs);
      fromClick.push(seen);
      longest.push(await longestTask(page));
      await page.close();
    } finally {
      await end();
    }
  }
  report({ name: `${name}-readable`, unit: 'ms', values: readable });
  report({ name: `${name}-longest-task`, unit: 'ms', values: longest });
  const peer = besidePeer ? await peerOfResult(browser, bytes) : null;
  report({ name: `${name}-from-click`, unit: 'ms', values: fromClick, peer });
}

/** One run only: the peer takes long, and longer for more. */
async function peerOfResult(browser, bytes) {
  const values = [];
  let note = 'one run of the peer';
  try {
    const { page, end } = await inspect(browser, benchServer());
    try {
      const execute = await press(page, await prepareTool(page, 'records', 'bytes', bytes));
      const ms = await untilSeen(page, execute, { selector: 'body', text: 'record 0', patienceMs: PATIENCE_MS, everyMs: 200 });
      if (ms === null) note = `${INSPECTOR} did not show it within ${PATIENCE_MS / 1000} s`;
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
