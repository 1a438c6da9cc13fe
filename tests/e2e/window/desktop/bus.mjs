// A separate session bus for a harness: with an unlocked keychain, or without any service.
import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { firstLine } from './processes.mjs';

/** Everything is allowed, and no service is started on demand. */
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

/** Starts a separate bus for the harness. It ends with the harness. */
export async function onOwnBus(harness) {
  const file = join(harness.home, 'bus.conf');
  writeFileSync(file, CONFIGURATION(join(harness.home, 'runtime')));
  const bus = spawn('dbus-daemon', [`--config-file=${file}`, '--nofork', '--nopidfile', '--print-address'], {
    env: harness.env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  harness.variables.DBUS_SESSION_BUS_ADDRESS = await firstLine(bus);
}

/** Starts an unlocked keychain on the harness's bus. */
export function withKeychain(harness) {
  mkdirSync(join(harness.home, 'data', 'keyrings'), { recursive: true, mode: 0o700 });
  const words = ['--unlock', '--components=secrets', '--daemonize'];
  execFileSync('gnome-keyring-daemon', words, { env: harness.env, input: 'test', stdio: ['pipe', 'ignore', 'ignore'] });
}
