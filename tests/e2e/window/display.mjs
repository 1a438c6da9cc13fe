// A virtual display and a session bus of our own.
import { spawn, spawnSync } from 'node:child_process';

const INSIDE = 'PATCHBAY_WINDOW_INSIDE';

/** Runs `main` there, by running this program again; ends the process with what `main` answers. */
export async function onVirtualDisplay(main) {
  if (!process.env[INSIDE]) process.exit(again());
  // Alt-F4 and focus need a window manager.
  const manager = spawn('openbox', [], { stdio: 'ignore' });
  try {
    process.exitCode = await main();
  } finally {
    manager.kill();
  }
}

function again() {
  const words = [
    '--',
    'xvfb-run',
    '-a',
    '-s',
    '-screen 0 1920x1200x24',
    process.execPath,
    ...process.argv.slice(1),
  ];
  const env = {
    ...process.env,
    [INSIDE]: '1',
    GDK_BACKEND: 'x11',
    NO_AT_BRIDGE: '1',
    GTK_USE_PORTAL: '0',
    // The same pixels everywhere.
    WEBKIT_DISABLE_DMABUF_RENDERER: '1',
  };
  delete env.WAYLAND_DISPLAY;
  const { status, error } = spawnSync('dbus-run-session', words, { env, stdio: 'inherit' });
  if (error) console.error(`dbus-run-session: ${error.message}`);
  return status ?? 1;
}
