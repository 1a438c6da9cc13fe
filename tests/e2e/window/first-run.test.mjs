// What somebody does who opens Patchbay for the first time, and what they find when they open it again.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { atDesk, xWindow, xdotool } from './desk.mjs';
import { gone } from './processes.mjs';
import { resize, shoot } from './shots.mjs';
import { until } from './until.mjs';

const option = (list, text) =>
  `//*[@role="listbox"][@aria-label="${list}"]//*[@role="option"][contains(., "${text}")]`;
const tab = (text) => `//*[@role="tab"][contains(., "${text}")]`;
const button = (text) => `//button[contains(., "${text}")]`;

/** From the first screen to a tool's answer. */
async function callATool(desk) {
  const opened = await desk.open();
  const { page } = opened;
  await page.find(button('Connect demo'));
  await shoot('first-screen', opened);
  await page.click(button('Connect demo'));
  await page.click(option('Tools', 'greet'));
  const field = '*[self::textarea or self::input[not(@type="radio")]]';
  await page.type(`//section[@aria-label="Arguments"]//${field}`, 'A patch cable');
  await page.click(button('Call tool'));
  await page.find('//section[@aria-label="Result"][contains(., "A patch cable")]');
  await page.find(option('Traffic', 'tools/call'));
  await shoot('tool-called', opened);
  return opened;
}

test(
  'first run: the demo server, a tool, its answer, and the traffic of it',
  atDesk(async (desk) => {
    const { page } = await callATool(desk);
    assert.equal(desk.servers().length, 1);
    const methods = await page.run(`
      const rows = document.querySelectorAll('[role="listbox"][aria-label="Traffic"] [role="option"]');
      return [...rows].map((row) => row.innerText).join('\\n');`);
    for (const method of ['tools/list', 'tools/call']) assert.match(methods, new RegExp(method));
  }),
);

test(
  'a restart keeps the servers, the log, the selection and the place of the window',
  atDesk(async (desk) => {
    const { page, app } = await callATool(desk);
    const window = await xWindow(app);
    await resize(page, window, 1111, 777);
    const { total } = await page.call('traffic_rows', ROWS);
    // The last thing before the end is kept too.
    await page.click(tab('Info'));
    xdotool('windowactivate', '--sync', window, 'key', 'ctrl+q');
    await gone([app]);

    const again = await desk.open();
    await again.page.find(`${option('Servers', 'Demo server')}[@aria-selected="true"]`);
    await again.page.find(option('Traffic', 'tools/call'));
    const now = await again.page.call('traffic_rows', ROWS);
    assert.ok(now.total >= total, `${now.total} records of ${total}`);
    await until('the window has its size', () =>
      again.page.run('return innerWidth === 1111 && innerHeight === 777'),
    );
    assert.equal(desk.servers().length, 0, 'nothing is connected unasked');
    await again.page.click(button('Connect'));
    await again.page.find(`${tab('Info')}[@aria-selected="true"]`);
  }),
);

const ROWS = { filter: '', offset: 0, limit: 1 };
