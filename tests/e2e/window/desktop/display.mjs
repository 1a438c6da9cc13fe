// A virtual display and a separate session bus.
import { execFileSync, spawn, spawnSync } from 'node:child_process';

const INSIDE = 'PATCHBAY_WINDOW_INSIDE';

/**
 * Runs `main` there, by running this program again; ends the process with what `main` answers. `stdio`: what it runs with
 * there, and what the bus starts by itself, which may write to stdout.
 */
export async function onVirtualDisplay(main, stdio = 'inherit') {
  if (!process.env[INSIDE]) process.exit(again(stdio));
  // The first key of xdotool changes the keymap of the display. The window manager then takes its keys again, and one that is
  // pressed meanwhile is lost, so it is started after that.
  execFileSync('xdotool', ['key', 'Shift_L'], { timeout: 20_000 });
  // Alt-F4 and focus need a window manager.
  const manager = spawn('openbox', [], { stdio: 'ignore' });
  try {
    process.exitCode = await main();
  } finally {
    manager.kill();
  }
}

function again(stdio) {
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
    // The same size on every machine.
    WEBKIT_DISABLE_DMABUF_RENDERER: '1',
  };
  delete env.WAYLAND_DISPLAY;
  const { status, error } = spawnSync('dbus-run-session', words, { env, stdio });
  if (error) console.error(`dbus-run-session: ${error.message}`);
  return status ?? 1;
}
