import { Progress } from '@mantine/core';
import { useNow } from '../../../model/clock';
import { formatCount, formatDuration } from '../../../model/format';
import type { ToolCall } from '../../../model/toolCall';
import classes from './result.module.css';

/** A call under way: a bar when the server says how much there is, a timer in any case. */
export function Running({ call }: { call: ToolCall }) {
  const now = useNow();
  const { progress } = call;
  const total = progress?.total ?? 0;
  const percent = progress === null || total <= 0 ? null : Math.min(100, (progress.progress / total) * 100);
  const elapsed = formatDuration(Math.max(0, Math.round((now - call.startedAtMs) / 100) * 100));
  return (
    <div className={classes.running}>
      {percent === null ? (
        <div className={classes.endless} role="progressbar" aria-label="Progress of the call" />
      ) : (
        <Progress value={percent} size="sm" aria-label="Progress of the call" transitionDuration={100} />
      )}
      <div className={classes.runningLine}>
        <span className="pb-num">{elapsed}</span>
        {progress !== null && (
          <span className="pb-num">
            {formatAmount(progress.progress)}
            {progress.total !== null && ` of ${formatAmount(progress.total)}`}
          </span>
        )}
        {progress !== null && progress.message !== null && (
          <span className={`${classes.runningMessage} pb-selectable`}>{progress.message}</span>
        )}
        <span className={classes.grow} />
        <span className={classes.dim}>
          {progress === null
            ? call.exchangeId === null
              ? 'Sending'
              : 'Waiting for the answer'
            : formatCount(progress.count, 'progress report')}
        </span>
      </div>
    </div>
  );
}

function formatAmount(value: number): string {
  return Number.isInteger(value) ? formatCount(value) : String(Math.round(value * 1000) / 1000);
}
