import { Button, Menu } from '@mantine/core';
import { IconHistory, IconPencil, IconRefresh } from '@tabler/icons-react';
import { useStore } from 'zustand';
import { useModel } from '../../../model/workspace/context';
import { formatDuration, formatTime } from '../../../model/text/format';
import {
  type DeskKey,
  type ToolCall,
  type ToolDesk,
  emptyDesk,
  standingOf,
} from '../../../model/tools/toolCall';
import { IconButton } from '../../../widgets/controls/IconButton';
import { StandingGlyph, standingWords } from '../result/standing';
import classes from './tools.module.css';

interface CallHistoryProps {
  desk: DeskKey;
  onChange: (change: Partial<ToolDesk>) => void;
  onAgain: (call: ToolCall) => void;
}

/** The last calls of this tool. */
export function CallHistory({ desk, onChange, onAgain }: CallHistoryProps) {
  const { toolCalls } = useModel();
  const count = useStore(toolCalls, (desks) => desks[desk]?.calls.length ?? 0);
  if (count === 0) return null;
  return (
    <Menu position="bottom-end" width={420}>
      <Menu.Target>
        <Button variant="subtle" color="gray" leftSection={<IconHistory size={14} />}>
          {count === 1 ? '1 call' : `${count} calls`}
        </Button>
      </Menu.Target>
      <Menu.Dropdown className={classes.history}>
        <Calls desk={desk} onChange={onChange} onAgain={onAgain} />
      </Menu.Dropdown>
    </Menu>
  );
}

/** Apart, because they are there only while the menu is open. */
function Calls({ desk, onChange, onAgain }: CallHistoryProps) {
  const { toolCalls } = useModel();
  const { calls, shown } = useStore(toolCalls, (desks) => desks[desk] ?? emptyDesk);
  return calls.map((call) => {
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
  });
}
