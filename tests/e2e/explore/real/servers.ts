import { join } from 'node:path';
import { peer } from '../../commands.ts';
import { type test, expect } from '../../httpServer.ts';
import type { Screen } from '../../screen.ts';

// Servers that nobody here wrote, each in the rail under its own name.

const NODE = process.env.PATCHBAY_PEERS_NODE ?? '.';
export const PYTHON = join(process.env.PATCHBAY_PEERS_PYTHON ?? '.', 'python');
export const EXAMPLES = process.env.PATCHBAY_PEERS_EXAMPLES ?? '.';

type Listening = Parameters<Parameters<typeof test>[2]>[0]['listening'];

/** Adds one server as configuration, and waits until it is ready. */
export async function add(app: Screen, name: string, entry: object): Promise<void> {
  await app.addByPaste(JSON.stringify({ mcpServers: { [name]: entry } }));
  await expect(app.server(name, 'Ready')).toBeVisible();
}

/** server-everything over stdio: legacy. */
export async function addEverything(app: Screen): Promise<void> {
  const command = peer('mcp-server-everything');
  if (command === undefined) throw new Error('mcp-server-everything is missing; `cargo xtask peers` installs it');
  await add(app, 'everything', { command, args: [] });
}

/** A server of the MCP Apps examples over stdio: legacy. */
export async function addApp(app: Screen, name: 'budget-allocator' | 'system-monitor'): Promise<void> {
  await add(app, name, { command: join(NODE, `mcp-${name}-server`), args: ['--stdio'] });
}

/** The conformance server of the Python SDK over HTTP, in one era. */
export async function addPython(app: Screen, listening: Listening, era: 'legacy' | 'modern'): Promise<void> {
  const port = await listening(PYTHON, (at) => ({
    args: ['-m', 'mcp_everything_server', '--port', at],
    env: { PYTHONPATH: join(EXAMPLES, 'servers', 'everything-server') },
  }));
  await add(app, 'python', { url: `http://127.0.0.1:${port}/mcp`, era });
}

/** An example of the Python SDK over stdio, in one era; `module` of its folder. */
export async function addStory(app: Screen, story: string, era: 'legacy' | 'modern', module = 'server'): Promise<void> {
  await add(app, story, { command: PYTHON, args: ['-m', `stories.${story}.${module}`], env: { PYTHONPATH: EXAMPLES }, era });
}

/** Opens a tab of Explore. */
export async function openTab(app: Screen, name: string): Promise<void> {
  await app.openTab(name);
}
