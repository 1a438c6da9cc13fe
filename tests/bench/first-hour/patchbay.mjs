// Our side of the first hour: the page of `patchbay serve`, driven as a user would.
import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { family, memory } from '../../e2e/window/desktop/processes.mjs';
import { openStarted, prepareCall, press, serve, serverRow, untilSeen, watchPage } from '../measure.mjs';

export const RUNS = 5;

/** From the start of the process to the first paint of its page, and the memory of the process with it open (PSS: shared pages count once). */
export async function measureStart(browser) {
  const measured = { paint: [], memory: [] };
  for (let run = 0; run < RUNS; run++) {
    const { child, address, startedAt, end } = await startEmpty();
    try {
      const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
      measured.paint.push((await paintedAt(page, address)) - startedAt);
      await page.getByRole('button', { name: 'Connect demo' }).waitFor();
      measured.memory.push(memory(family(child.pid)));
      await page.close();
    } finally {
      await end();
    }
  }
  return measured;
}

/** When the page at the address was first painted, in ms since the epoch. */
export async function paintedAt(page, address) {
  await page.goto(address);
  const paint = await page.waitForFunction(() => performance.getEntriesByName('first-contentful-paint')[0]?.startTime);
  return (await page.evaluate(() => performance.timeOrigin)) + (await paint.jsonValue());
}

/** `patchbay serve` on an empty folder, as a newcomer starts it. */
async function startEmpty() {
  const folder = await mkdtemp(join(tmpdir(), 'patchbay-bench-'));
  const startedAt = Date.now();
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
  return { child, address, startedAt, end };
}

/** From “Connect demo” to its tools, and from “Call tool” to the result. */
export async function measureDemo(browser) {
  const measured = { connected: [], result: [] };
  for (let run = 0; run < RUNS; run++) {
    const { address, end } = await startEmpty();
    try {
      const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
      await page.addInitScript(watchPage);
      await page.goto(address);
      const connect = await press(page, page.getByRole('button', { name: 'Connect demo' }));
      measured.connected.push(await seen(page, connect, TOOLS, 'greet'));
      const call = await prepareCall(page, 'greet', '{"name":"Ada"}');
      measured.result.push(await seen(page, call, RESULT, 'Ada'));
      await page.close();
    } finally {
      await end();
    }
  }
  return measured;
}

const TOOLS = '[role="listbox"][aria-label="Tools"]';
const RESULT = 'section[aria-label="Result"]';
const PANEL = 'section[aria-label="bench"]';

/** One scenario: connected and a result, or what is wrong named and failed. */
export async function measureScenario(browser, { name, server, call, named, failed }) {
  const measured = call === undefined ? { ...(named === undefined ? {} : { named: [] }), failed: [] } : { connected: [], result: [] };
  for (let run = 0; run < RUNS; run++) {
    const { address, end } = await serve(server);
    try {
      const page = await openStarted(browser, address);
      await serverRow(page).click();
      const connect = await press(page, page.getByRole('button', { name: 'Connect', exact: true }));
      if (call === undefined) {
        const times = await seenBoth(page, connect, named, failed);
        if (named !== undefined) measured.named.push(must(times.named, `${name}: it was not named`));
        measured.failed.push(must(times.failed, `${name}: no failure was shown`));
      } else {
        measured.connected.push(await seen(page, connect, TOOLS, call.tool));
        const send = await prepareCall(page, call.tool, JSON.stringify({ [call.argument]: call.value }));
        measured.result.push(await seen(page, send, RESULT, call.result));
      }
      await page.close();
    } finally {
      await end();
    }
  }
  return measured;
}

async function seen(page, click, selector, text) {
  return must(await untilSeen(page, click, { selector, text }), `“${text}” was not shown`);
}

/** From one click until what is wrong is named, if that is asked for, and until the failure. */
async function seenBoth(page, click, named, failed) {
  if (named !== undefined) await page.evaluate(watchName, [PANEL, named]);
  const failure = await untilSeen(page, click, { selector: PANEL, text: failed });
  return { named: await page.evaluate(() => window.namedAfter ?? null), failed: failure };
}

/** In the page: when the text was first painted, in ms after the first press. */
function watchName([where, what]) {
  let clickedAt;
  addEventListener('pointerdown', (event) => (clickedAt ??= event.timeStamp), { capture: true, once: true });
  const look = () => {
    const isThere = document.querySelector(where)?.textContent.includes(what) === true;
    if (clickedAt === undefined || !isThere) requestAnimationFrame(look);
    else window.afterPaint(() => (window.namedAfter = performance.now() - clickedAt));
  };
  requestAnimationFrame(look);
}

function must(value, message) {
  if (value === null) throw new Error(message);
  return value;
}
