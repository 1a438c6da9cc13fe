import type {
  HostFile,
  HostFormat,
  HostInput,
  HostServer,
  ServerDraft,
  TransportDraft,
} from '../../../contract/generated';
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

/** `${input:ID}`, as VS Code writes what it asks for. */
const INPUT = /\$\{input:([^}]*)\}/gu;

/** What has to be asked for before these servers can be added. */
export function inputsOf(file: HostFile, servers: readonly HostServer[]): HostInput[] {
  const text = JSON.stringify(servers.map(({ draft }) => draft.transport));
  const named = new Set([...text.matchAll(INPUT)].map(([, id]) => id));
  return file.inputs.filter(({ id }) => named.has(id));
}

/** The name of an input among those of all files. */
export function inputKey(file: HostFile, id: string): string {
  return `${file.place.path}#${id}`;
}

/**
 * The draft with the answers in place of `${input:ID}`, and the secret answers by id: they are filled in where the server is stored,
 * because they go into the vault.
 */
export function filledIn(
  file: HostFile,
  draft: ServerDraft,
  valueOf: (id: string) => string,
): { draft: ServerDraft; secretInputs?: Record<string, string> } {
  const secret = new Map<string, string>();
  const isSecret = (id: string): boolean => file.inputs.some((input) => input.id === id && input.password);
  const fill = (text: string): string =>
    text.replaceAll(INPUT, (mark, id: string) => {
      if (!isSecret(id)) return valueOf(id);
      secret.set(id, valueOf(id));
      return mark;
    });
  const filled = { ...draft, transport: transportFilledIn(draft.transport, fill) };
  return secret.size === 0 ? { draft: filled } : { draft: filled, secretInputs: Object.fromEntries(secret) };
}

function transportFilledIn(transport: TransportDraft, fill: (text: string) => string): TransportDraft {
  if (transport.type === 'http') {
    const headers = transport.headers.map((header) => ({ ...header, value: fill(header.value) }));
    return { ...transport, url: fill(transport.url), headers };
  }
  return {
    ...transport,
    command: fill(transport.command),
    args: transport.args.map(fill),
    env: transport.env.map((each) => ({ ...each, value: fill(each.value) })),
    cwd: transport.cwd === null ? null : fill(transport.cwd),
  };
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
