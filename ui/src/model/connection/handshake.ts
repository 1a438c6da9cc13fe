import { isLosslessNumber } from 'lossless-json';
import { type Json, isObject, memberAt, parseJson } from '../text/json';

const META = '_meta';
const SERVER_INFO = 'io.modelcontextprotocol/serverInfo';
const CLIENT_INFO = 'io.modelcontextprotocol/clientInfo';
const PROTOCOL_VERSION = 'io.modelcontextprotocol/protocolVersion';

/** The longest icon that is shown, in characters, and how many of them. */
const MAX_ICON = 65_536;
const MAX_ICONS = 20;

/** An icon that a server declares. */
export interface DeclaredIcon {
  /** Its address as declared, at most 200 characters of it. */
  address: string;
  mimeType: string | null;
  sizes: string;
  theme: string | null;
  /** A `data:` URI that can be shown; null if it would have to be fetched or is no image. */
  shown: string | null;
  /** Why it is not shown. */
  refusal: string | null;
}

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
    icons: Array.isArray(icons) ? icons.slice(0, MAX_ICONS).map(readIcon) : [],
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
  const server = extensionsOf(serverJson);
  const client = extensionsOf(clientJson);
  return [...new Set([...server, ...client])]
    .toSorted((a, b) => a.localeCompare(b))
    .map((name) => ({ name, server: server.includes(name), client: client.includes(name) }));
}

function extensionsOf(capabilitiesJson: string | null): string[] {
  const parsed = capabilitiesJson === null ? null : parseJson(capabilitiesJson);
  const extensions = parsed?.ok === true ? memberAt(parsed.value, ['extensions']) : undefined;
  return isObject(extensions) ? Object.keys(extensions) : [];
}

function readIcon(icon: Json): DeclaredIcon {
  const src = textAt(icon, 'src') ?? '';
  const sizes = memberAt(icon, ['sizes']);
  const refusal = iconRefusal(src);
  return {
    address: src.length > 200 ? `${src.slice(0, 200)}…` : src,
    mimeType: textAt(icon, 'mimeType'),
    sizes: Array.isArray(sizes) ? sizes.filter((size) => typeof size === 'string').join(', ') : '',
    theme: textAt(icon, 'theme'),
    shown: refusal === null ? src : null,
    refusal,
  };
}

/** Why an icon is not shown. Nothing is fetched, and SVG may hold script. */
function iconRefusal(src: string): string | null {
  if (/^data:image\/(png|jpeg|gif|webp)[;,]/i.test(src)) {
    return src.length > MAX_ICON ? 'larger than 64 kB' : null;
  }
  if (/^data:image\/svg/i.test(src)) return 'SVG may hold script';
  if (/^https:/i.test(src)) return 'not fetched';
  return src === '' ? 'no address' : 'only https and images as data: are allowed';
}

function textAt(value: Json | undefined, name: string): string | null {
  const member = memberAt(value, [name]);
  return typeof member === 'string' ? member : null;
}
