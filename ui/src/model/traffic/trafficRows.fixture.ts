import type {
  ConnectionId,
  Seq,
  ServerId,
  TrafficRecordResponse,
  TrafficRow,
} from '../../contract/generated';
import { ScriptedHost } from '../../host/scripted';

/** A row for tests: number `seq`, a notification unless said otherwise. */
export function row(seq: number, part: Partial<TrafficRow> = {}): TrafficRow {
  return {
    seq: String(seq) as Seq,
    atMs: 1_700_000_000_000 + seq,
    serverId: 's1' as ServerId,
    serverName: 'everything',
    connectionId: 'c1' as ConnectionId,
    origin: 'client',
    operation: null,
    tool: null,
    log: null,
    logger: null,
    kind: 'notification',
    direction: 'serverToClient',
    method: 'notifications/message',
    rpcId: null,
    summary: `line ${seq}`,
    size: 120,
    status: null,
    pairSeq: null,
    latencyMs: null,
    violationCount: 0,
    rules: [],
    batchSeq: null,
    httpSeq: null,
    ...part,
  };
}

/** Rows `from` to `to`, both included. */
export function rows(from: number, to: number, part: Partial<TrafficRow> = {}): TrafficRow[] {
  return Array.from({ length: to - from + 1 }, (_, i) => row(from + i, part));
}

/** A host with a log of these many records, each a message with the text that its number gives. */
export function logHost(count: number, text: (seq: Seq) => string, inline = true): ScriptedHost {
  const stored = rows(1, count);
  const host: ScriptedHost = new ScriptedHost({
    traffic_rows: ({ offset, limit }) => ({ rows: stored.slice(offset, offset + limit), total: count }),
    traffic_record: ({ seq }) => record(seq, text(seq), inline, host),
  });
  return host;
}

function record(seq: Seq, text: string, inline: boolean, host: ScriptedHost): TrafficRecordResponse {
  return {
    row: row(Number(seq), { direction: 'clientToServer', method: 'ping' }),
    raw: {
      inline: inline ? text : null,
      body: host.setBody(`raw-${seq}`, text),
      size: text.length,
      pretty: host.setBody('pretty', text),
    },
    bytes: host.setBody('bytes', text),
    isUtf8: true,
    redactions: 0,
    violations: [],
    pair: null,
    related: [],
    http: null,
  };
}
