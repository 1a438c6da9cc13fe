import { useProblemCounts } from '../../../model/connection/problems/useProblems';
import { formatCount } from '../../../model/text/format';
import classes from './problems.module.css';

/** How many errors and warnings there are. What only matters to other hosts is not counted. */
export function ProblemsBadge() {
  const { error, warning } = useProblemCounts();
  const count = error + warning;
  if (count === 0) return null;
  return (
    <span
      className={`${classes.badge} pb-num`}
      data-weight={error > 0 ? 'error' : 'warning'}
      data-tip={`${formatCount(error, 'error')}, ${formatCount(warning, 'warning')}`}
    >
      {formatCount(count)}
    </span>
  );
}
