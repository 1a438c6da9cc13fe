import type { TrafficRow } from '../../contract/generated';
import { formatCount } from '../../model/text/format';

/** How many related records the engine returns at most: the first. */
const MOST_RELATED = 200;

/** How many related records there are: `12`, or `the first 200`. */
export function relatedCount(rows: readonly TrafficRow[]): string {
  const count = formatCount(rows.length);
  return rows.length < MOST_RELATED ? count : `the first ${count}`;
}

/** Below related records that may not be all of them: where the others are. */
export function RelatedLimit({ row, related }: { row: TrafficRow; related: readonly TrafficRow[] }) {
  if (related.length < MOST_RELATED) return null;
  const count = formatCount(MOST_RELATED);
  return (
    <p style={{ color: 'var(--pb-text-dim)' }}>
      {row.operation === null ? (
        <>Only the first {count} are listed.</>
      ) : (
        <>
          Only the first {count} are listed. The filter <span className="pb-mono">op:{row.operation}</span>{' '}
          shows every record of the operation.
        </>
      )}
    </p>
  );
}
