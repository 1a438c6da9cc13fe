import { Button } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useRef } from 'react';
import { useStore } from 'zustand';
import type { ListItemGetResponse, ResourceItem, ServerId } from '../../../contract/generated';
import { shownExchange } from '../../../model/exchange/exchanges';
import { resourceKey } from '../../../model/exchange/request';
import { formatSize } from '../../../model/text/format';
import { useModel, useServerPart } from '../../../model/workspace/context';
import { useFocusRequest } from '../../../model/workspace/useFocusRequest';
import { EmptyState } from '../../../widgets/layout/EmptyState';
import { RecordLink } from '../../../widgets/links/RecordLink';
import { Violations } from '../../../widgets/status/Violations';
import { CopyUri } from '../../../widgets/links/CopyUri';
import { ReadResult } from './ReadResult';
import { SubscribeButton, SubscriptionProblem } from './SubscribeButton';
import { useRunKey } from '../request/useRunKey';
import { useDefinition } from '../list/useDefinition';
import { Clamped } from '../../../widgets/text/Clamped';
import panes from '../list/panes.module.css';
import classes from './resources.module.css';

interface ResourcePaneProps {
  serverId: ServerId;
  uri: string;
  /** Its row; none if it is not in the list, because it was opened by a link or has been removed. */
  item: ResourceItem | undefined;
  /** Whether the list is known. */
  isListed: boolean;
}

/** One resource: what its server says about it, and what was read. */
export function ResourcePane({ serverId, uri, item, isListed }: ResourcePaneProps) {
  const { exchanges, resources } = useModel();
  const isReady = useServerPart(serverId, (server) => server?.connection.state === 'ready');
  const key = resourceKey(serverId, uri);
  const hasResult = useStore(exchanges, (state) => shownExchange(state, key) !== undefined);
  const isRunning = useStore(exchanges, (state) => shownExchange(state, key)?.outcome === null);
  const root = useRef<HTMLDivElement>(null);
  const definition = useDefinition(serverId, 'resources', item);
  const description = definition?.description ?? item?.description ?? null;
  const read = (): void => {
    if (!isReady || isRunning || uri === '') return;
    resources.setInUse(serverId);
    exchanges.start(serverId, { type: 'resource', uri });
  };
  useRunKey(root, read);
  useFocusRequest('resources', serverId, true, () =>
    root.current?.querySelector<HTMLElement>('[data-primary]')?.focus(),
  );
  const reason = uri === '' ? 'The resource has no URI' : isReady ? null : 'Not connected';
  return (
    <div ref={root} className={panes.pane}>
      <header className={classes.head}>
        <div className={classes.title}>
          {item !== undefined && item.icon !== null && <img src={item.icon} alt="" className={panes.icon} />}
          <h2 className={`${panes.name} pb-selectable`}>
            {[item?.title, item?.name, uri].find(
              (name) => name !== null && name !== undefined && name !== '',
            ) ?? 'Unnamed resource'}
          </h2>
          <span className="pb-grow" />
          <CopyUri uri={uri} />
          <SubscribeButton serverId={serverId} uri={uri} />
          <Button
            data-primary
            onClick={read}
            disabled={reason !== null || isRunning}
            data-tip={reason ?? 'Read the resource (Ctrl/Cmd-Enter)'}
          >
            Read
          </Button>
        </div>
        <div className={`${panes.uri} pb-selectable`}>{uri}</div>
        {item !== undefined && <ResourceFacts item={item} definition={definition} />}
        {description !== null && description !== '' && (
          <div className={`${classes.description} pb-selectable`}>
            <Clamped text={description} label="Description" />
          </div>
        )}
        {item === undefined && isListed && (
          <p className={classes.warn}>
            <IconAlertTriangle size={14} aria-hidden />
            Not in the server’s list. It may still be readable.
          </p>
        )}
        <SubscriptionProblem serverId={serverId} uri={uri} className={classes.warn} />
        {item !== undefined && item.violations.length > 0 && (
          <Violations items={item.violations} label="Problems in the definition" />
        )}
      </header>
      <div className={panes.body}>
        {hasResult ? (
          <ReadResult serverId={serverId} uri={uri} onRead={read} />
        ) : (
          <EmptyState
            title="Not read yet"
            text={isReady ? 'Read it to see its contents.' : 'Connect the server to read it.'}
          />
        )}
      </div>
    </div>
  );
}

interface ResourceFactsProps {
  item: ResourceItem;
  definition: ListItemGetResponse | null;
}

function ResourceFacts({ item, definition }: ResourceFactsProps) {
  const { mimeType, size, audience, priority, lastModified } = item;
  return (
    <div className={`${classes.facts} pb-selectable pb-num`}>
      {mimeType !== null && <span>{mimeType.slice(0, 100)}</span>}
      {size !== null && <span>{formatSize(size)}</span>}
      {audience.length > 0 && <span>for {audience.join(', ').slice(0, 100)}</span>}
      {priority !== null && <span>priority {priority}</span>}
      {lastModified !== null && <span>modified {lastModified.slice(0, 40)}</span>}
      {definition !== null && <RecordLink seq={definition.seq} label="Definition" />}
    </div>
  );
}
