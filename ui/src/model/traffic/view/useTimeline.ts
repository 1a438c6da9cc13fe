import { useMemo } from 'react';
import type { TrafficView } from '../useTrafficView';
import { type Timeline, createTimeline, updateTimeline } from './timeline';

interface ShownTimeline {
  timeline?: Timeline;
  /** To be called with the rows in view. */
  onShown?: (first: number, last: number) => void;
}

/** The time of the rows of a view that are shown; nothing unless it is wanted. */
export function useTimeline(isWanted: boolean, { log }: Pick<TrafficView, 'log'>): ShownTimeline {
  return useMemo(() => {
    if (!isWanted) return {};
    const timeline = createTimeline();
    return { timeline, onShown: (first, last) => updateTimeline(timeline, log, first, last) };
  }, [isWanted, log]);
}
