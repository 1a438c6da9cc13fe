// One window per data folder.
import assert from 'node:assert/strict';
import { copyFileSync, existsSync, mkdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { APP, connectDemo, withHarness } from './harness.mjs';

test(
  'a second start ends at once and leaves the first window open',
  withHarness(async (harness) => {
    const { page, app } = await harness.open();
    const second = await harness.start();
    assert.equal(second.code, 0, second.said);
    assert.deepEqual(
      harness.ours().map((one) => one.pid),
      [app.pid],
    );
    assert.match(await page.url(), /^tauri:/);
  }),
);

test(
  'another data folder is another window',
  withHarness(async (harness) => {
    const first = await harness.open('--data-dir', join(harness.home, 'one'));
    const second = await harness.open('--data-dir', join(harness.home, 'two'));
    assert.notEqual(first.app.pid, second.app.pid);
    assert.match((await first.page.call('app_info')).storeFile, /\/one\//);
    assert.match((await second.page.call('app_info')).storeFile, /\/two\//);
    const again = await harness.start('--data-dir', join(harness.home, 'one', '..', 'one'));
    assert.equal(again.code, 0, again.said);
  }),
);

test(
  'a link is shown for review by the window it starts, and by the one that is open; nothing runs',
  withHarness(async (harness) => {
    const ran = join(harness.home, 'ran');
    const link = (name) => `patchbay://add?name=${name}&command=${encodeURIComponent(`touch ${ran}`)}`;
    const { page } = await harness.open(link('first'));
    const named = (name) => `//*[@role="dialog"]//input[@value="${name}"]`;
    await page.find(named('first'));
    await page.click('//*[@role="dialog"]//button[contains(., "Cancel")]');
    const second = await harness.start(link('second'));
    assert.equal(second.code, 0, second.said);
    await page.find(named('second'));
    assert.deepEqual((await page.call('server_list')).items, []);
    assert.equal(existsSync(ran), false);
    const refused = await harness.start('not-a-link');
    assert.equal(refused.code, 2);
    assert.match(refused.said, /not a link that begins with patchbay:/);
  }),
);

test(
  'a package installed over a running window: it goes on, and starts servers with the new program',
  withHarness(async (harness) => {
    mkdirSync(join(harness.home, 'bin'));
    harness.program = join(harness.home, 'bin', 'patchbay-app');
    copyFileSync(APP, harness.program);
    const { page, app } = await harness.open();
    // As dpkg does: the new file gets the name of the old one, which is then no file of the disk any more.
    copyFileSync(APP, `${harness.program}.dpkg-new`);
    renameSync(`${harness.program}.dpkg-new`, harness.program);
    await connectDemo(page);
    assert.equal(harness.servers().length, 1);
    assert.equal(harness.servers()[0].args[0], harness.program);
    const second = await harness.start();
    assert.equal(second.code, 0, second.said);
    assert.deepEqual(
      harness.ours().filter((one) => !one.args.includes('demo-server')).map((one) => one.pid),
      [app.pid],
    );
  }),
);
