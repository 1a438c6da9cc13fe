import { Button } from '@mantine/core';
import { IconPointFilled } from '@tabler/icons-react';
import { useMemo } from 'react';
import { useStore } from 'zustand';
import type { ServerId } from '../../../contract/generated';
import { comparedExchange, exchangesOf, shownExchange } from '../../../model/exchange/exchanges';
import type { Exchange } from '../../../model/exchange/exchange';
import { type ResourceRequest, resourceKey } from '../../../model/exchange/request';
import {
  hasChangedSince,
  newestUpdates,
  successfulReads,
} from '../../../model/lists/resources/resourceChanges';
import { noSubscriptions } from '../../../model/lists/subscriptions/subscriptions';
import { formatTime } from '../../../model/text/format';
import { useModel } from '../../../model/workspace/context';
import { CopyMenu } from '../result/CopyMenu';
import { ExchangeResult } from '../result/ExchangeResult';
import panes from '../list/panes.module.css';
import classes from './resources.module.css';

interface ReadResultProps {
  serverId: ServerId;
  uri: string;
  onRead: () => void;
}

/** What the newest read of a resource brought, that it has changed since, and the difference from the read before. */
export function ReadResult({ serverId, uri, onRead }: ReadResultProps) {
  const { exchanges, subscriptions } = useModel();
  const key = resourceKey(serverId, uri);
  const shown = useStore(exchanges, (state) => shownExchange(state, key));
  const list = useStore(exchanges, (state) => exchangesOf(state, key));
  const all = useStore(subscriptions, (state) => state[serverId] ?? noSubscriptions);
  const updates = useMemo(() => newestUpdates(all), [all]);
  if (shown === undefined) return null;
  const isChanged = hasChangedSince(shown, updates.get(uri));
  const reads = successfulReads(list.items);
  const before = reads[reads.indexOf(shown) + 1];
  const canCompare = reads.includes(shown) && before !== undefined;
  const isComparing = comparedExchange(list) !== undefined;
  return (
    <div className={classes.result}>
      {isChanged && (
        <div className={classes.strip} data-tone="warn" role="status">
          <IconPointFilled size={14} aria-hidden />
          Changed since this read.
          <span className="pb-grow" />
          <Button variant="default" size="compact-xs" onClick={onRead}>
            Read again
          </Button>
        </div>
      )}
      {canCompare && (
        <div className={classes.strip}>
          <span className="pb-num">Previously read at {formatTime(before.startedAtMs).slice(0, 8)}</span>
          <Button
            variant="default"
            size="compact-xs"
            aria-pressed={isComparing}
            onClick={() => exchanges.compare(key, isComparing ? null : before.id)}
          >
            {isComparing ? 'Show contents' : 'Show difference'}
          </Button>
        </div>
      )}
      <div className={panes.body}>
        <Result exchange={shown} onRead={onRead} />
      </div>
    </div>
  );
}

function Result({ exchange, onRead }: { exchange: Exchange<ResourceRequest>; onRead: () => void }) {
  const { exchanges } = useModel();
  return (
    <ExchangeResult
      key={exchange.id}
      exchange={exchange}
      onCancel={() => void exchanges.cancel(exchange)}
      onAgain={onRead}
      actions={<CopyMenu exchange={exchange} />}
    />
  );
}
