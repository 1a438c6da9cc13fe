import { Button, Menu } from '@mantine/core';
import { IconHistory, IconPencil, IconRefresh } from '@tabler/icons-react';
import { formatDuration, formatTime } from '../../../model/format';
import { type ToolCall, type ToolDesk, standingOf } from '../../../model/toolCall';
import { IconButton } from '../../../widgets/IconButton';
import { StandingGlyph, standingWords } from '../result/standing';
import classes from './tools.module.css';

interface CallHistoryProps {
  calls: ToolCall[];
  shown: number | null;
  onChange: (change: Partial<ToolDesk>) => void;
  onAgain: (call: ToolCall) => void;
}

/** The last calls of this tool. */
export function CallHistory({ calls, shown, onChange, onAgain }: CallHistoryProps) {
  if (calls.length === 0) return null;
  return (
    <Menu position="bottom-end" width={420}>
      <Menu.Target>
        <Button variant="subtle" color="gray" leftSection={<IconHistory size={14} />}>
          {calls.length === 1 ? '1 call' : `${calls.length} calls`}
        </Button>
      </Menu.Target>
      <Menu.Dropdown className={classes.history}>
        {calls.map((call) => {
          const standing = standingOf(call);
          return (
            <div key={call.id} className={classes.historyRow} data-shown={call.id === shown || undefined}>
              <Menu.Item className={classes.historyItem} onClick={() => onChange({ shown: call.id })}>
                <span className={classes.historyLine}>
                  <StandingGlyph standing={standing} />
                  <span className="pb-num">{formatTime(call.startedAtMs)}</span>
                  <span>{standingWords(standing)}</span>
                  <span className={`${classes.dim} pb-num`}>
                    {call.durationMs === null ? '' : formatDuration(call.durationMs)}
                  </span>
                  <code className={classes.historyArguments}>
                    {call.argumentsJson.slice(0, 120).replaceAll(/\s*\n\s*/g, ' ')}
                  </code>
                </span>
              </Menu.Item>
              <IconButton
                icon={IconPencil}
                label="Load these arguments"
                onClick={() => onChange({ text: call.argumentsJson, options: call.options, shown: call.id })}
              />
              <IconButton icon={IconRefresh} label="Run again" onClick={() => onAgain(call)} />
            </div>
          );
        })}
      </Menu.Dropdown>
    </Menu>
  );
}
