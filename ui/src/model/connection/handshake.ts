import { isLosslessNumber } from 'lossless-json';
import { type DeclaredIcon, readIcons } from '../lists/icons';
import { type Json, isObject, memberAt, parseJson } from '../text/json';

const META = '_meta';
const SERVER_INFO = 'io.modelcontextprotocol/serverInfo';
const CLIENT_INFO = 'io.modelcontextprotocol/clientInfo';
const PROTOCOL_VERSION = 'io.modelcontextprotocol/protocolVersion';

/** What a server says about itself beyond name and version, and how long that may be cached. */
export interface ServerDetails {
  description: string | null;
  websiteUrl: string | null;
  icons: DeclaredIcon[];
  /** `ttlMs` of `server/discover` (2026-07-28); null if it is not given. */
  ttlMs: number | null;
  cacheScope: string | null;
}

/** Reads the response to `initialize` or `server/discover`; what is missing or malformed is left out. */
export function readServerDetails(resultJson: string): ServerDetails {
  const parsed = parseJson(resultJson);
  const result = parsed.ok ? parsed.value : null;
  const info = memberAt(result, ['serverInfo']) ?? memberAt(result, [META, SERVER_INFO]);
  const ttl = memberAt(result, ['ttlMs']);
  const icons = memberAt(info, ['icons']);
  return {
    description: textAt(info, 'description'),
    websiteUrl: textAt(info, 'websiteUrl'),
    icons: readIcons(icons),
    ttlMs: isLosslessNumber(ttl) ? Number(ttl.value) : null,
    cacheScope: textAt(result, 'cacheScope'),
  };
}

/** What Patchbay sent in the request of the handshake. */
export interface ClientDetails {
  /** Its name and version as sent. */
  client: string | null;
  /** The revision it requested. */
  revision: string | null;
}

/** Reads the request `initialize` or `server/discover`. */
export function readClientDetails(frameJson: string): ClientDetails {
  const parsed = parseJson(frameJson);
  const params = parsed.ok ? memberAt(parsed.value, ['params']) : undefined;
  const meta = memberAt(params, [META]);
  const info = memberAt(params, ['clientInfo']) ?? memberAt(meta, [CLIENT_INFO]);
  const parts = [textAt(info, 'name'), textAt(info, 'version')].filter((part) => part !== null);
  return {
    client: parts.length === 0 ? null : parts.join(' '),
    revision: textAt(params, 'protocolVersion') ?? textAt(meta, PROTOCOL_VERSION),
  };
}

/** An extension and who declared it. */
export interface ExtensionRow {
  name: string;
  server: boolean;
  client: boolean;
}

/** The extensions that either side declared, sorted by name. One is in use only if both did. */
export function extensionRows(serverJson: string | null, clientJson: string | null): ExtensionRow[] {
  const server = new Set(extensionsOf(serverJson));
  const client = new Set(extensionsOf(clientJson));
  return [...new Set([...server, ...client])]
    .toSorted((a, b) => (a < b ? -1 : 1))
    .map((name) => ({ name, server: server.has(name), client: client.has(name) }));
}

function extensionsOf(capabilitiesJson: string | null): string[] {
  const parsed = capabilitiesJson === null ? null : parseJson(capabilitiesJson);
  const extensions = parsed?.ok === true ? memberAt(parsed.value, ['extensions']) : undefined;
  return isObject(extensions) ? Object.keys(extensions) : [];
}

function textAt(value: Json | undefined, name: string): string | null {
  const member = memberAt(value, [name]);
  return typeof member === 'string' ? member : null;
}
