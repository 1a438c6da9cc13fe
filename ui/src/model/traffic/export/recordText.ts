import type { TrafficRecordResponse, TrafficRow } from '../../../contract/generated';
import type { Host } from '../../../host/host';
import { formatTime } from '../../text/format';
import { textOf } from '../../text/textOf';

/** Who sent what a record holds; nothing for what happened on the connection. */
const ARROWS: Record<NonNullable<TrafficRow['direction']>, string> = {
  clientToServer: '→',
  serverToClient: '←',
};

/** A record as two parts of text: when, who and what it is, then the message as it was recorded. */
export async function recordText({ row, raw }: TrafficRecordResponse, host: Host): Promise<string> {
  const head = [
    formatTime(row.atMs),
    row.serverName,
    row.direction === null ? '' : ARROWS[row.direction],
    row.method ?? row.kind,
  ];
  const message = await textOf(host, raw);
  return [...head.filter((part) => part !== ''), message.trimEnd() || row.summary || ''].join(' ').trimEnd();
}
