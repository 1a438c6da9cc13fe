import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** The scripted server with a script. */
export function scripted(part: string): string {
  return `${join(process.env.PATCHBAY_BIN_DIR ?? '.', 'patchbay-test-server')} ${part}`;
}

/** The scripted server as configuration text, with roots answered by the user. */
export function asking(part: string): string {
  const command = join(process.env.PATCHBAY_BIN_DIR ?? '.', 'patchbay-test-server');
  return JSON.stringify({ mcpServers: { [part]: { command, args: [part], roots: { type: 'ask' } } } });
}

/** An independent server on rmcp. */
export function rmcp(): string {
  return join(process.env.PATCHBAY_BIN_DIR ?? '.', 'patchbay-rmcp-server');
}

/** A real server installed by `cargo xtask test`; none if it is missing. */
export function peer(
  name: 'mcp-server-everything' | 'mcp-server-filesystem' | 'mcp-server-time' | 'mcp-server-git' | 'python',
): string | undefined {
  const folder = name === 'mcp-server-everything' || name === 'mcp-server-filesystem' ? process.env.PATCHBAY_PEERS_NODE : process.env.PATCHBAY_PEERS_PYTHON;
  const program = join(folder ?? '.', name);
  return folder !== undefined && existsSync(program) ? program : undefined;
}
