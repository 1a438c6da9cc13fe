// No server process is left when the window ends, in any way.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { withHarness, connect, connectDemo, isShown, xWindow, xdotool } from './harness.mjs';
import { family, gone, isRunning } from './desktop/processes.mjs';
import { until } from './desktop/until.mjs';

const WAYS = {
  'is killed': ({ pid }) => process.kill(pid, 'SIGKILL'),
  'gets SIGTERM': ({ pid }) => process.kill(pid, 'SIGTERM'),
  'gets SIGINT': ({ pid }) => process.kill(pid, 'SIGINT'),
  'is closed with Alt-F4': async (app) => press(app, 'alt+F4'),
  'is quit with Ctrl-Q': async (app) => press(app, 'ctrl+q'),
};

async function press(app, key) {
  xdotool('windowactivate', '--sync', await xWindow(app), 'key', '--clearmodifiers', key);
}

for (const [way, end] of Object.entries(WAYS)) {
  test(
    `no server outlives the window when it ${way}`,
    withHarness(async (harness) => {
      const { page, app } = await harness.open();
      await connectDemo(page);
      const servers = harness.servers();
      assert.equal(servers.length, 1, JSON.stringify(servers));
      await end(app);
      await harness.allGone([app, ...servers]);
    }),
  );
}

test(
  'a second SIGTERM kills a server that does not end',
  withHarness(async (harness) => {
    const { page, app } = await harness.open();
    const program = join(process.env.PATCHBAY_BIN_DIR, 'patchbay-test-server');
    await connect(page, `${program} stubborn`);
    const [server] = harness.ours(program);
    const child = await until('the server has its child', () => family(server.pid)[1]);
    // Two signals may be delivered as one, so they are sent until the app has ended.
    await until('the app has ended', () => {
      try {
        if (isRunning(app)) process.kill(app.pid, 'SIGTERM');
      } catch (error) {
        if (error.code !== 'ESRCH') throw error; // It has just ended.
      }
      return !isRunning(app);
    });
    await harness.allGone([server, child]);
    const log = readFileSync(join(harness.home, 'state', 'patchbay', 'patchbay.log'), 'utf8');
    assert.match(log, /without waiting for the servers/);
  }),
);

test(
  'a change is kept when the window is closed right after it',
  withHarness(async (harness) => {
    const { page, app } = await harness.open();
    await connectDemo(page);
    const servers = harness.servers();
    await page.click('//*[@role="tab"][contains(., "Problems")]');
    process.kill(app.pid, 'SIGTERM');
    await harness.allGone([app, ...servers]);
    const log = readFileSync(join(harness.home, 'state', 'patchbay', 'patchbay.log'), 'utf8');
    assert.doesNotMatch(log, /the page did not say/);
    const again = await harness.open();
    const { stateJson } = await again.page.call('ui_state_get');
    assert.equal(JSON.parse(stateJson).dockTab, 'problems');
  }),
);

test(
  'a link that is opened while the window ends is shown by the next one, which starts by itself',
  withHarness(async (harness) => {
    const link = (name) => `patchbay://add?name=${name}&url=http%3A%2F%2F127.0.0.1%3A1%2Fmcp`;
    const { page, app } = await harness.open(link('first'));
    const program = join(process.env.PATCHBAY_BIN_DIR, 'patchbay-test-server');
    await connect(page, `${program} stubborn`);
    await xWindow(app);
    process.kill(app.pid, 'SIGTERM');
    await until('the window is put away', () => !isShown('--pid', String(app.pid), '--name', '^Patchbay'));
    const second = await harness.start(link('second'));
    assert.equal(second.code, 0, second.said);
    assert.equal(isRunning(app), true, 'it was still ending its server');
    // Not any other process: one that is just being started has the arguments of the app that starts it.
    const started = () => harness.ours().find((one) => one.args.includes(link('second')));
    const next = await until('it has started again', started);
    assert.deepEqual(next.args.slice(1), [link('second')]);
    await gone([app]);
    await xWindow(next);
  }),
);
