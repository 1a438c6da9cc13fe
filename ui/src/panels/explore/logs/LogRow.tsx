import {
  IconAlertOctagon,
  IconAlertTriangle,
  IconBellRinging,
  IconBug,
  IconCircleX,
  IconDots,
  IconFlame,
  IconHelpCircle,
  IconInfoCircle,
  IconInfoSquare,
  IconTerminal2,
  type Icon,
} from '@tabler/icons-react';
import { memo } from 'react';
import type { LogClass, TrafficRow } from '../../../contract/generated';
import { formatTime } from '../../../model/text/format';
import { lineParts } from '../../../model/traffic/logLines';
import { TerminalText } from '../../../widgets/text/TerminalText';
import classes from './logs.module.css';

const MARKS: Record<
  LogClass,
  { icon: Icon; word: string; tone: 'faint' | 'info' | 'warn' | 'error' | 'severe' }
> = {
  debug: { icon: IconBug, word: 'debug', tone: 'faint' },
  info: { icon: IconInfoCircle, word: 'info', tone: 'info' },
  notice: { icon: IconInfoSquare, word: 'notice', tone: 'info' },
  warning: { icon: IconAlertTriangle, word: 'warning', tone: 'warn' },
  error: { icon: IconCircleX, word: 'error', tone: 'error' },
  critical: { icon: IconAlertOctagon, word: 'critical', tone: 'severe' },
  alert: { icon: IconBellRinging, word: 'alert', tone: 'severe' },
  emergency: { icon: IconFlame, word: 'emergency', tone: 'severe' },
  unknown: { icon: IconHelpCircle, word: 'unknown', tone: 'warn' },
  stderr: { icon: IconTerminal2, word: 'stderr', tone: 'faint' },
  gap: { icon: IconDots, word: 'gap', tone: 'warn' },
};

/** The class of a log line, as glyph and word. */
export function LevelMark({ log }: { log: LogClass }) {
  const { icon: Glyph, word, tone } = MARKS[log];
  return (
    <span className={classes.mark} data-tone={tone}>
      <Glyph size={14} aria-hidden />
      {word}
    </span>
  );
}

interface LogRowProps {
  row: TrafficRow | undefined;
  /** Whether the list shows several servers. */
  showServer: boolean;
  /** Whether there are columns for level and logger: stderr has neither. */
  hasMessages: boolean;
}

/** One line of a server's log. */
export const LogRow = memo(function LogRow({ row, showServer, hasMessages }: LogRowProps) {
  if (row === undefined) return <div className={classes.row}>…</div>;
  const log = row.log ?? 'unknown';
  return (
    <div className={classes.row} data-tone={MARKS[log].tone} data-gap={log === 'gap' || undefined}>
      <span className={classes.time}>{formatTime(row.atMs)}</span>
      {showServer && <span className={`${classes.server} pb-ellipsis`}>{row.serverName}</span>}
      {hasMessages && (
        <>
          <span className={classes.level}>
            <LevelMark log={log} />
          </span>
          <span className={`${classes.logger} pb-ellipsis`}>{row.logger}</span>
        </>
      )}
      <span className={classes.line}>
        <TerminalText parts={lineParts(row)} />
      </span>
    </div>
  );
});
