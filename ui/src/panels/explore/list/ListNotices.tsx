import { Button } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import type { ServerList } from '../../../model/lists/serverList';
import { CommandAlert } from '../../../widgets/failure/CommandAlert';
import { Violations } from '../../../widgets/status/Violations';
import classes from './ListNotices.module.css';

interface ListNoticesProps {
  list: Pick<ServerList<unknown>, 'stale' | 'error' | 'violations' | 'loading'>;
  /** `Resource list`, at the beginning of a sentence. */
  noun: string;
  onRefresh: () => void;
}

/** What is wrong with a list, above it. */
export function ListNotices({ list, noun, onRefresh }: ListNoticesProps) {
  return (
    <>
      {list.stale !== null && (
        <div className={classes.stale} role="status">
          <IconAlertTriangle size={14} aria-hidden />
          <span>{list.stale === 'changed' ? `${noun} changed.` : `${noun} is stale.`}</span>
          <Button variant="default" size="compact-xs" loading={list.loading} onClick={onRefresh}>
            Refresh
          </Button>
        </div>
      )}
      {list.error !== null && (
        <CommandAlert error={list.error} inPane>
          <Button variant="default" size="compact-xs" loading={list.loading} onClick={onRefresh}>
            Retry
          </Button>
        </CommandAlert>
      )}
      {list.violations.length > 0 && (
        <div className={classes.violations}>
          <Violations items={list.violations} label="Problems in the list" />
        </div>
      )}
    </>
  );
}
