import { type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react';
import { useHost } from '../../model/workspace/context';

interface WindowDrop<E extends HTMLElement> {
  /** The element that takes what is dropped. */
  place: RefObject<E | null>;
  isOver: boolean;
  /** Whether anything can be dropped in this way: only in the window. */
  accepts: boolean;
}

/** The elements on screen that take what is dropped. */
const places = new Set<RefObject<HTMLElement | null>>();

/** Whether an element on screen takes what is dropped at a point, in CSS px. */
export function isDropPlace(point: { x: number; y: number }): boolean {
  return [...places].some(({ current }) => current !== null && isOnTop(current, point));
}

/** Files and folders that are dropped onto an element, in the window, which tells their paths. */
export function useWindowDrop<E extends HTMLElement>(onDrop: (paths: string[]) => void): WindowDrop<E> {
  const host = useHost();
  const place = useRef<E>(null);
  const [isOver, setIsOver] = useState(false);
  const drop = useEffectEvent(onDrop);
  useEffect(() => {
    const stop = host.onFileDrop?.((dropped) => {
      const isInside = isOnTop(place.current, dropped);
      setIsOver(isInside && dropped.type === 'over');
      if (isInside && dropped.type === 'drop') drop(dropped.paths);
    });
    places.add(place);
    return () => {
      places.delete(place);
      stop?.();
    };
  }, [host]);
  return { place, isOver, accepts: host.onFileDrop !== undefined };
}

/** Whether a point is on an element, with nothing above it: not another dialog, which may have such a place too. */
function isOnTop(element: Element | null, { x, y }: { x: number; y: number }): boolean {
  const box = element?.getBoundingClientRect();
  if (box === undefined || x < box.left || x > box.right || y < box.top || y > box.bottom) return false;
  const top = document.elementFromPoint(x, y);
  return top !== null && element?.contains(top) === true;
}
