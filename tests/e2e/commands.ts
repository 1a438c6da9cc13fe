import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** The scripted server in one of its parts. */
export function scripted(part: string): string {
  return `${join(process.env.PATCHBAY_BIN_DIR ?? '.', 'patchbay-test-server')} ${part}`;
}

/** The same as configuration text, with roots left to the user. */
export function asking(part: string): string {
  const command = join(process.env.PATCHBAY_BIN_DIR ?? '.', 'patchbay-test-server');
  return JSON.stringify({ mcpServers: { [part]: { command, args: [part], roots: { type: 'ask' } } } });
}

/** An independent server on rmcp. */
export function rmcp(): string {
  return join(process.env.PATCHBAY_BIN_DIR ?? '.', 'patchbay-rmcp-server');
}

/** A real server that `cargo xtask test` installed; none if it did not. */
export function peer(name: 'mcp-server-everything' | 'mcp-server-time' | 'mcp-server-git'): string | undefined {
  const folder = name === 'mcp-server-everything' ? process.env.PATCHBAY_PEERS_NODE : process.env.PATCHBAY_PEERS_PYTHON;
  const program = join(folder ?? '.', name);
  return folder !== undefined && existsSync(program) ? program : undefined;
}
