import { freshnessTip, freshnessWords } from '../../../model/lists/freshness';
import type { ServerList } from '../../../model/lists/serverList';
import { formatCount } from '../../../model/text/format';
import classes from './list.module.css';

interface ListFootProps {
  list: Pick<ServerList<unknown>, 'known' | 'error' | 'rows' | 'freshness'>;
  /** `tool`, for the count. */
  noun: string;
  /** How many rows match the filter; null without a filter. */
  matching: number | null;
}

/** How many rows a list has, and how long the server says it is fresh. */
export function ListFoot({ list, noun, matching }: ListFootProps) {
  const { known, error, rows, freshness } = list;
  // A list that failed to load is not an empty list.
  const isCounted = known && (error === null || rows.length > 0);
  const count =
    matching === null
      ? formatCount(rows.length, noun)
      : `${formatCount(matching)} of ${formatCount(rows.length)}`;
  return (
    <div className={classes.foot}>
      <span className="pb-num">{isCounted ? count : ''}</span>
      {freshness !== null && (
        <span className="pb-num pb-ellipsis" data-tip={freshnessTip(freshness)}>
          {freshnessWords(freshness)}
        </span>
      )}
    </div>
  );
}
