import type { Seq, TrafficRecordResponse } from '../../../contract/generated';
import type { Host } from '../../../host/host';
import type { RowRange } from '../useRowRange';
import type { RowSource } from '../view/sortedRows';

/** How many records can be copied at once. */
export const MAX_COPIED = 2_000;
/** How many characters can be copied at once. */
const MAX_CHARACTERS = 16_000_000;
/** How many records are pulled at once. */
const AT_ONCE = 16;
/** The largest page of rows that the engine returns. */
const PAGE = 500;

/** What is copied from: a filter, or, where the order is not that of time, the rows that are shown. */
export interface Copied {
  filter: string;
  log?: Pick<RowSource, 'row'>;
  isSorted?: boolean;
}

/** Writes one record as text, without the line break at its end. */
type Write = (record: TrafficRecordResponse, host: Host) => string | Promise<string>;

/**
 * Reads the records of a view between two indices, at most `MAX_COPIED`, and writes each as text. Rejects with a
 * `CommandFailure`, or when the text is too long to be copied.
 */
export async function readRecords(host: Host, from: Copied, range: RowRange, write: Write): Promise<string> {
  const last = Math.min(range.last, range.first + MAX_COPIED - 1);
  return await writeAll(host, await seqsOf(host, from, { first: range.first, last }), write);
}

/** The numbers of the records of a view between two indices. Rejects with a `CommandFailure`. */
export async function seqsOf(
  host: Host,
  { filter, log, isSorted = false }: Copied,
  { first, last }: RowRange,
): Promise<Seq[]> {
  const seqs: Seq[] = [];
  if (isSorted) {
    for (let index = first; index <= last; index++) {
      const row = log?.row(index);
      if (row !== undefined) seqs.push(row.seq);
    }
    return seqs;
  }
  for (let offset = first; offset <= last; offset += PAGE) {
    const limit = Math.min(PAGE, last - offset + 1);
    const { rows } = await host.call('traffic_rows', { filter, offset, limit });
    seqs.push(...rows.map(({ seq }) => seq));
  }
  return seqs;
}

async function writeAll(host: Host, seqs: readonly Seq[], write: Write): Promise<string> {
  const texts: string[] = [];
  let characters = 0;
  for (let at = 0; at < seqs.length; at += AT_ONCE) {
    const some = seqs.slice(at, at + AT_ONCE).map(async (seq) => {
      const record = await host.call('traffic_record', { seq });
      if (characters + record.raw.size > MAX_CHARACTERS) throw new Error(TOO_LONG);
      return await write(record, host);
    });
    for (const text of await Promise.all(some)) {
      characters += text.length;
      texts.push(text);
    }
    if (characters > MAX_CHARACTERS) throw new Error(TOO_LONG);
  }
  return texts.length === 0 ? '' : `${texts.join('\n')}\n`;
}

const TOO_LONG = 'more than 16 MB; export the records to a file instead';
