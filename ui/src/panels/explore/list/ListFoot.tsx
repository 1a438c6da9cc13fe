import { Button } from '@mantine/core';
import { freshnessTip, freshnessWords } from '../../../model/lists/freshness';
import { type ServerList, isCounted } from '../../../model/lists/serverList';
import { formatCount } from '../../../model/text/format';
import classes from './list.module.css';

interface ListFootProps {
  list: Pick<
    ServerList<unknown>,
    'known' | 'error' | 'rows' | 'total' | 'freshness' | 'hasMore' | 'pages' | 'loading'
  >;
  /** `tool`, for the count. */
  noun: string;
  /** How many rows match the filter; null without a filter. */
  matching: number | null;
  /** Requests the next page of the server, or all further pages. */
  onMore: (all: boolean) => void;
  /** Cancels the request for the list that is in progress. */
  onCancel: () => void;
}

/** How many rows a list has, and how long the server says it is fresh. */
export function ListFoot({ list, noun, matching, onMore, onCancel }: ListFootProps) {
  const { known, rows, freshness, hasMore, pages, loading } = list;
  // The first rows are shown while the others are being pulled.
  const all = known ? rows.length : Math.max(list.total, rows.length);
  const count =
    matching === null ? formatCount(all, noun) : `${formatCount(matching)} of ${formatCount(all)}`;
  return (
    <>
      {known && loading && (
        <div className={`${classes.more} pb-late`} role="group" aria-label="Request">
          <span>Loading {noun}s…</span>
          <Button variant="default" size="compact-xs" onClick={onCancel}>
            Cancel
          </Button>
        </div>
      )}
      {hasMore && (
        <div className={classes.more} role="group" aria-label="Pages">
          <span className="pb-num">{pages === 1 ? 'First page' : `First ${formatCount(pages)} pages`}</span>
          <Button variant="default" size="compact-xs" disabled={loading} onClick={() => onMore(false)}>
            Next page
          </Button>
          <Button variant="default" size="compact-xs" disabled={loading} onClick={() => onMore(true)}>
            All pages
          </Button>
        </div>
      )}
      <div className={classes.foot}>
        <span className="pb-num">{isCounted(list) ? count : ''}</span>
        {freshness !== null && (
          <span className="pb-num pb-ellipsis" data-tip={freshnessTip(freshness)}>
            {freshnessWords(freshness)}
          </span>
        )}
      </div>
    </>
  );
}
