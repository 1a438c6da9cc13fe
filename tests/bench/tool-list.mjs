// 1,000 tools: from the request until the list is usable; reopening it; the cost of a key in the search.
import { INSPECTOR, inspect, openTools } from './inspector.mjs';
import { EVERYTHING, benchServer, connect, engine, launch, mainThread, median, openStarted, press, report, serve, untilSeen } from './measure.mjs';

const RUNS = 5;
const TOOLS = 1000;
const QUERY = 'filler_0512';

const usable = [];
const answered = [];
const opened = [];
const keystroke = [];
const floor = [];
const peer = { opened: [], keystroke: [] };
let note;
const browser = await launch();
try {
  for (let run = 0; run < RUNS; run++) {
    const { address, end } = await serve(benchServer(TOOLS));
    try {
      const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
      const page = await openStarted(context, address);
      await page.evaluate(watchList);
      await connect(page);
      const usableAtMs = await page.evaluate(() => window.usable);
      const { rows } = await engine(page, 'traffic_rows', { filter: EVERYTHING, offset: 0, limit: 500 });
      const at = (kind) => rows.find((row) => row.method === 'tools/list' && row.kind === kind).atMs;
      usable.push(usableAtMs - at('request'));
      answered.push(at('response') - at('request'));
      await page.getByRole('tab', { name: 'Info' }).click();
      await page.getByRole('listbox', { name: 'Tools' }).waitFor({ state: 'detached' });
      const again = await press(page, page.getByRole('tab', { name: 'Tools' }));
      opened.push(await untilSeen(page, again, { selector: '[role="listbox"][aria-label="Tools"]', text: 'filler_0000' }));
      keystroke.push(await keystrokes(page, page.getByLabel('Find tools')));
      floor.push(await onBarePage());
      await context.close();
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
const beside = (values) => ({ name: INSPECTOR, values, note: values.length < RUNS ? note : undefined });
// Not measured for the peer: Inspector lists while connecting and does not say when.
report({ name: 'tool-list-usable', unit: 'ms', values: usable });
report({ name: 'tool-list-server', unit: 'ms', values: answered, note: 'the part of tool-list-usable that is the server: request to answer' });
report({ name: 'tool-list-opened', unit: 'ms', values: opened, peer: beside(peer.opened) });
// Each key is measured in several runs: the slowest key is the one with the worst median, not the machine's worst moment.
report({ name: 'tool-list-keystroke', unit: 'ms', values: slowestKey(keystroke), peer: beside(slowestKey(peer.keystroke)) });
report({ name: 'tool-list-keystroke-floor', unit: 'ms', values: slowestKey(floor), note: 'the part of it that a bare input in an empty page takes as well' });

/**
 * In the page: resolves when the list is usable: its first tool and the right count (the server's few
 * tools plus the thousand) have been painted, and the search accepts text.
 */
function watchList() {
  window.usable = new Promise((resolve, reject) => {
    setTimeout(() => reject(new Error('the list could not be used within 60 s')), 60_000);
    const look = () => {
      const list = document.querySelector('[role="listbox"][aria-label="Tools"]');
      const there =
        list?.querySelector('[role="option"]') != null &&
        /\b1,0\d\d tools/.test(list.closest('section').textContent) &&
        document.querySelector('input[aria-label="Find tools"]')?.disabled === false;
      if (there) window.afterPaint(() => resolve(Date.now()));
      else requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  });
}

/** The times of all runs for the key with the worst median. */
function slowestKey(runs) {
  const byKey = Array.from(QUERY, (_, key) => runs.map((run) => run[key]));
  return runs.length === 0 ? [] : byKey.reduce((worst, of) => (median(of) > median(worst) ? of : worst));
}

/** The cost of the same keys where nothing is searched. */
async function onBarePage() {
  const page = await browser.newPage();
  await page.setContent('<input aria-label="Nothing">');
  const took = await keystrokes(page, page.getByLabel('Nothing'));
  await page.close();
  return took;
}

/** The main-thread time of each key of the query, including the rendering it caused. */
async function keystrokes(page, find) {
  await find.click();
  // The last opened panel is saved to disk a moment later; that is not part of the first key's cost.
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  const main = await mainThread(page);
  const took = [];
  for (const key of QUERY) {
    const before = await main.settled();
    await page.keyboard.press(key);
    took.push((await main.settled()) - before);
  }
  return took;
}

async function measurePeer() {
  const { page, end } = await inspect(browser, benchServer(TOOLS));
  try {
    await openTools(page);
    for (let run = 0; run < RUNS; run++) {
      await page.getByText('Servers', { exact: true }).first().click();
      await page.getByRole('button', { name: 'Collapse all' }).waitFor();
      const again = await press(page, page.getByText('Tools', { exact: true }).first());
      const seen = await untilSeen(page, again, { selector: 'button', text: 'filler_0000' });
      if (seen !== null) peer.opened.push(seen);
    }
    const find = page.getByPlaceholder('Search tools...');
    for (let run = 0; run < RUNS; run++) {
      peer.keystroke.push(await keystrokes(page, find));
      await find.fill('');
    }
  } finally {
    await page.close();
    await end();
  }
}
