import type { TrafficRecordResponse, TrafficRow } from '../../contract/generated';
import { formatTime } from '../text/format';
import { type Json, isObject, parseJson, writeJsonCompact } from '../text/json';
import { type TerminalPart, plainText, terminalParts } from '../text/terminal';
import type { TrafficLog } from './trafficLog';

/** How many of the newest lines are searched for names of loggers, and how many names are offered. */
const LOOK_BACK = 2_000;
const MAX_LOGGERS = 50;

/** The first characters of a log line, without the level and the logger, which have separate columns, and without colours. */
export function lineText(row: TrafficRow): string {
  return lineParts(row)
    .map(({ text }) => text)
    .join('');
}

/** The same with the colours of a terminal: programs write them to stderr. */
export function lineParts(row: TrafficRow): TerminalPart[] {
  return row.log === 'stderr' ? terminalParts(row.summary ?? '') : [{ text: messageText(row) }];
}

function messageText({ log, logger, summary }: TrafficRow): string {
  if (summary === null) return '';
  if (log === null || log === 'gap') return summary;
  const prefix = `${log === 'unknown' ? '?' : log}${logger === null ? '' : ` ${logger}`}: `;
  return summary.startsWith(prefix) ? summary.slice(prefix.length) : summary;
}

/** What a log line says in full. */
export type LineData =
  | { type: 'text'; text: string }
  /** `data` of the message, if it is not a string. */
  | { type: 'json'; value: Json }
  /** Too large to be read here, or not a log message: the record says it. */
  | { type: 'record' };

export function lineData({ row, raw }: TrafficRecordResponse): LineData {
  if (raw.inline === null) return { type: 'record' };
  if (row.log === 'stderr') return { type: 'text', text: raw.inline };
  if (row.log === 'gap') return { type: 'text', text: row.summary ?? '' };
  const frame = parseJson(raw.inline);
  const params = frame.ok && isObject(frame.value) ? frame.value.params : undefined;
  const data = isObject(params) ? params.data : undefined;
  if (data === undefined) return { type: 'record' };
  return typeof data === 'string' ? { type: 'text', text: data } : { type: 'json', value: data as Json };
}

/** How lines are copied. */
export type LineFormat = 'text' | 'jsonl';

/** A line with everything it says, in one of the formats. */
export function formatLine(record: TrafficRecordResponse, format: LineFormat): string {
  const { row } = record;
  const data = lineData(record);
  if (format === 'text') {
    const message =
      data.type === 'text'
        ? plainText(data.text)
        : data.type === 'json'
          ? writeJsonCompact(data.value)
          : lineText(row);
    return [formatTime(row.atMs), row.serverName, row.log ?? '', row.logger ?? '', message.trimEnd()]
      .filter((part) => part !== '')
      .join(' ');
  }
  const value: Json =
    data.type === 'text'
      ? data.text
      : data.type === 'json'
        ? data.value
        : (record.raw.inline ?? lineText(row));
  return writeJsonCompact({
    at: new Date(row.atMs).toISOString(),
    server: row.serverName,
    level: row.log,
    logger: row.logger,
    data: value,
  });
}

/** The names of loggers among the newest lines that are loaded, sorted. */
export function loggersIn(log: Pick<TrafficLog, 'total' | 'row'>): string[] {
  const names = new Set<string>();
  const end = Math.max(0, log.total - LOOK_BACK);
  for (let index = log.total - 1; index >= end && names.size < MAX_LOGGERS; index--) {
    const logger = log.row(index)?.logger;
    if (logger !== undefined && logger !== null && logger !== '') names.add(logger);
  }
  return [...names].toSorted((a, b) => a.localeCompare(b));
}
