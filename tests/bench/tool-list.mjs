// 1,000 tools: from the arrival of the list until it can be used; what a keystroke in the search costs the page.
import { EVERYTHING, benchServer, engine, launch, openConnected, report, serve } from './measure.mjs';

const RUNS = 5;
const QUERY = 'filler_0512';

const usable = [];
const keystroke = [];
const browser = await launch();
try {
  for (let run = 0; run < RUNS; run++) {
    const { address, end } = await serve(benchServer(1000));
    try {
      const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
      await context.addInitScript(watchList);
      const page = await openConnected(context, address);
      const seenAtMs = await page.evaluate(() => window.listed);
      const { rows } = await engine(page, 'traffic_rows', { filter: { ...EVERYTHING, kinds: ['response'] }, offset: 0, limit: 500 });
      usable.push(seenAtMs - rows.find((row) => row.method === 'tools/list').atMs);
      keystroke.push(await worstKeystroke(page));
      await context.close();
    } finally {
      await end();
    }
  }
} finally {
  await browser.close();
}
report({ name: 'tool-list-usable', unit: 'ms', values: usable });
report({ name: 'tool-list-keystroke', unit: 'ms', values: keystroke });

/** In the page: promises the moment at which the first tool stands in the list. */
function watchList() {
  window.listed = new Promise((resolve) => {
    const look = () => {
      if (document.querySelector('[role="listbox"][aria-label="Tools"] [role="option"]') !== null) resolve(Date.now());
      else requestAnimationFrame(look);
    };
    look();
  });
}

/** The most main-thread time that one keystroke of the query took, with all the rendering it caused. */
async function worstKeystroke(page) {
  const find = page.getByLabel('Find tools');
  await find.click();
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('Performance.enable');
  const busy = async () => {
    const { metrics } = await cdp.send('Performance.getMetrics');
    return metrics.find(({ name }) => name === 'TaskDuration').value * 1000;
  };
  let worst = 0;
  for (const key of QUERY) {
    const before = await busy();
    await page.keyboard.press(key);
    // Two frames: what the key changed is on the screen.
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
    worst = Math.max(worst, (await busy()) - before);
  }
  return worst;
}
