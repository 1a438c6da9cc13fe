import { Button, Menu } from '@mantine/core';
import { IconArrowsDiff, IconHistory, IconPencil, IconRepeat } from '@tabler/icons-react';
import { useStore } from 'zustand';
import { useModel } from '../../../model/workspace/context';
import { formatCount, formatDuration, formatTime } from '../../../model/text/format';
import { statusOf } from '../../../model/exchange/exchange';
import { exchangesOf } from '../../../model/exchange/exchanges';
import { type ExchangeKey, type ExchangeRequest, argumentsOf } from '../../../model/exchange/request';
import { IconButton } from '../../../widgets/controls/IconButton';
import { StatusGlyph, statusWords } from './status';
import classes from './result.module.css';

interface ExchangeHistoryProps<R extends ExchangeRequest> {
  of: ExchangeKey<R>;
  /** `call`, for the count. */
  noun: string;
  /** Puts the arguments of an earlier request back into the form. */
  onLoad: (request: R) => void;
  onAgain: (request: R) => void;
}

/** The last requests about one tool or prompt: shows their results, and sends them again. */
export function ExchangeHistory<R extends ExchangeRequest>(props: ExchangeHistoryProps<R>) {
  const { exchanges } = useModel();
  const count = useStore(exchanges, (state) => exchangesOf(state, props.of).items.length);
  if (count === 0) return null;
  return (
    <Menu position="bottom-end" width={420}>
      <Menu.Target>
        <Button variant="subtle" color="gray" leftSection={<IconHistory size={14} />}>
          {formatCount(count, props.noun)}
        </Button>
      </Menu.Target>
      <Menu.Dropdown className={classes.history}>
        <Exchanges {...props} />
      </Menu.Dropdown>
    </Menu>
  );
}

/** A separate component, mounted only while the menu is open. */
function Exchanges<R extends ExchangeRequest>({ of, onLoad, onAgain }: ExchangeHistoryProps<R>) {
  const { exchanges } = useModel();
  const { items, shown } = useStore(exchanges, (state) => exchangesOf(state, of));
  return items.map((exchange) => {
    const status = statusOf(exchange);
    return (
      <div key={exchange.id} className={classes.historyRow} data-shown={exchange.id === shown || undefined}>
        <Menu.Item className={classes.historyItem} onClick={() => exchanges.show(of, exchange.id)}>
          <span className={classes.historyLine}>
            <StatusGlyph status={status} />
            <span className="pb-num">{formatTime(exchange.startedAtMs)}</span>
            <span>{statusWords(status)}</span>
            <span className={`${classes.dim} pb-num`}>
              {exchange.durationMs === null ? '' : formatDuration(exchange.durationMs)}
            </span>
            <code className={classes.historyArguments}>
              {argumentsOf(exchange.request)
                .slice(0, 120)
                .replaceAll(/\s*\n\s*/g, ' ')}
            </code>
          </span>
        </Menu.Item>
        <IconButton
          role="menuitem"
          icon={IconArrowsDiff}
          label="Compare with the shown run"
          disabled={exchange.id === shown || shown === null || exchange.outcome === null}
          onClick={() => exchanges.compare(of, exchange.id)}
        />
        <IconButton
          role="menuitem"
          icon={IconPencil}
          label="Load these arguments"
          onClick={() => {
            exchanges.show(of, exchange.id);
            onLoad(exchange.request);
          }}
        />
        <IconButton
          role="menuitem"
          icon={IconRepeat}
          label="Run again"
          onClick={() => onAgain(exchange.request)}
        />
      </div>
    );
  });
}
