import { Button, Loader } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useEffect, useEffectEvent, useState } from 'react';
import { useStore } from 'zustand';
import type { ServerId, TaskItem } from '../../../contract/generated';
import { useModel } from '../../../model/workspace/context';
import { expiresAt, pollPause } from '../../../model/lists/tasks/tasks';
import { formatDateTime, formatDuration, progressInWords } from '../../../model/text/format';
import { shownExchange } from '../../../model/exchange/exchanges';
import { taskKey } from '../../../model/exchange/request';
import { Fact, Facts } from '../../../widgets/facts/Facts';
import { PartBoundary } from '../../../widgets/failure/PartBoundary';
import { RecordLink } from '../../../widgets/links/RecordLink';
import { Violations } from '../../../widgets/status/Violations';
import { Clamped } from '../../../widgets/text/Clamped';
import { OutcomeView } from '../result/OutcomeView';
import { TaskStatus } from './TaskRow';
import panes from '../list/panes.module.css';
import classes from './tasks.module.css';

interface TaskDetailProps {
  serverId: ServerId;
  task: TaskItem;
}

/** One task: its status, polling, cancelling, and its result. */
export function TaskDetail({ serverId, task }: TaskDetailProps) {
  const { tasks, exchanges } = useModel();
  const result = useStore(exchanges, (state) => shownExchange(state, taskKey(serverId, task.taskId)));
  const [busy, setBusy] = useState(false);
  const during = (act: () => Promise<void>): void => {
    setBusy(true);
    void act().finally(() => setBusy(false));
  };
  const isWaiting = result !== undefined && result.outcome === null;
  const watch = useWatch(serverId, task);
  const expires = expiresAt(task);
  return (
    <section className={panes.pane} aria-label="Task">
      <div className={classes.bar}>
        <TaskStatus status={task.status} />
        <span className="pb-grow" />
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
          variant={watch.isOn ? 'light' : 'default'}
          aria-pressed={watch.isOn}
          disabled={task.isFinal}
          data-tip={`Sends tasks/get every ${formatDuration(pollPause(task))} while the task is shown, until it ends`}
          onClick={() => watch.set(!watch.isOn)}
        >
          Watch
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
          <Button variant="default" onClick={() => exchanges.discard(result)}>
            Stop waiting
          </Button>
        ) : (
          <Button
            data-primary
            leftSection={<IconDownload size={14} />}
            data-tip="Waits until the task ends and fetches its result"
            onClick={() => exchanges.start(serverId, { type: 'task', taskId: task.taskId })}
          >
            Get result
          </Button>
        )}
      </div>
      <div className={classes.facts}>
        <Facts names={88}>
          <Fact name="ID" mono>
            <Clamped text={task.taskId} label="ID" />
          </Fact>
          <Fact name="Tool">{task.tool}</Fact>
          {task.progress !== null && (
            <Fact name="Progress" className="pb-num">
              {progressInWords(task.progress)}
            </Fact>
          )}
          <Fact name="Message">
            {task.statusMessage !== null && <Clamped text={task.statusMessage} label="Message" />}
          </Fact>
          <Fact name="Created" className="pb-num">
            <Time text={task.createdAt} />
          </Fact>
          {task.lastUpdatedAt !== null && (
            <Fact name="Updated" className="pb-num">
              <Time text={task.lastUpdatedAt} />
            </Fact>
          )}
          <Fact name="Lifetime" className="pb-num">
            {task.ttlMs === null ? 'no limit given' : formatDuration(task.ttlMs)}
            {expires !== null && `, until ${formatDateTime(expires)}`}
          </Fact>
          {task.pollIntervalMs !== null && (
            <Fact name="Poll interval" className="pb-num">
              {formatDuration(task.pollIntervalMs)}
            </Fact>
          )}
        </Facts>
      </div>
      {task.violations.length > 0 && (
        <div className={classes.problems}>
          <Violations items={task.violations} label="Problems in the task" />
        </div>
      )}
      {result !== undefined && (
        <div className={classes.result}>
          {result.outcome === null ? (
            <p className={classes.waiting} role="status">
              <Loader size={14} aria-hidden /> Waiting for the result
            </p>
          ) : (
            <PartBoundary resetKey={result.outcome.type}>
              <OutcomeView outcome={result.outcome} name={task.tool ?? 'task'} serverId={serverId} />
            </PartBoundary>
          )}
        </div>
      )}
    </section>
  );
}

/** A time as the server writes it, in the local time zone; as received if it is not a date. */
function Time({ text }: { text: string | null }) {
  if (text === null) return 'not given';
  const atMs = Date.parse(text);
  if (!Number.isFinite(atMs)) return text;
  return <span data-tip={`As received: ${text}`}>{formatDateTime(atMs)}</span>;
}

/** Polls the task again and again while it is shown: until it ends, until a poll fails, or until it is switched off. */
function useWatch(serverId: ServerId, task: TaskItem): { isOn: boolean; set: (isOn: boolean) => void } {
  const { tasks } = useModel();
  const [isOn, set] = useState(false);
  const [polls, setPolls] = useState(0);
  const isWatched = isOn && !task.isFinal;
  const poll = useEffectEvent(async (): Promise<void> => {
    await tasks.poll(serverId, task.taskId);
    if ((tasks.getState()[serverId]?.error ?? null) !== null) set(false);
    setPolls(polls + 1);
  });
  const pause = pollPause(task);
  useEffect(() => {
    if (!isWatched) return undefined;
    const timer = setTimeout(() => void poll(), pause);
    return () => clearTimeout(timer);
  }, [isWatched, pause, polls]);
  return { isOn: isWatched, set };
}
