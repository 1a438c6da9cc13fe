// Explore with much to show: 5,000 tools, a tree of 10,000 resources, results of 1, 10 and 50 MB. In Chromium, beside MCP
// Inspector on the same servers where it can do the same; then in the real window (`explore-window.mjs`).
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { INSPECTOR, inspect, openTools } from './inspector.mjs';
import { keystrokes, keystrokesOnBarePage, slowestKey, watchList } from './lists.mjs';
import { LISTS, RESOURCES, RESULTS, TOOLS } from './exploreLoads.mjs';
import { benchServer, connect, engine, forgetTasks, launch, longestTask, openStarted, press, report, serve, untilSeen } from './measure.mjs';
import { measureResult } from './results.mjs';

const RUNS = 5;

const browser = await launch();
try {
  for (const list of LISTS) await measureList(list);
  for (const result of RESULTS) await measureResult(browser, { ...result, name: `explore-result-${result.name}` });
} finally {
  await browser.close();
}
const window = fileURLToPath(new URL('explore-window.mjs', import.meta.url));
process.exitCode = spawnSync(process.execPath, [window, ...process.argv.slice(2)], { stdio: 'inherit' }).status ?? 1;

/** From the request, and from the server's last answer, until the list is usable, the longest task meanwhile, reopening it, and the slowest key of a search. */
async function measureList({ name, tab, list, find, count, first, method, query }) {
  const measured = { usable: [], answered: [], longest: [], opened: [], keystroke: [], floor: [] };
  for (let run = 0; run < RUNS; run++) {
    const { address, end } = await serve(benchServer(TOOLS, RESOURCES));
    try {
      const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
      const page = await openStarted(context, address);
      if (tab !== 'Tools') {
        await connect(page);
        await page.getByRole('listbox', { name: 'Tools' }).getByRole('option').first().waitFor();
      }
      await page.evaluate(watchList, { list, find, count });
      await forgetTasks(page);
      if (tab === 'Tools') await connect(page);
      else await page.getByRole('tab', { name: tab }).click();
      const usableAtMs = await page.evaluate(() => window.usable);
      measured.longest.push(await longestTask(page));
      const { rows } = await engine(page, 'traffic_rows', { filter: `method:${method}`, offset: 0, limit: 500 });
      measured.usable.push(usableAtMs - rows.find((row) => row.kind === 'request').atMs);
      measured.answered.push(usableAtMs - Math.max(...rows.filter((row) => row.kind === 'response').map((row) => row.atMs)));
      await page.getByRole('tab', { name: 'Info' }).click();
      await page.getByRole('listbox', { name: list, exact: true }).waitFor({ state: 'detached' });
      const again = await press(page, page.getByRole('tab', { name: tab }));
      measured.opened.push(await untilSeen(page, again, { selector: `[role="listbox"][aria-label="${list}"]`, text: first }));
      measured.keystroke.push(await keystrokes(page, page.getByLabel(find), query));
      measured.floor.push(await keystrokesOnBarePage(browser, query));
      await context.close();
    } finally {
      await end();
    }
  }
  const peer = await peerOfList(tab, query);
  const beside = (values) => ({ name: INSPECTOR, values, note: peer.note });
  report({ name: `explore-${name}-usable`, unit: 'ms', values: measured.usable });
  const ours = 'without the time until the server had answered';
  report({ name: `explore-${name}-usable-after-answer`, unit: 'ms', values: measured.answered, note: ours });
  report({ name: `explore-${name}-longest-task`, unit: 'ms', values: measured.longest });
  report({ name: `explore-${name}-opened`, unit: 'ms', values: measured.opened, peer: beside(peer.opened) });
  report({ name: `explore-${name}-keystroke`, unit: 'ms', values: slowestKey(measured.keystroke), peer: beside(slowestKey(peer.keystroke)) });
  report({ name: `explore-${name}-keystroke-floor`, unit: 'ms', values: slowestKey(measured.floor), note: 'the part of it that a bare input in an empty page takes as well' });
}

/** The same list in Inspector, opened and searched. It has no tree: its resources are a plain list. */
async function peerOfList(tab, query) {
  const peer = { opened: [], keystroke: [], note: undefined };
  try {
    const { page, end } = await inspect(browser, benchServer(TOOLS, RESOURCES));
    try {
      page.setDefaultTimeout(30_000);
      if (tab === 'Tools') await openTools(page);
      for (let run = 0; run < RUNS; run++) {
        await page.getByText('Servers', { exact: true }).first().click();
        await page.getByRole('button', { name: 'Collapse all' }).first().waitFor();
        const again = await press(page, page.getByText(tab, { exact: true }).first());
        const seen = await untilSeen(page, again, { selector: 'button', text: tab === 'Tools' ? 'filler_0000' : 'entry_00000.json' });
        if (seen === null) throw new Error('its list was not shown within 60 s');
        peer.opened.push(seen);
      }
      const find = page.getByPlaceholder(tab === 'Tools' ? 'Search tools...' : 'Search...', { exact: true }).first();
      for (let run = 0; run < RUNS; run++) {
        peer.keystroke.push(await keystrokes(page, find, query));
        await find.fill('');
      }
    } finally {
      await page.close();
      await end();
    }
  } catch (thrown) {
    peer.note = `${INSPECTOR} was not measured in full: ${thrown.message.split('\n')[0]}`;
  }
  return peer;
}
