import type { HostFile, HostFormat, HostInput, HostServer } from '../../../contract/generated';
import type { NamedFile } from '../adding/dropped/droppedFiles';

/** Where servers of other hosts are read from. */
export type ImportSource =
  /** The places where each host keeps them on this machine. */
  | { type: 'hosts' }
  /** One of these places. */
  | { type: 'place'; host: string; path: string }
  /** Files that were dropped or chosen. */
  | { type: 'files'; files: readonly NamedFile[] };

/** A server of another host, with what adding it needs. */
export interface Offer {
  /** Unique among all offers. */
  key: string;
  file: HostFile;
  server: HostServer;
}

/** What is done with a chosen server that differs from a configured one of the same name. */
export type Differing = 'update' | 'add';

export function offersOf(files: readonly HostFile[]): Offer[] {
  return files.flatMap((file) =>
    file.servers.map((server, at) => ({ key: `${file.place.path}#${at}`, file, server })),
  );
}

/** Whether it is chosen at first: new here, and in use there. */
export function isWanted({ server }: Offer): boolean {
  return server.comparison.type === 'new' && !server.disabled;
}

/** What has to be asked for before these servers can be added, once each. */
export function inputsOf(servers: readonly HostServer[]): HostInput[] {
  const all = servers.flatMap(({ inputs }) => inputs.map((input) => [input.id, input] as const));
  return [...new Map(all).values()];
}

/** The name of an input among those of all files. */
export function inputKey(file: HostFile, id: string): string {
  return `${file.place.path}#${id}`;
}

/** The hosts that a server can be written for. */
export const HOST_FORMATS: readonly { value: HostFormat; label: string }[] = [
  { value: 'mcpServers', label: 'mcpServers (most hosts)' },
  { value: 'claudeDesktop', label: 'Claude Desktop' },
  { value: 'claudeCode', label: 'Claude Code' },
  { value: 'cursor', label: 'Cursor' },
  { value: 'windsurf', label: 'Windsurf' },
  { value: 'cline', label: 'Cline' },
  { value: 'vsCode', label: 'VS Code' },
  { value: 'zed', label: 'Zed' },
  { value: 'codex', label: 'Codex' },
  { value: 'goose', label: 'Goose' },
  { value: 'geminiCli', label: 'Gemini CLI' },
  { value: 'lmStudio', label: 'LM Studio' },
];
