// If the engine cannot be opened, the window shows the reason and the next action.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdirSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { withHarness, xWindow, xdotool } from './harness.mjs';
import { firstLine, gone } from './desktop/processes.mjs';
import { until } from './desktop/until.mjs';

/** Holds a data folder with `patchbay serve` until `test` is over, or `end` is called. */
async function held(harness, folder, test) {
  const serve = spawn(process.env.PATCHBAY_BIN, ['serve', '--data-dir', folder], {
    env: harness.env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = new Promise((resolve) => serve.once('close', resolve));
  const end = async () => {
    serve.kill('SIGTERM');
    await ended;
  };
  try {
    await firstLine(serve);
    await test({ pid: serve.pid, end });
  } finally {
    await end();
  }
}

const atHome = (page) =>
  until('the page is on show', async () => (await page.url()).startsWith('tauri:') && (await page.text()) !== '');

test(
  'a folder in use: its holder is shown, and a separate folder can be used',
  withHarness(async (harness) => {
    const folder = join(harness.home, 'held');
    await held(harness, folder, async (holder) => {
      const { page } = await harness.open('--data-dir', folder);
      await page.shows('Another Patchbay is using this data');
      assert.match(await page.text(), new RegExp(`process ${holder.pid}\\b`));
      await page.click('//a[@href="separate"]');
      await atHome(page);
      const { storeFile } = await page.call('app_info');
      assert.equal(storeFile, join(harness.home, 'held-2', 'traffic.sqlite'));
    });
  }),
);

test(
  'a released folder: the window continues automatically',
  withHarness(async (harness) => {
    const folder = join(harness.home, 'held');
    await held(harness, folder, async (holder) => {
      const { page } = await harness.open('--data-dir', folder);
      await page.shows('Another Patchbay is using this data');
      await holder.end();
      await atHome(page);
      assert.equal((await page.call('app_info')).storeFile, join(folder, 'traffic.sqlite'));
    });
  }),
);

test(
  'an unusable folder: the failure is shown, and the window can be closed',
  withHarness(async (harness) => {
    const folder = join(harness.home, 'blocked');
    mkdirSync(join(folder, 'traffic.lock'), { recursive: true });
    const { page, app } = await harness.open('--data-dir', folder);
    await page.shows('Patchbay’s files cannot be used');
    assert.match(await page.text(), /traffic\.lock: Is a directory/);
    rmdirSync(join(folder, 'traffic.lock'));
    await page.click('//a[@href="retry"]');
    await atHome(page);
    xdotool('windowactivate', '--sync', await xWindow(app), 'key', 'ctrl+q');
    await gone([app]);
  }),
);

test(
  'a folder that cannot be created: the window still opens',
  withHarness(async (harness) => {
    const file = join(harness.home, 'file');
    writeFileSync(file, '');
    // Not controlled by WebDriver: without a folder, WebKit does not allow automation.
    const ended = harness.start('--data-dir', join(file, 'below'));
    const app = await until('the app runs', () => harness.ours()[0]);
    xdotool('windowactivate', '--sync', await xWindow(app), 'key', 'ctrl+q');
    const { said } = await ended;
    assert.match(said, /file\/below: Not a directory/);
  }),
);
