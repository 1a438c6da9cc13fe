// Shared by the UI benchmarks: the release build, Chromium, statistics.
import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const { chromium } = createRequire(new URL('../e2e/package.json', import.meta.url))('@playwright/test');

export const asJson = process.argv.includes('--json');

/** The rmcp server with a log burst, records of any size and any number of tools and resources. */
export function benchServer(tools = 0, resources = 0) {
  const program = join(process.env.PATCHBAY_BIN_DIR ?? '.', 'patchbay-rmcp-server');
  const args = (name, count) => (count > 0 ? [name, String(count)] : []);
  return { command: program, args: [...args('--tools', tools), ...args('--resources', resources)] };
}

/** The median; for an even count the lower of the two middle values. */
export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor((sorted.length - 1) / 2)];
}

/** Prints one measurement (see `line`). */
export function report(measured) {
  console.log(asJson ? JSON.stringify(line(measured)) : text(line(measured)));
}

/**
 * The line of one measurement. `values` and `peer.values` hold one number per run; if less is better, the ratio is inverted.
 * A peer that did not finish has no values, and the note says what happened.
 */
export function line({ name, unit, values, peer = null, moreIsBetter = false, note = peer?.note }) {
  const value = median(values);
  const peerValue = peer === null || peer.values.length === 0 ? null : median(peer.values);
  const ratio = peerValue === null ? null : moreIsBetter ? value / peerValue : peerValue / value;
  return { name, value: round(value), unit, peer: peer?.name ?? null, peerValue: round(peerValue), ratio: round(ratio), runs: values.length, ...(note === undefined ? {} : { note }) };
}

/** A line as words. */
export function text({ name, value, unit, peer, peerValue, ratio, runs, note }) {
  const beside = peer === null ? '' : `   ${peer} ${peerValue ?? 'nothing'}   ${ratio ?? '-'} x`;
  return `${name.padEnd(32)}${String(value).padStart(10)} ${unit}${beside}   (median of ${runs})${note === undefined ? '' : `   ${note}`}`;
}

function round(value) {
  return value === null || !Number.isFinite(value) ? null : Math.round(value * 1000) / 1000;
}

/** Chromium as the tests start it. */
export function launch() {
  return chromium.launch({
    executablePath: process.env.PATCHBAY_CHROMIUM,
    args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'],
  });
}

/** `patchbay serve` with one server configured. `prepare` writes what else is in its folder. */
export async function serve(server, prepare = async () => {}) {
  const folder = await mkdtemp(join(tmpdir(), 'patchbay-bench-'));
  await writeFile(join(folder, 'servers.json'), JSON.stringify({ mcpServers: { bench: server } }));
  await prepare(folder);
  const child = spawn(process.env.PATCHBAY_BIN, ['serve', '--data-dir', folder], { stdio: ['ignore', 'pipe', 'inherit'] });
  const address = await new Promise((resolve, reject) => {
    createInterface({ input: child.stdout }).once('line', resolve);
    child.once('exit', (code) => reject(new Error(`patchbay serve ended with ${code}`)));
  });
  const end = async () => {
    const gone = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGTERM');
    await gone;
    await rm(folder, { recursive: true, force: true });
  };
  return { address, end };
}

/** Runs in the page before anything else: records every long task, and reports when a frame has been painted. */
export function watchPage() {
  window.longTasks = [];
  new PerformanceObserver((list) => {
    for (const { startTime, duration } of list.getEntries()) window.longTasks.push({ startTime, duration });
  }).observe({ type: 'longtask', buffered: true });
  // Called in an animation frame: that frame is laid out and painted before the next task.
  window.afterPaint = (then) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = then;
    port2.postMessage(null);
  };
}

/** How busy the main thread of a page is, without the cost of asking. */
export async function mainThread(page) {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('Performance.enable');
  let asked = 0;
  const ask = async () => {
    asked += 1;
    const { metrics } = await cdp.send('Performance.getMetrics');
    return metrics.find(({ name }) => name === 'TaskDuration').value * 1000;
  };
  const costs = [];
  for (let before = await ask(); costs.length < 9; ) {
    const now = await ask();
    costs.push(now - before);
    before = now;
  }
  const cost = median(costs);
  return {
    /** Its busy time so far in ms, once it is idle: two samples 100 ms apart that differ by less than 1 ms. */
    async settled() {
      for (let before = await ask(); ; ) {
        await new Promise((resolve) => setTimeout(resolve, 100));
        const now = await ask();
        if (now - before < 1) return now - asked * cost;
        before = now;
      }
    },
  };
}

/** The row of the server in the list of servers. */
export function serverRow(page) {
  return page.getByRole('treeitem', { name: /^bench: / });
}

/** A page at the address that has finished starting. */
export async function openStarted(browser, address) {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  await page.addInitScript(watchPage);
  await page.goto(address);
  await serverRow(page).waitFor();
  await (await mainThread(page)).settled();
  return page;
}

