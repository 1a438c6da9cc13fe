// The peer: MCP Inspector's web client, in the same Chromium, on the same server. Its page is driven as a user would.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { watchPage } from './measure.mjs';

export const INSPECTOR = 'MCP Inspector 2.12';
const LAUNCHER = fileURLToPath(
  new URL('node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js', import.meta.url),
);
/** The longest wait for the peer, which may never finish. */
export const PATIENCE_MS = 150_000;

/** Inspector with one server, connected, on its Servers page. `end` also removes the folder. */
export async function inspect(browser, server) {
  const { page, end } = await openInspector(browser, server);
  try {
    await page.getByRole('switch', { name: /^Connect or disconnect/ }).click({ force: true });
    await page.getByRole('button', { name: 'Disconnect from server' }).waitFor();
    return { page, end };
  } catch (thrown) {
    await end();
    throw thrown;
  }
}

/**
 * Inspector with one server, not connected, on its Servers page, with the start and the number of its process. `goTo` opens
 * the page at its address and returns when it was painted.
 */
export async function openInspector(browser, server, goTo = (page, address) => page.goto(address)) {
  if (!existsSync(LAUNCHER)) throw new Error('Inspector is not installed: npm ci in tests/bench');
  const folder = await mkdtemp(join(tmpdir(), 'patchbay-inspector-'));
  const config = join(folder, 'servers.json');
  await writeFile(config, JSON.stringify({ mcpServers: { bench: { type: 'stdio', ...server } } }));
  const [port, sandbox, origin] = await Promise.all([freePort(), freePort(), freePort()]);
  const startedAt = Date.now();
  const child = spawn(process.execPath, [LAUNCHER, '--web', '--config', config, '--server', 'bench'], {
    stdio: ['ignore', 'pipe', 'ignore'],
    env: {
      ...process.env,
      HOME: folder,
      CLIENT_PORT: String(port),
      MCP_SANDBOX_PORT: String(sandbox),
      MCP_APP_ORIGIN_PORT: String(origin),
      MCP_AUTO_OPEN_ENABLED: 'false',
      MCP_INSPECTOR_SECRET_STORE: 'memory',
    },
  });
  const end = async () => {
    if (child.exitCode === null && child.signalCode === null) {
      const gone = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGTERM');
      await gone;
    }
    await rm(folder, { recursive: true, force: true });
  };
  try {
    const address = await new Promise((resolve, reject) => {
      createInterface({ input: child.stdout }).on('line', (line) => {
        const found = new RegExp(`http://127\\.0\\.0\\.1:${port}\\S*`).exec(line);
        if (found !== null) resolve(found[0]);
      });
      child.once('exit', (code) => reject(new Error(`Inspector ended with ${code}`)));
    });
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
    page.setDefaultTimeout(PATIENCE_MS);
    await page.addInitScript(watchPage);
    const painted = await goTo(page, address);
    return { page, end, painted, startedAt, pid: child.pid };
  } catch (thrown) {
    await end();
    throw thrown;
  }
}

/** Opens the Tools page; resolves when the first tool is shown. */
export async function openTools(page) {
  await page.getByText('Tools', { exact: true }).first().click();
  await page.getByRole('button', { name: 'echo', exact: true }).waitFor();
}

/** Selects a tool with one number field and returns a function that calls it. */
export async function prepareTool(page, tool, argument, value) {
  await openTools(page);
  await page.getByRole('button', { name: tool, exact: true }).click();
  const execute = page.getByRole('button', { name: 'Execute Tool' });
  await execute.waitFor();
  await page.getByLabel(argument, { exact: true }).fill(String(value));
  return execute;
}

function freePort() {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address();
      probe.close(() => resolve(port));
    });
  });
}
