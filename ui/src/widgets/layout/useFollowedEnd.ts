import { type RefObject, type UIEvent, useCallback, useLayoutEffect, useRef } from 'react';

/** This near to the end, in px, the view follows it. */
const NEAR = 80;

export interface FollowedEnd {
  /** The element that scrolls. */
  box: RefObject<HTMLDivElement | null>;
  /** What grows in it. */
  content: RefObject<HTMLDivElement | null>;
  onScroll: (event: UIEvent<HTMLElement>) => void;
  /** Something else than the end is brought into view. */
  leave: () => void;
}

/**
 * Keeps the end of what grows in view, unless the user has scrolled away from it. What begins is at the end: when it is no longer
 * idle, and with each of `turns` that the user begins.
 */
export function useFollowedEnd(isIdle: boolean, turns: number): FollowedEnd {
  const box = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const follows = useRef(true);
  const last = useRef({ scrollTop: 0, scrollHeight: 0, clientHeight: 0 });

  const toEnd = useCallback((): void => {
    const element = box.current;
    if (element === null) return;
    if (follows.current) element.scrollTop = element.scrollHeight;
    const { scrollTop, scrollHeight, clientHeight } = element;
    last.current = { scrollTop, scrollHeight, clientHeight };
  }, []);

  useLayoutEffect(() => {
    const [outer, inner] = [box.current, content.current];
    if (outer === null || inner === null) return;
    const observer = new ResizeObserver(toEnd);
    observer.observe(inner);
    observer.observe(outer);
    return () => observer.disconnect();
  }, [toEnd]);

  const begin = useCallback((): void => {
    follows.current = true;
    toEnd();
  }, [toEnd]);
  useLayoutEffect(() => {
    if (!isIdle) begin();
  }, [isIdle, begin]);
  useLayoutEffect(() => {
    if (turns > 0) begin();
  }, [turns, begin]);

  const onScroll = useCallback((event: UIEvent<HTMLElement>): void => {
    const { scrollTop, scrollHeight, clientHeight } = event.currentTarget;
    const before = last.current;
    last.current = { scrollTop, scrollHeight, clientHeight };
    if (scrollHeight - scrollTop - clientHeight < NEAR) follows.current = true;
    // The browser scrolls too, where the content shrinks or the box grows: only the user scrolls up without that.
    else if (
      scrollTop < before.scrollTop &&
      scrollHeight >= before.scrollHeight &&
      clientHeight <= before.clientHeight
    ) {
      follows.current = false;
    }
  }, []);

  const leave = useCallback((): void => {
    follows.current = false;
  }, []);
  return { box, content, onScroll, leave };
}