/**
 * Connects the server with a double click at human speed: 100 ms between the clicks, the first of which selects. The page is
 * not queried meanwhile, because each poll of a waiting locator is work for its main thread.
 */
export async function connect(page) {
  const { x, y, width, height } = await serverRow(page).boundingBox();
  const at = [x + width / 2, y + height / 2];
  await page.mouse.click(...at);
  await new Promise((resolve) => setTimeout(resolve, 100));
  await page.mouse.click(...at, { clickCount: 2 });
}

/** A started page with the server connected and its tools listed. */
export async function openConnected(browser, address) {
  const page = await openStarted(browser, address);
  await connect(page);
  await page.getByRole('listbox', { name: 'Tools' }).getByRole('option').first().waitFor();
  return page;
}

/** Forgets the long tasks so far. */
export function forgetTasks(page) {
  return page.evaluate(() => {
    window.longTasks = [];
  });
}

/** The longest task since then, in ms; 0 if none was over 50 ms (shorter ones are not reported). */
export function longestTask(page) {
  return page.evaluate(() => Math.max(0, ...window.longTasks.map(({ duration }) => duration)));
}

/** Calls the engine over a separate socket, as the page could. */
export function engine(page, name, params) {
  return page.evaluate(
    ([call, given]) =>
      new Promise((resolve, reject) => {
        const socket = new WebSocket(`ws://${location.host}/ws`);
        socket.onopen = () => {
          socket.send(JSON.stringify({ page: sessionStorage.getItem('patchbay.page') }));
          socket.send(JSON.stringify({ id: 1, call, params: given }));
        };
        socket.onmessage = ({ data }) => {
          const answer = JSON.parse(data);
          if ('error' in answer) reject(new Error(answer.error.message));
          else resolve(answer.ok);
          socket.close();
        };
        socket.onclose = ({ code }) => reject(new Error(`the socket was closed with ${code}`));
      }),
    [name, params],
  );
}

export const EVERYTHING = '';

/** Selects a tool and enters its arguments. */
export async function prepareCall(page, tool, argumentsJson) {
  await page.getByLabel('Search tools').fill(tool);
  await page.getByRole('listbox', { name: 'Tools' }).getByRole('option').filter({ hasText: tool }).first().click();
  const pane = page.getByRole('region', { name: 'Arguments' });
  await pane.getByText('JSON', { exact: true }).click();
  await pane.getByRole('textbox', { name: 'Arguments as JSON' }).click();
  await page.keyboard.press('ControlOrMeta+A');
  await page.keyboard.insertText(argumentsJson);
  const button = pane.getByRole('button', { name: 'Call tool' });
  // What is measured is the call, not the question before it.
  if ((await button.getAttribute('data-asks')) !== null) {
    await pane.getByRole('button', { name: 'Call options' }).click();
    await page.getByLabel('Ask before calls').first().click();
    await page.getByRole('option', { name: 'Always call this tool without asking' }).click();
    await page.keyboard.press('Escape');
  }
  return press(page, button);
}

/**
 * Returns a function that clicks there with the mouse alone. `locator.click()` also queries the page for the element under the
 * pointer, which costs up to 15 ms of main thread that a user's click does not.
 */
export async function press(page, locator) {
  await locator.scrollIntoViewIfNeeded();
  return async () => {
    const { x, y, width, height } = await locator.boundingBox();
    await page.mouse.click(x + width / 2, y + height / 2);
  };
}

/** From the click until the page says so, in ms, by the page's own clock; null if it does not within `patienceMs`. */
export async function untilSeen(page, click, { selector, text, patienceMs = 60_000, everyMs = 0 }) {
  await page.evaluate(
    ([where, what, every]) => {
      let clickedAt;
      addEventListener('pointerdown', (event) => (clickedAt ??= event.timeStamp), { capture: true, once: true });
      window.seenAfter = undefined;
      window.seenAtMs = undefined;
      const again = every === 0 ? requestAnimationFrame : (look) => setTimeout(look, every);
      const painted = every === 0 ? window.afterPaint : (then) => requestAnimationFrame(() => window.afterPaint(then));
      const look = () => {
        const there = Array.from(document.querySelectorAll(where)).some(({ textContent }) => textContent.includes(what));
        if (clickedAt === undefined || !there) again(look);
        else
          painted(() => {
            window.seenAtMs = Date.now();
            window.seenAfter = performance.now() - clickedAt;
          });
      };
      again(look);
    },
    [selector, text, everyMs],
  );
  await click();
  try {
    await page.waitForFunction(() => window.seenAfter, undefined, { timeout: patienceMs, polling: 250 });
    return await page.evaluate(() => window.seenAfter);
  } catch {
    return null;
  }
}
