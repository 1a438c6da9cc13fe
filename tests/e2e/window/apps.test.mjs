// Apps of servers (MCP Apps) in the real window: WebKit shows them, and they reach neither Tauri nor the network.
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { test } from 'node:test';
import { connect, connectDemo, row, withHarness } from './harness.mjs';
import { shoot } from './desktop/shots.mjs';

const HOSTILE = join(import.meta.dirname, '..', 'explore', 'hostileApps.mjs');
const button = (text) => `//button[contains(., "${text}")]`;
const dockTab = (text) => `//*[@role="tab"][contains(., "${text}")]`;

/** Calls a tool that has an app, and waits until the app has introduced itself. */
async function callWithApp(page, tool) {
  await page.click(row('Servers'));
  await page.type('//input[@aria-label="Search tools"]', tool);
  await page.click(row('Tools', tool));
  await page.click(button('Call tool'));
  await page.find('//section[@aria-label="App"]//output[contains(., "Running")]');
  await page.click(dockTab('App messages'));
}

test(
  'the app of the demo server is shown and gets its arguments',
  withHarness(async (harness) => {
    const opened = await harness.open();
    const { page } = opened;
    await connectDemo(page);
    await callWithApp(page, 'show_counter');
    await page.find(row('App messages', 'ui/notifications/tool-input'));
    await page.find(row('App messages', 'ui/notifications/tool-result'));
    await shoot('app', opened);
  }),
);

test(
  'a hostile app reaches neither Tauri, nor the page, nor the network',
  withHarness(async (harness) => {
    let asked = 0;
    const server = createServer((_, response) => {
      asked += 1;
      response.end('outside');
    });
    await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
    try {
      const { page } = await harness.open();
      const node = process.env.PATCHBAY_NODE ?? process.execPath;
      await connect(page, `${node} ${HOSTILE} http://127.0.0.1:${server.address().port}`);
      await callWithApp(page, 'escape');
      await page.find(row('App messages', 'done'));
      await page.type('//input[@aria-label="Search messages"]', 'own host: blocked');
      await page.find(row('App messages', 'own host: blocked'));
      await page.click('//button[@aria-label="Clear text"]');
      await page.type('//input[@aria-label="Search messages"]', 'REACHED');
      await page.find('//*[contains(text(), "No matching messages")]');
      assert.equal(asked, 0);
    } finally {
      server.close();
    }
  }),
);
