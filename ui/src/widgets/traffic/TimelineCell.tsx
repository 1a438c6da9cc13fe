import { useStore } from 'zustand';
import type { TrafficRow } from '../../contract/generated';
import { formatDuration } from '../../model/text/format';
import { type Timeline, barWithin } from '../../model/traffic/view/timeline';
import classes from './TimelineCell.module.css';

/** When a record was, and how long it took, within the time of the rows in view. Its numbers are in the other columns. */
export function TimelineCell({ row, timeline }: { row: TrafficRow; timeline: Timeline }) {
  const all = useStore(timeline);
  if (all === null) return <span />;
  const { left, width } = barWithin(row, all);
  return (
    <span className={classes.axis} aria-hidden>
      <span
        className={classes.bar}
        data-status={row.status ?? undefined}
        style={{ left: `min(${left}%, 100% - 2px)`, width: `${width}%` }}
      />
    </span>
  );
}

/** The head of the column: how much time it shows. */
export function TimelineHead({ timeline }: { timeline: Timeline }) {
  const all = useStore(timeline);
  return (
    <span role="columnheader" className="pb-num" data-tip="The time of the rows in view">
      Timeline{all !== null && ` · ${formatDuration(all.toMs - all.fromMs)}`}
    </span>
  );
}
