import type { TrafficRow } from '../../../contract/generated';
import type { Host } from '../../../host/host';
import { type Compared, comparedBody } from '../../exchange/comparison';
import { formatSize, formatTime } from '../../text/format';
import type { RowRange } from '../useRowRange';
import { type Copied, seqsOf } from './readRecords';

export interface ComparedRecord extends Compared {
  /** Which record, in a line. */
  title: string;
  isJson: boolean;
}

/**
 * The messages of the first and the last record of a range, as texts of bounded size. Rejects with a `CommandFailure`, for
 * example when a record was deleted.
 */
export async function comparedRecords(
  host: Host,
  from: Copied,
  { first, last }: RowRange,
): Promise<readonly [ComparedRecord, ComparedRecord]> {
  return await Promise.all([comparedRecord(host, from, first), comparedRecord(host, from, last)]);
}

async function comparedRecord(host: Host, from: Copied, index: number): Promise<ComparedRecord> {
  // Rows that are shown are the ones that were chosen, whatever was deleted since.
  const seq = from.log?.row(index)?.seq ?? (await seqsOf(host, from, { first: index, last: index }))[0];
  if (seq === undefined) throw new Error('The record is no longer in the log.');
  const { row, raw } = await host.call('traffic_record', { seq });
  const compared = await comparedBody(host, raw);
  return { ...compared, title: titleOf(row), isJson: raw.pretty !== null };
}

function titleOf({ seq, atMs, serverName, kind, method, size }: TrafficRow): string {
  return [`#${seq}`, formatTime(atMs), serverName, method ?? kind, formatSize(size)].join(' · ');
}
