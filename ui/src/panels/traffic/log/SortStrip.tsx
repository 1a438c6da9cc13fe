import type { Sorted } from '../../../model/traffic/view/useSorted';
import { sortWords } from '../../../model/traffic/view/sorting';
import { formatCount } from '../../../model/text/format';
import { type TrafficView, useRowCount } from '../../../model/traffic/useTrafficView';
import { withListFocus } from '../../../widgets/focus/listFocus';
import { LinkButton } from '../../../widgets/links/LinkButton';
import classes from './SortStrip.module.css';

interface SortStripProps {
  sorted: Sorted;
  /** The log as it is. */
  live: TrafficView;
  /** By time again, as the records arrive. */
  onEnd: () => void;
}

/** Above records that are sorted: how, which of them, and the way back to the newest. */
export function SortStrip({ sorted, live, onEnd }: SortStripProps) {
  const { sort, count, error, refresh } = sorted;
  return (
    <div className={classes.strip}>
      <span className="pb-ellipsis pb-num" role="status">
        {error !== null
          ? `Cannot sort: ${error.message}`
          : count === null
            ? 'Sorting…'
            : `Sorted by ${sortWords(sort)}: ${countWords(sorted)}`}
      </span>
      {error !== null && <LinkButton onClick={withListFocus(refresh)}>Try again</LinkButton>}
      {count !== null && <Newer sorted={sorted} live={live} />}
      <span className={classes.end}>
        <LinkButton onClick={withListFocus(onEnd)}>Back to the newest records</LinkButton>
      </span>
    </div>
  );
}

function countWords({ count, of }: Sorted): string {
  if (count === null || count >= of) return formatCount(of, 'record');
  return `the newest ${formatCount(count)} of ${formatCount(of, 'record')}; a filter reaches older ones`;
}

/** A separate component: it changes with every record. */
function Newer({ sorted: { of, refresh }, live }: Pick<SortStripProps, 'sorted' | 'live'>) {
  const { total, arrived } = useRowCount(live);
  const newer = total + arrived - of;
  if (newer <= 0) return null;
  return <LinkButton onClick={withListFocus(refresh)}>Include {formatCount(newer)} new</LinkButton>;
}
