import { Button, Progress } from '@mantine/core';
import { IconMessageQuestion, IconRefresh } from '@tabler/icons-react';
import { useStore } from 'zustand';
import { useShallow } from 'zustand/react/shallow';
import { useNow } from '../../../model/store/clock';
import { useModel } from '../../../model/workspace/context';
import { formatCount, formatDuration } from '../../../model/text/format';
import { askInWords } from '../../../model/inbox/inputRequest';
import type { ToolCall } from '../../../model/tools/toolCall';
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
          {call.round > 0 && `Round ${call.round} · `}
          {progress === null
            ? call.exchangeId === null
              ? 'Sending'
              : 'Waiting for the answer'
            : formatCount(progress.count, 'progress report')}
        </span>
      </div>
      {call.resent.map((reason, i) => (
        // They never change their order.
        // oxlint-disable-next-line react/no-array-index-key
        <div key={i} className={classes.runningLine}>
          <IconRefresh size={14} aria-hidden />
          <span>Sent once more: {reason}</span>
        </div>
      ))}
      {call.task !== null && (
        <div className={classes.runningLine}>
          <span>
            Task <code>{call.task.taskId}</code>: {call.task.status}
          </span>
          {call.task.statusMessage !== null && <span>{call.task.statusMessage}</span>}
        </div>
      )}
      <Questions call={call} />
    </div>
  );
}

/** What the server asks before it goes on. */
function Questions({ call }: { call: ToolCall }) {
  const { inputs, workspace } = useModel();
  const items = useStore(
    inputs,
    useShallow((state) =>
      state.items.filter(({ aboutExchange }) => aboutExchange !== null && aboutExchange === call.exchangeId),
    ),
  );
  return items.map((item) => (
    <div key={item.id} className={classes.question}>
      <IconMessageQuestion size={14} aria-hidden />
      <span>{askInWords(item)}</span>
      <Button
        variant="default"
        size="compact-xs"
        onClick={() => {
          inputs.offer(item.id);
          workspace.setState({ dialog: { type: 'input', inputId: item.id } });
        }}
      >
        Answer
      </Button>
    </div>
  ));
}

function formatAmount(value: number): string {
  return Number.isInteger(value) ? formatCount(value) : String(Math.round(value * 1000) / 1000);
}
