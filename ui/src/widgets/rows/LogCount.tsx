import { Text } from '@mantine/core';
import { formatCount } from '../../model/text/format';
import { type TrafficView, useRowCount, useSearching } from '../../model/traffic/useTrafficView';
import classes from './LogCount.module.css';

/** The number of rows of a view of the traffic log: `1,234 records`. */
export function LogCount({ view, noun }: { view: TrafficView; noun: string }) {
  return (
    <Text
      span
      size="xs"
      c="dimmed"
      className="pb-num pb-ellipsis"
      ml="auto"
      aria-live="off"
      data-testid="traffic-count"
    >
      <Count view={view} noun={noun} />
    </Text>
  );
}

/** A separate component: it changes with every record. */
function Count({ view, noun }: { view: TrafficView; noun: string }) {
  const { total, arrived } = useRowCount(view);
  const isSearching = useSearching(view);
  const shown = formatCount(total, noun);
  return (
    <>
      {view.paused ? `${shown} · paused, ${formatCount(arrived)} new` : shown}
      {isSearching && <span className={classes.searching}> · searching older records…</span>}
    </>
  );
}
