// The servers of the first hour: two real ones, a slow start, and every wrong server that a newcomer meets.
import { spawn } from 'node:child_process';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';

const EVERYTHING = join(process.env.PATCHBAY_PEERS_NODE ?? '.', 'mcp-server-everything');
const SCRIPTED = join(process.env.PATCHBAY_BIN_DIR ?? '.', 'patchbay-test-server');

/** How long the slow server sleeps before it starts, in s. */
export const SLOW_S = 3;
/** The timeout of the silent servers, in ms. */
export const TIMEOUT_MS = 5_000;

const timeouts = { requestMs: TIMEOUT_MS, maxTotalMs: TIMEOUT_MS, resetOnProgress: false };

/** A call that both sides make, and what its result says. */
const ECHO = { tool: 'echo', argument: 'message', value: 'first hour', result: 'Echo: first hour' };

/**
 * What is measured, by name. `call` is made once connected; `named` is the text that says what is wrong while it is still
 * tried, `failed` the text of the failure. `peerFailed` is what Inspector shows for the same.
 */
export function scenarios(port, closedPort) {
  const url = (at, path) => ({ type: 'streamable-http', url: `http://127.0.0.1:${at}${path}` });
  return [
    { name: 'stdio', server: { command: EVERYTHING, args: ['stdio'] }, call: ECHO },
    { name: 'http', server: url(port, '/mcp'), call: ECHO },
    {
      name: 'slow',
      server: { command: '/bin/sh', args: ['-c', `sleep ${SLOW_S}; exec "$0" stdio`, EVERYTHING] },
      call: ECHO,
      note: `the server sleeps ${SLOW_S} s before it starts`,
    },
    { name: 'silent', server: { command: SCRIPTED, args: ['mute'], timeouts }, named: 'None yet.', failed: 'Failed at' },
    { name: 'chatter', server: { command: SCRIPTED, args: ['chatter'], timeouts }, named: 'not JSON-RPC', failed: 'Failed at' },
    { name: 'wrong-path', server: url(port, '/wrong'), failed: 'Failed at' },
    { name: 'closed-port', server: url(closedPort, '/mcp'), failed: 'Failed at' },
    { name: 'no-program', server: { command: '/nowhere/no-such-program', args: [] }, failed: 'Failed at' },
  ];
}

/** server-everything over HTTP. It serves until `end`. */
export async function startHttpServer() {
  const port = await freePort();
  const child = spawn(EVERYTHING, ['streamableHttp'], { env: { ...process.env, PORT: String(port) }, stdio: 'ignore' });
  const gone = new Promise((resolve) => child.once('exit', resolve));
  for (const until = Date.now() + 30_000; !(await listens(port)); ) {
    if (child.exitCode !== null || Date.now() > until) throw new Error('server-everything does not listen over HTTP');
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  const end = async () => {
    child.kill('SIGKILL');
    await gone;
  };
  return { port, end };
}

/** A port on which nothing listens. */
export function freePort() {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address();
      probe.close(() => resolve(port));
    });
  });
}

function listens(port) {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}
