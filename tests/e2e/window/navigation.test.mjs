// The window shows only our page, and the page can reach only the engine.
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { test } from 'node:test';
import { withHarness } from './harness.mjs';

test(
  'the page cannot navigate away or reach the network',
  withHarness(async (harness) => {
    let asked = 0;
    const server = createServer((_, response) => {
      asked += 1;
      response.end('away');
    });
    await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = `http://127.0.0.1:${server.address().port}/`;
    try {
      const { page } = await harness.open();
      const home = await page.url();
      await page.run('location.href = arguments[0]', address);
      await page.run('window.open(arguments[0])', address);
      const fetched = await page.wait('fetch(args[0]).then(() => "reached", (error) => error.name)', address);
      assert.equal(fetched, 'TypeError');
      const shown = `new Promise((done) => {
        const image = new Image();
        image.onload = () => done('loaded');
        image.onerror = () => done('refused');
        image.src = args[0];
      })`;
      assert.equal(await page.wait(shown, address), 'refused');
      assert.equal(await page.url(), home);
      assert.equal(asked, 0);
    } finally {
      server.close();
    }
  }),
);

test(
  'the page can use only the four functions of the contract',
  withHarness(async (harness) => {
    const { page } = await harness.open();
    const refused = (command) =>
      page.wait(
        'window.__TAURI_INTERNALS__.invoke(args[0]).then(() => "allowed", (error) => String(error))',
        command,
      );
    for (const command of [
      'plugin:window|close',
      'plugin:event|emit',
      'plugin:webview|print',
      'plugin:window-state|filename',
    ]) {
      assert.match(await refused(command), /not allowed|not found/, command);
    }
    assert.equal(await page.run('return typeof window.__TAURI__'), 'undefined');
  }),
);
