// When the engine cannot be opened, the window says why and what can be done.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdirSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { atDesk, xWindow, xdotool } from './desk.mjs';
import { gone } from './processes.mjs';
import { until } from './until.mjs';

/** Holds a data folder with `patchbay serve` until `test` is over, or `end` is called. */
async function held(desk, folder, test) {
  const serve = spawn(process.env.PATCHBAY_BIN, ['serve', '--data-dir', folder], {
    env: desk.env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = new Promise((resolve) => serve.once('exit', resolve));
  const end = async () => {
    serve.kill('SIGTERM');
    await ended;
  };
  try {
    await new Promise((resolve) => serve.stdout.once('data', resolve));
    await test({ pid: serve.pid, end });
  } finally {
    await end();
  }
}

const atHome = (page) =>
  until('the page is on show', async () => (await page.url()).startsWith('tauri:') && (await page.text()) !== '');

test(
  'a folder that is in use: who uses it, and a separate folder instead',
  atDesk(async (desk) => {
    const folder = join(desk.home, 'held');
    await held(desk, folder, async (holder) => {
      const { page } = await desk.open('--data-dir', folder);
      await page.shows('Another Patchbay is using this data');
      assert.match(await page.text(), new RegExp(`process ${holder.pid}\\b`));
      await page.click('//a[@href="separate"]');
      await atHome(page);
      const { storeFile } = await page.call('app_info');
      assert.equal(storeFile, join(desk.home, 'held-2', 'traffic.sqlite'));
    });
  }),
);

test(
  'a folder that is in use no longer: the window goes on by itself',
  atDesk(async (desk) => {
    const folder = join(desk.home, 'held');
    await held(desk, folder, async (holder) => {
      const { page } = await desk.open('--data-dir', folder);
      await page.shows('Another Patchbay is using this data');
      await holder.end();
      await atHome(page);
      assert.equal((await page.call('app_info')).storeFile, join(folder, 'traffic.sqlite'));
    });
  }),
);

test(
  'a folder that cannot be used: what failed, and an end on request',
  atDesk(async (desk) => {
    const folder = join(desk.home, 'blocked');
    mkdirSync(join(folder, 'traffic.lock'), { recursive: true });
    const { page, app } = await desk.open('--data-dir', folder);
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
  'a folder that cannot be made: a window all the same',
  atDesk(async (desk) => {
    const file = join(desk.home, 'file');
    writeFileSync(file, '');
    // Not driven: without a folder WebKit keeps nothing, and then it lets nobody drive it.
    const ended = desk.start('--data-dir', join(file, 'below'));
    const app = await until('the app runs', () => desk.ours()[0]);
    xdotool('windowactivate', '--sync', await xWindow(app), 'key', 'ctrl+q');
    const { said } = await ended;
    assert.match(said, /file\/below: Not a directory/);
  }),
);
