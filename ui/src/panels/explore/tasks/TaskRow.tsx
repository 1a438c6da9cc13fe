import {
  IconBan,
  IconCircleCheck,
  IconCircleX,
  IconClock,
  IconHelpCircle,
  IconMessageQuestion,
  type Icon,
} from '@tabler/icons-react';
import type { TaskItem } from '../../../contract/generated';
import { progressInWords, shortened } from '../../../model/text/format';
import { ownOf } from '../../../model/store/ownOf';
import classes from './tasks.module.css';

const LOOKS: Record<string, { icon: Icon; word: string; color: string }> = {
  working: { icon: IconClock, word: 'working', color: 'var(--pb-warn)' },
  input_required: { icon: IconMessageQuestion, word: 'input required', color: 'var(--pb-warn)' },
  completed: { icon: IconCircleCheck, word: 'completed', color: 'var(--pb-ok)' },
  failed: { icon: IconCircleX, word: 'failed', color: 'var(--pb-error)' },
  cancelled: { icon: IconBan, word: 'cancelled', color: 'var(--pb-off)' },
};

/** How much of an unknown status is shown, in characters. */
const MOST_STATUS = 40;

/** The status of a task as glyph and word; an unknown status is shown as received. */
export function TaskStatus({ status }: { status: string }) {
  const known = ownOf(LOOKS, status);
  const look = known ?? {
    icon: IconHelpCircle,
    word: shortened(status, MOST_STATUS),
    color: 'var(--pb-warn)',
  };
  const Glyph = look.icon;
  return (
    <span
      className={classes.status}
      style={{ color: look.color }}
      data-tip={known === undefined ? status.slice(0, 1_000) : undefined}
    >
      <Glyph size={14} aria-hidden />
      {look.word === '' ? 'no status' : look.word}
    </span>
  );
}

/** One row of the list of tasks. */
export function TaskRow({ task }: { task: TaskItem }) {
  const { progress, statusMessage } = task;
  const told = progress === null ? statusMessage : progressInWords(progress);
  return (
    <div className={classes.row}>
      <TaskStatus status={task.status} />
      <span className="pb-ellipsis">{task.tool ?? ''}</span>
      <span className={`${classes.id} pb-mono pb-ellipsis`}>{task.taskId}</span>
      <span className={`${classes.message} pb-ellipsis`}>{told}</span>
    </div>
  );
}
