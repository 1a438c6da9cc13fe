import { Button } from '@mantine/core';
import { IconAlertTriangle, IconChevronRight } from '@tabler/icons-react';
import type { ViolationItem } from '../../../contract/generated';
import { heaviest } from '../../../model/connection/problems/weight';
import type { ServerList } from '../../../model/lists/serverList';
import { formatCount } from '../../../model/text/format';
import { CommandAlert } from '../../../widgets/failure/CommandAlert';
import { Steady } from '../../../widgets/layout/Steady';
import { Violations } from '../../../widgets/status/Violations';
import { WeightGlyph } from '../../../widgets/status/WeightGlyph';
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
    <Steady>
      {list.stale !== null && (
        <div className={classes.stale} role="status">
          <IconAlertTriangle size={14} aria-hidden />
          <span>{list.stale === 'changed' ? `${noun} changed.` : `${noun} is stale.`}</span>
          <Button variant="default" size="compact-xs" loading={list.loading} onClick={onRefresh}>
            Refresh
          </Button>
        </div>
      )}
      {list.error?.code === 'cancelled' && (
        <div className={classes.cancelled} role="status">
          <span>{noun} request was cancelled.</span>
          <Button variant="default" size="compact-xs" loading={list.loading} onClick={onRefresh}>
            Retry
          </Button>
        </div>
      )}
      {list.error !== null && list.error.code !== 'cancelled' && (
        <CommandAlert error={list.error} inPane>
          <Button variant="default" size="compact-xs" loading={list.loading} onClick={onRefresh}>
            Retry
          </Button>
        </CommandAlert>
      )}
      {list.violations.length > 0 && <Problems items={list.violations} />}
    </Steady>
  );
}

/** The problems of a list: open if the list is wrong, one line if hosts may only be particular about it. */
function Problems({ items }: { items: ViolationItem[] }) {
  const weight = heaviest(items);
  return (
    <details key={items.length} className={classes.problems} open={weight === 'error'}>
      <summary className="pb-num" data-tip={items[0]?.message.slice(0, 1_000)}>
        <WeightGlyph weight={weight} />
        <span className="pb-ellipsis">
          {formatCount(items.length, weight === 'info' ? 'note' : 'problem')} in the list
        </span>
        <IconChevronRight size={14} className={classes.chevron} aria-hidden />
      </summary>
      <Violations items={items} label="Problems in the list" />
    </details>
  );
}
