import type { ConnectionId, Seq, ServerId, TrafficRow } from '../../contract/generated';

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
    batchSeq: null,
    httpSeq: null,
    ...part,
  };
}

/** Rows `from` to `to`, both included. */
export function rows(from: number, to: number, part: Partial<TrafficRow> = {}): TrafficRow[] {
  return Array.from({ length: to - from + 1 }, (_, i) => row(from + i, part));
}
