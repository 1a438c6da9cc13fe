import { useCallback, useEffect, useEffectEvent, useRef } from 'react';
import type { Seq } from '../../../contract/generated';
import type { TrafficView } from '../useTrafficView';
import type { RowSource } from './sortedRows';

/** A record that is the first in view. */
interface First {
  seq: Seq;
  log: RowSource;
  generation: string;
}

/**
 * Keeps the first record in view when records are removed from a log that does not follow its end: `onMoved` gets the index that it
 * has then, or that of the oldest record if it was removed too. Returns what is told which row is the first in view.
 */
export function useFirstRow(
  view: TrafficView,
  follows: boolean,
  onMoved: (index: number) => void,
): (index: number) => void {
  const { generation, log } = view;
  const first = useRef<First>(null);
  const moved = useEffectEvent(onMoved);
  const locate = useEffectEvent(view.locate);
  const isFollowing = useEffectEvent(() => follows);

  useEffect(() => {
    const before = first.current;
    if (before === null || before.log !== log || before.generation === generation) return;
    first.current = null;
    if (isFollowing() || log.total === 0) return;
    let current = true;
    first.current = before;
    const settle = (index: number | null): void => {
      if (!current) return;
      first.current = index === null ? null : { ...before, generation };
      moved(index ?? 0);
    };
    locate(before.seq).then(settle, () => {
      if (current) first.current = null;
    });
    return () => {
      current = false;
    };
  }, [generation, log]);

  return useCallback(
    (index) => {
      const before = first.current;
      // It is being located: the row at the index is another one.
      if (before !== null && before.log === log && before.generation !== generation) return;
      const seq = log.row(index)?.seq;
      first.current = seq === undefined ? null : { seq, log, generation };
    },
    [generation, log],
  );
}
