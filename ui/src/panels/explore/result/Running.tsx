import { Progress } from '@mantine/core';
import { IconRepeat } from '@tabler/icons-react';
import { useElapsed } from '../../../model/store/clock';
import { formatCount, formatProgress, formatRunning, shortened } from '../../../model/text/format';
import type { Exchange } from '../../../model/exchange/exchange';
import { PendingInputs } from '../../../widgets/status/PendingInputs';
import { Clamped } from '../../../widgets/text/Clamped';
import classes from './result.module.css';

/** How much of the id and the status of a task is shown, in characters. */
const MOST_ID = 100;

/** A running request: a progress bar if the server reports a total, and always a timer. */
export function Running({ exchange }: { exchange: Exchange }) {
  const { progress, exchangeId, round, resent, task } = exchange;
  const total = progress?.total ?? 0;
  const percent = progress === null || total <= 0 ? null : Math.min(100, (progress.progress / total) * 100);
  const elapsed = formatRunning(useElapsed(exchange.startedAtMs));
  return (
    <div className={classes.running}>
      {percent === null ? (
        <div className={classes.endless} role="progressbar" aria-label="Progress" />
      ) : (
        <Progress value={percent} size="sm" aria-label="Progress" transitionDuration={100} />
      )}
      <div className={classes.runningLine}>
        <span className="pb-num">{elapsed}</span>
        {progress !== null && <span className="pb-num">{formatProgress(progress)}</span>}
        {progress !== null && progress.message !== null && (
          <span className={`${classes.runningMessage} pb-selectable`}>{progress.message}</span>
        )}
        <span className="pb-grow" />
        <span className={classes.dim}>
          {round > 0 && `Round ${round} · `}
          {progress === null
            ? exchangeId === null
              ? 'Sending'
              : 'Waiting for the response'
            : formatCount(progress.count, 'progress report')}
        </span>
      </div>
      {resent.map((reason, i) => (
        // They are never reordered.
        // oxlint-disable-next-line react/no-array-index-key
        <div key={i} className={classes.runningLine}>
          <IconRepeat size={14} aria-hidden />
          <span>Sent again: {reason}</span>
        </div>
      ))}
      {task !== null && (
        <div className={classes.runningLine}>
          <span>
            Task <code>{shortened(task.taskId, MOST_ID)}</code>: {shortened(task.status, MOST_ID)}
          </span>
          {task.statusMessage !== null && <Clamped text={task.statusMessage} label="Message" />}
        </div>
      )}
      <PendingInputs exchangeId={exchangeId} />
    </div>
  );
}
