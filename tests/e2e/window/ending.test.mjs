// However the window ends, no server process is left.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { atDesk, connectDemo, xWindow, xdotool } from './desk.mjs';

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
