// One window a data folder.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { atDesk } from './desk.mjs';

test(
  'a second start ends at once and leaves the first window open',
  atDesk(async (desk) => {
    const { page, app } = await desk.open();
    const second = await desk.start();
    assert.equal(second.code, 0, second.said);
    assert.deepEqual(
      desk.ours().map((one) => one.pid),
      [app.pid],
    );
    assert.match(await page.url(), /^tauri:/);
  }),
);

test(
  'another data folder is another window',
  atDesk(async (desk) => {
    const first = await desk.open('--data-dir', join(desk.home, 'one'));
    const second = await desk.open('--data-dir', join(desk.home, 'two'));
    assert.notEqual(first.app.pid, second.app.pid);
    assert.match((await first.page.call('app_info')).storeFile, /\/one\//);
    assert.match((await second.page.call('app_info')).storeFile, /\/two\//);
    const again = await desk.start('--data-dir', join(desk.home, 'one', '..', 'one'));
    assert.equal(again.code, 0, again.said);
  }),
);
