import { Button, Loader } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useState } from 'react';
import type { ServerId, TaskItem } from '../../../contract/generated/contract';
import { useModel } from '../../../model/workspace/context';
import { formatDuration } from '../../../model/text/format';
import type { TaskResult } from '../../../model/tasks/tasks';
import { PartBoundary } from '../../../widgets/failure/PartBoundary';
import { RecordLink } from '../../../widgets/links/RecordLink';
import { Violations } from '../../../widgets/status/Violations';
import { OutcomeView } from '../result/OutcomeView';
import { TaskStatus } from './TaskRow';
import classes from './tasks.module.css';

interface TaskDetailProps {
  serverId: ServerId;
  task: TaskItem;
  result: TaskResult | undefined;
}

/** One task: how it stands, asking again, cancelling, and its result. */
export function TaskDetail({ serverId, task, result }: TaskDetailProps) {
  const { tasks } = useModel();
  const [busy, setBusy] = useState(false);
  const during = (act: () => Promise<void>): void => {
    setBusy(true);
    void act().finally(() => setBusy(false));
  };
  const isWaiting = result !== undefined && result.outcome === null;
  return (
    <section className={classes.detail} aria-label="Task">
      <div className={classes.bar}>
        <TaskStatus status={task.status} />
        <span className={classes.grow} />
        {task.seq !== null && <RecordLink seq={task.seq} label="Record" />}
        <Button
          variant="default"
          loading={busy}
          data-tip="Sends tasks/get"
          onClick={() => during(() => tasks.poll(serverId, task.taskId))}
        >
          Poll
        </Button>
        <Button
          variant="default"
          disabled={task.isFinal || busy}
          data-tip="Sends tasks/cancel"
          onClick={() => during(() => tasks.cancel(serverId, task.taskId))}
        >
          Cancel task
        </Button>
        {isWaiting ? (
          <Button variant="default" onClick={() => tasks.stopWaiting(serverId, task.taskId)}>
            Stop waiting
          </Button>
        ) : (
          <Button
            leftSection={<IconDownload size={14} />}
            data-tip="Waits until it is over and fetches what came of it"
            onClick={() => tasks.fetchResult(serverId, task.taskId)}
          >
            Get result
          </Button>
        )}
      </div>
      <dl className={`${classes.facts} pb-selectable`}>
        <dt>Id</dt>
        <dd className="pb-mono">{task.taskId}</dd>
        {task.tool !== null && (
          <>
            <dt>Tool</dt>
            <dd>{task.tool}</dd>
          </>
        )}
        {task.statusMessage !== null && (
          <>
            <dt>Message</dt>
            <dd>{task.statusMessage}</dd>
          </>
        )}
        <dt>Made</dt>
        <dd className="pb-num">{task.createdAt ?? 'not said'}</dd>
        {task.lastUpdatedAt !== null && (
          <>
            <dt>Changed</dt>
            <dd className="pb-num">{task.lastUpdatedAt}</dd>
          </>
        )}
        <dt>Kept for</dt>
        <dd className="pb-num">{task.ttlMs === null ? 'no limit said' : formatDuration(task.ttlMs)}</dd>
        {task.pollIntervalMs !== null && (
          <>
            <dt>Poll every</dt>
            <dd className="pb-num">{formatDuration(task.pollIntervalMs)}, not more often</dd>
          </>
        )}
      </dl>
      {task.violations.length > 0 && (
        <div className={classes.problems}>
          <Violations items={task.violations} label="Problems of the task" />
        </div>
      )}
      {result !== undefined && (
        <div className={classes.result}>
          {result.outcome === null ? (
            <p className={classes.waiting} role="status">
              <Loader size={14} /> Waiting for the result
            </p>
          ) : (
            <PartBoundary resetKey={result.outcome.type}>
              <OutcomeView outcome={result.outcome} tool={task.tool ?? ''} />
            </PartBoundary>
          )}
        </div>
      )}
    </section>
  );
}
