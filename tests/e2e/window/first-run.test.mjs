// The first start of Patchbay, and a restart.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { row, withHarness, xdotool, xWindow } from './harness.mjs';
import { gone } from './desktop/processes.mjs';
import { resize, shoot } from './desktop/shots.mjs';
import { until } from './desktop/until.mjs';

const tab = (text) => `//*[@role="tab"][contains(., "${text}")]`;
const button = (text) => `//button[contains(., "${text}")]`;

/** From the first screen to a tool's result. */
async function callATool(harness) {
  const opened = await harness.open();
  const { page } = opened;
  await page.find(button('Connect demo'));
  await shoot('first-screen', opened);
  await page.click(button('Connect demo'));
  await page.click(row('Tools', 'greet'));
  const field = '*[self::textarea or self::input[not(@type="radio")]]';
  await page.type(`//section[@aria-label="Arguments"]//${field}`, 'A patch cable');
  await page.click(button('Call tool'));
  await page.find('//section[@aria-label="Result"][contains(., "A patch cable")]');
  await page.find(row('Traffic', 'tools/call'));
  await shoot('tool-called', opened);
  return opened;
}

test(
  'first run: the demo server, a tool, its result and its traffic',
  withHarness(async (harness) => {
    const { page } = await callATool(harness);
    assert.equal(harness.servers().length, 1);
    const methods = await page.run(`
      const rows = document.querySelectorAll('[role="listbox"][aria-label="Traffic"] [role="option"]');
      return [...rows].map((row) => row.innerText).join('\\n');`);
    for (const method of ['tools/list', 'tools/call']) assert.match(methods, new RegExp(method));
  }),
);

test(
  'a restart keeps the servers, the log, the selection and the window position',
  withHarness(async (harness) => {
    const { page, app } = await callATool(harness);
    const window = await xWindow(app);
    await resize(page, window, 1111, 777);
    const { total } = await page.call('traffic_rows', ROWS);
    // The last change before the end is kept too.
    await page.click(tab('Info'));
    xdotool('windowactivate', '--sync', window, 'key', 'ctrl+q');
    await gone([app]);

    const again = await harness.open();
    await again.page.find(`${row('Servers', 'Demo server')}[@aria-selected="true"]`);
    await again.page.find(row('Traffic', 'tools/call'));
    const now = await again.page.call('traffic_rows', ROWS);
    assert.ok(now.total >= total, `${now.total} records of ${total}`);
    await until('the window has its size', () =>
      again.page.run('return innerWidth === 1111 && innerHeight === 777'),
    );
    assert.equal(harness.servers().length, 0, 'nothing is connected unasked');
    await again.page.click(button('Connect'));
    await again.page.find(`${tab('Info')}[@aria-selected="true"]`);
  }),
);

const ROWS = { filter: '', offset: 0, limit: 1 };
