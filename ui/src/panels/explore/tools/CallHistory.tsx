import { Button, Menu } from '@mantine/core';
import { IconHistory, IconPencil, IconRefresh } from '@tabler/icons-react';
import { useStore } from 'zustand';
import { useModel } from '../../../model/workspace/context';
import { formatDuration, formatTime } from '../../../model/text/format';
import { type Exchange, statusOf } from '../../../model/exchange/exchange';
import { exchangesOf } from '../../../model/exchange/exchanges';
import type { ExchangeKey, ToolRequest } from '../../../model/exchange/request';
import { IconButton } from '../../../widgets/controls/IconButton';
import { StatusGlyph, statusWords } from '../result/status';
import classes from './tools.module.css';

interface CallHistoryProps {
  tool: ExchangeKey<ToolRequest>;
  onLoad: (request: ToolRequest) => void;
  onAgain: (request: ToolRequest) => void;
}

/** The last calls of this tool. */
export function CallHistory({ tool, onLoad, onAgain }: CallHistoryProps) {
  const { exchanges } = useModel();
  const count = useStore(exchanges, (state) => exchangesOf(state, tool).items.length);
  if (count === 0) return null;
  return (
    <Menu position="bottom-end" width={420}>
      <Menu.Target>
        <Button variant="subtle" color="gray" leftSection={<IconHistory size={14} />}>
          {count === 1 ? '1 call' : `${count} calls`}
        </Button>
      </Menu.Target>
      <Menu.Dropdown className={classes.history}>
        <Calls tool={tool} onLoad={onLoad} onAgain={onAgain} />
      </Menu.Dropdown>
    </Menu>
  );
}

/** A component of its own because it is mounted only while the menu is open. */
function Calls({ tool, onLoad, onAgain }: CallHistoryProps) {
  const { exchanges } = useModel();
  const { items, shown } = useStore(exchanges, (state) => exchangesOf(state, tool));
  return items.map((call: Exchange<ToolRequest>) => {
    const status = statusOf(call);
    return (
      <div key={call.id} className={classes.historyRow} data-shown={call.id === shown || undefined}>
        <Menu.Item className={classes.historyItem} onClick={() => exchanges.show(tool, call.id)}>
          <span className={classes.historyLine}>
            <StatusGlyph status={status} />
            <span className="pb-num">{formatTime(call.startedAtMs)}</span>
            <span>{statusWords(status)}</span>
            <span className={`${classes.dim} pb-num`}>
              {call.durationMs === null ? '' : formatDuration(call.durationMs)}
            </span>
            <code className={classes.historyArguments}>
              {call.request.argumentsJson.slice(0, 120).replaceAll(/\s*\n\s*/g, ' ')}
            </code>
          </span>
        </Menu.Item>
        <IconButton
          icon={IconPencil}
          label="Load these arguments"
          onClick={() => {
            exchanges.show(tool, call.id);
            onLoad(call.request);
          }}
        />
        <IconButton icon={IconRefresh} label="Run again" onClick={() => onAgain(call.request)} />
      </div>
    );
  });
}
