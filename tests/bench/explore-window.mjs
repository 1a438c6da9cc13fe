// The second part of the benchmark `explore`: the same loads in the real window. WebKitGTK does not report long tasks, so a
// timer in the page measures them: the longest time between two of its ticks, which are 4 ms apart when nothing else runs.
import { writeSync } from 'node:fs';
import { Harness, connect } from '../e2e/window/harness.mjs';
import { onVirtualDisplay } from '../e2e/window/desktop/display.mjs';
import { until } from '../e2e/window/desktop/until.mjs';
import { LISTS, RESOURCES, RESULTS, TOOLS } from './exploreLoads.mjs';
import { asJson, benchServer, line, text } from './measure.mjs';

const RUNS = 3;
/** The descriptor of our stdout inside the session bus, whose own programs write to the usual one. */
const NUMBERS = 3;

const lines = [];
const report = (measured) => lines.push(line(measured));

/** In the page: starts to measure the longest task, and waits until `text` is painted within `selector`. */
const WATCH = `
  const [selector, text] = arguments;
  let clickedAt, last = performance.now();
  window.watched = { longest: 0 };
  const mine = window.watched;
  addEventListener('pointerdown', ({ timeStamp }) => (clickedAt ??= timeStamp), { capture: true, once: true });
  const tick = () => {
    const now = performance.now();
    mine.longest = Math.max(mine.longest, now - last - 4);
    last = now;
    if (window.watched === mine) setTimeout(tick, 0);
  };
  setTimeout(tick, 0);
  const look = () => {
    const there = [...document.querySelectorAll(selector)].some(({ textContent }) => textContent.includes(text));
    if (clickedAt === undefined || !there) return void requestAnimationFrame(look);
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => (mine.seen = { afterClick: performance.now() - clickedAt, atMs: Date.now() });
    port2.postMessage(null);
  };
  requestAnimationFrame(look);`;

/** In the page: the longest task of each key that is typed from now on, from its event until the frame after it is painted. */
const WATCH_KEYS = `
  window.keys = [];
  addEventListener('keydown', () => {
    const begun = performance.now();
    let ended = begun;
    // After the handlers of this event and the rendering they caused at once.
    queueMicrotask(() => (ended = performance.now()));
    requestAnimationFrame(() => {
      const frame = performance.now();
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => window.keys.push(ended - begun + (performance.now() - frame));
      port2.postMessage(null);
    });
  }, { capture: true });`;

async function watched(page, selector, text, act) {
  await page.run(WATCH, selector, text);
  await act();
  const seen = await until(`“${text}” is painted`, () => page.run('return window.watched.seen'), { within: 60_000, every: 250 });
  const longest = await page.run('const { longest } = window.watched; window.watched = {}; return longest');
  return { ...seen, longest };
}

const tab = (name) => `//*[@role="tab"][contains(., "${name}")]`;

async function measureList({ name, tab: place, list, find, first, query }) {
  const measured = { opened: [], longest: [], keystroke: [] };
  for (let run = 0; run < RUNS; run++) {
    const harness = new Harness();
    try {
      const { page } = await harness.open();
      await connect(page, JSON.stringify({ mcpServers: { bench: benchServer(TOOLS, RESOURCES) } }));
      await page.click('//*[@role="treeitem"][starts-with(@aria-label, "bench")]');
      await page.find('//*[@role="listbox"][@aria-label="Tools"]//*[@role="option"]');
      await page.click(tab('Info'));
      await page.find('//*[@role="tab"][@aria-selected="true"][contains(., "Info")]');
      const seen = await watched(page, `[role="listbox"][aria-label="${list}"]`, first, () => page.click(tab(place)));
      measured.opened.push(seen.afterClick);
      measured.longest.push(seen.longest);
      await page.click(`//input[@aria-label="${find}"]`);
      await page.run(WATCH_KEYS);
      for (const key of query) {
        const before = await page.run('return window.keys.length');
        await page.keys(key);
        await until('the key is painted', () => page.run('return window.keys.length > arguments[0]', before));
      }
      measured.keystroke.push(Math.max(...(await page.run('return window.keys'))));
    } finally {
      await harness.clear();
    }
  }
  report({ name: `window-${name}-opened`, unit: 'ms', values: measured.opened });
  report({ name: `window-${name}-longest-task`, unit: 'ms', values: measured.longest });
  report({ name: `window-${name}-slowest-key`, unit: 'ms', values: measured.keystroke });
}

async function measureResult({ name, bytes }) {
  const measured = { readable: [], longest: [] };
  for (let run = 0; run < RUNS; run++) {
    const harness = new Harness();
    try {
      const { page } = await harness.open();
      await connect(page, JSON.stringify({ mcpServers: { bench: benchServer() } }));
      await page.click('//*[@role="treeitem"][starts-with(@aria-label, "bench")]');
      await page.click('//*[@role="listbox"][@aria-label="Tools"]//*[@role="option"][contains(., "records")]');
      await page.type('//section[@aria-label="Arguments"]//input[@inputmode or @type="text" or @type="number"]', String(bytes));
      const seen = await watched(page, 'section[aria-label="Result"]', 'record 0', () => page.click('//button[contains(., "Call tool")]'));
      const { rows } = await page.call('traffic_rows', { filter: 'kind:response', offset: 0, limit: 500 });
      measured.readable.push(seen.atMs - rows.find((row) => row.method === 'tools/call').atMs);
      measured.longest.push(seen.longest);
    } finally {
      await harness.clear();
    }
  }
  report({ name: `window-result-${name}-readable`, unit: 'ms', values: measured.readable });
  report({ name: `window-result-${name}-longest-task`, unit: 'ms', values: measured.longest });
}

await onVirtualDisplay(
  async () => {
    for (const list of LISTS) await measureList(list);
    for (const result of RESULTS) await measureResult(result);
    for (const measured of lines) writeSync(NUMBERS, `${asJson ? JSON.stringify(measured) : text(measured)}\n`);
    return 0;
  },
  ['inherit', 2, 'inherit', 1],
);
