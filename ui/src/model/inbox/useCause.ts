import type { Seq } from '../../contract/generated';
import { useRecord } from '../traffic/useRecord';

/** The request that caused something, in a few words: `tools/call get_weather`. Null until it is known, or if there is none. */
export function useCause(seq: Seq | null): string | null {
  const { record } = useRecord(seq, '');
  if (seq === null || record === undefined || record.row.seq !== seq) return null;
  const { method, kind, summary } = record.row;
  return [method ?? kind, summary].filter((word) => word !== null && word !== '').join(' ');
}
