import type { ConnectionGetResponse, ConnectionItem, ServerId, ServerItem } from '../../contract/generated';
import { draftOf, emptyForm } from './serverForm';

/** A connection for tests: none yet, unless said otherwise. */
export function connection(part: Partial<ConnectionItem>): ConnectionItem {
  return {
    connectionId: null,
    state: 'idle',
    era: null,
    revision: null,
    server: null,
    extensions: [],
    failure: null,
    problemCount: 0,
    pendingCount: 0,
    sinceAtMs: 1_700_000_000_000,
    ...part,
  };
}

/** A connection in full, with nothing but its state and a line of stderr, unless said otherwise. */
export function details(
  of: ConnectionItem,
  part: Partial<ConnectionGetResponse> = {},
): ConnectionGetResponse {
  return {
    connection: of,
    process: null,
    http: null,
    eraVerdict: null,
    supportedVersions: [],
    serverCapabilitiesJson: null,
    clientCapabilitiesJson: null,
    handshakeResultJson: null,
    handshakeSeq: null,
    instructions: null,
    stderrTail: ['npm error 404'],
    strayLine: null,
    logLevel: null,
    ...part,
  };
}

/** A server for tests, whose name is its id. */
export function server(name: string, of: ConnectionItem, part: Partial<ServerItem> = {}): ServerItem {
  return {
    id: name as ServerId,
    draft: draftOf({ ...emptyForm(), name, command: name, args: ['--stdio'] }),
    isDemo: false,
    rememberedEra: null,
    connection: of,
    ...part,
  };
}
