// However the window ends, no server process is left.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { atDesk, connect, connectDemo, xWindow, xdotool } from './desk.mjs';
import { family, isRunning } from './processes.mjs';
import { until } from './until.mjs';

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
    atDesk(async (desk) => {
      const { page, app } = await desk.open();
      await connectDemo(page);
      const servers = desk.servers();
      assert.equal(servers.length, 1, JSON.stringify(servers));
      await end(app);
      await desk.allGone([app, ...servers]);
    }),
  );
}

test(
  'a second SIGTERM does not wait for a server that will not end, and leaves nothing of it',
  atDesk(async (desk) => {
    const { page, app } = await desk.open();
    const program = join(process.env.PATCHBAY_BIN_DIR, 'patchbay-test-server');
    await connect(page, `${program} stubborn`);
    const [server] = desk.ours(program);
    const child = await until('the server has its child', () => family(server.pid)[1]);
    // Two that come as one are one; so until the app has ended.
    await until('the app has ended', () => {
      if (isRunning(app)) process.kill(app.pid, 'SIGTERM');
      return !isRunning(app);
    });
    await desk.allGone([server, child]);
    const log = readFileSync(join(desk.home, 'state', 'patchbay', 'patchbay.log'), 'utf8');
    assert.match(log, /without waiting for the servers/);
  }),
);
