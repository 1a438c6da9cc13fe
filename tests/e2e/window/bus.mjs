// A session bus of a desk's own: with an unlocked keychain on it, or with no service at all and none that could start.
import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Everybody may do everything; nothing is started because somebody asks for it. */
const CONFIGURATION = (folder) => `<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
 "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig>
  <type>session</type>
  <listen>unix:dir=${folder}</listen>
  <policy context="default">
    <allow send_destination="*" eavesdrop="true"/>
    <allow eavesdrop="true"/>
    <allow own="*"/>
  </policy>
</busconfig>
`;

/** Puts the desk on a bus of its own. It ends with the desk. */
export async function onOwnBus(desk) {
  const file = join(desk.home, 'bus.conf');
  writeFileSync(file, CONFIGURATION(join(desk.home, 'runtime')));
  const bus = spawn('dbus-daemon', [`--config-file=${file}`, '--nofork', '--nopidfile', '--print-address'], {
    env: desk.env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const address = await new Promise((resolve, reject) => {
    bus.stdout.once('data', (text) => resolve(String(text).trim()));
    bus.once('exit', (code) => reject(new Error(`dbus-daemon ended with ${code}`)));
  });
  desk.variables.DBUS_SESSION_BUS_ADDRESS = address;
}

/** Puts an unlocked keychain on the desk's bus. */
export function withKeychain(desk) {
  mkdirSync(join(desk.home, 'data', 'keyrings'), { recursive: true, mode: 0o700 });
  const words = ['--unlock', '--components=secrets', '--daemonize'];
  execFileSync('gnome-keyring-daemon', words, { env: desk.env, input: 'test', stdio: ['pipe', 'ignore', 'ignore'] });
}
