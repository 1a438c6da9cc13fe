import type { LogClass, LogLevel, Seq } from '../../contract/generated';

/** The eight severities of RFC 5424, the least severe first. */
export const LOG_LEVELS: readonly LogLevel[] = [
  'debug',
  'info',
  'notice',
  'warning',
  'error',
  'critical',
  'alert',
  'emergency',
];

/** The classes of log messages: the severities, and those whose level is none of them. */
export const MESSAGE_CLASSES: readonly LogClass[] = [...LOG_LEVELS, 'unknown'];

/** Log messages, the lines of stderr, or both in the order in which they were recorded. */
export const LOG_SOURCES = ['all', 'messages', 'stderr'] as const;
export type LogSource = (typeof LOG_SOURCES)[number];

/** Which log lines are shown. */
export interface LogFilter {
  source: LogSource;
  /** The classes of messages that are not shown. Names of no class are ignored. */
  hiddenLevels: string[];
  /** The beginnings of names of loggers, separated by commas. Empty: every logger. */
  logger: string;
  /** The search, in the filter language of the traffic log. */
  text: string;
}

/** The terms of the traffic filter that select these lines; `after` hides that record and all before it. */
export function logTerms(
  { source, hiddenLevels, logger }: Omit<LogFilter, 'text'>,
  after: Seq | null,
): string[] {
  const messages = MESSAGE_CLASSES.filter((level) => !hiddenLevels.includes(level));
  const classes: readonly LogClass[] = [
    ...(source === 'stderr' ? [] : messages),
    ...(source === 'messages' ? [] : (['stderr', 'gap'] as const)),
  ];
  const names = logger
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
  return [
    // No level chosen and no stderr: no line has both of two different classes.
    ...(classes.length === 0 ? ['level:debug level:info'] : [`level:${classes.join(',')}`]),
    // Lines of stderr have no logger.
    ...(names.length === 0 || source === 'stderr' ? [] : [`logger:${names.map(prefix).join(',')}`]),
    ...(after === null ? [] : [`after:${after}`]),
  ];
}

/** A name and all that begin with it, as a value of a term. */
function prefix(name: string): string {
  return `"${name.replaceAll(/[\\"]/g, '\\$&').replace(/\*+$/, '')}*"`;
}

/** Whether lines may be hidden by the filter. */
export function isLogFiltered({ source, hiddenLevels, logger, text }: LogFilter): boolean {
  const hidesLevels = source !== 'stderr' && MESSAGE_CLASSES.some((level) => hiddenLevels.includes(level));
  return hidesLevels || (source !== 'stderr' && logger.trim() !== '') || text.trim() !== '';
}

/** The hidden levels when only this severity and above are shown; null shows every level. */
export function levelsBelow(least: LogLevel | null): string[] {
  if (least === null) return [];
  return ['unknown', ...LOG_LEVELS.slice(0, LOG_LEVELS.indexOf(least))];
}

/** Which levels are shown, in words: `All levels`, `warning and above`, `3 of 9 levels`. */
export function levelWords(hiddenLevels: readonly string[]): string {
  const hidden = MESSAGE_CLASSES.filter((level) => hiddenLevels.includes(level));
  if (hidden.length === 0) return 'All levels';
  const least = LOG_LEVELS.find((level) => !hidden.includes(level));
  if (least !== undefined && hidden.includes('unknown') && levelsBelow(least).length === hidden.length) {
    return least === 'emergency' ? 'emergency' : `${least} and above`;
  }
  return `${MESSAGE_CLASSES.length - hidden.length} of ${MESSAGE_CLASSES.length} levels`;
}

/** The logger filter that finds this logger. A comma separates names there, so a name with one is found by what precedes it. */
export function loggerFilter(logger: string): string {
  return logger.split(',')[0] ?? '';
}
