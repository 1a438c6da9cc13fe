// 1,000 tools: from the request until the list is usable; reopening it; the cost of a key in the search.
import { INSPECTOR, inspect, openTools } from './inspector.mjs';
import { keystrokes, keystrokesOnBarePage, slowestKey, watchList } from './lists.mjs';
import { EVERYTHING, benchServer, connect, engine, launch, openStarted, press, report, serve, untilSeen } from './measure.mjs';

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
      await page.evaluate(watchList, { list: 'Tools', find: 'Search tools', count: '1,0\\d\\d tools' });
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
      keystroke.push(await keystrokes(page, page.getByLabel('Search tools'), QUERY));
      floor.push(await keystrokesOnBarePage(browser, QUERY));
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

async function measurePeer() {
  const { page, end } = await inspect(browser, benchServer(TOOLS));
  try {
    await openTools(page);
    for (let run = 0; run < RUNS; run++) {
      await page.getByText('Servers', { exact: true }).first().click();
      await page.getByRole('button', { name: 'Collapse all' }).first().waitFor();
      const again = await press(page, page.getByText('Tools', { exact: true }).first());
      const seen = await untilSeen(page, again, { selector: 'button', text: 'filler_0000' });
      if (seen !== null) peer.opened.push(seen);
    }
    const find = page.getByPlaceholder('Search tools...');
    for (let run = 0; run < RUNS; run++) {
      peer.keystroke.push(await keystrokes(page, find, QUERY));
      await find.fill('');
    }
  } finally {
    await page.close();
    await end();
  }
}
