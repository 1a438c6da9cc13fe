import type { ConnectionItem, ServerId, ServerItem } from '../../contract/generated';
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
