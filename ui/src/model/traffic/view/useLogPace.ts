import { useEffect, useState } from 'react';
import type { RowSource } from './sortedRows';

/** The shortest interval between two readings of a record that goes on, in ms. */
const EVERY_MS = 1_000;

/** A number that grows after a log has changed, at most once a second, and only while it is watched. */
export function useLogPace(log: Pick<RowSource, 'subscribe'>, isWatched: boolean): number {
  const [pace, setPace] = useState(0);
  useEffect(() => {
    if (!isWatched) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const stop = log.subscribe(() => {
      timer ??= setTimeout(() => {
        timer = undefined;
        setPace((now) => now + 1);
      }, EVERY_MS);
    });
    return () => {
      stop();
      clearTimeout(timer);
    };
  }, [log, isWatched]);
  return pace;
}
