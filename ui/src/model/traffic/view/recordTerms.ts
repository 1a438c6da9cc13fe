import type { TrafficRow } from '../../../contract/generated';
import { termOf } from '../filterText';
import { FILTER_TERMS } from './filterTerms';

/** A term of the filter that a record fulfils. */
export interface RecordTerm {
  key: string;
  term: string;
  /** What it finds. */
  meaning: string;
}

/** Longer values are not offered, in characters: a term has a limit. */
const LONGEST = 200;
/** More rules of one record are not offered. */
const MOST_RULES = 5;

/** The terms that find a record and what is like it, the most usual first. */
export function recordTerms(row: TrafficRow): RecordTerm[] {
  const { method, tool, status, kind, serverName, log, logger, rules, rpcId, operation } = row;
  const values: [key: string, value: string | null][] = [
    ['method:', method],
    ['tool:', tool],
    ['status:', status],
    ['kind:', kind],
    ['server:', serverName === '' ? row.serverId : serverName],
    ['level:', log],
    ['logger:', logger],
    ...rules.slice(0, MOST_RULES).map((rule): [string, string] => ['rule:', rule]),
    ['id:', rpcId],
    ['op:', operation],
  ];
  return values.flatMap(([key, value]) => {
    if (value === null || value === '' || value.length > LONGEST || /[\r\n]/.test(value)) return [];
    const meaning = FILTER_TERMS.find(({ key: known }) => known === key)?.meaning ?? '';
    return [{ key, term: termOf(key, value), meaning }];
  });
}
