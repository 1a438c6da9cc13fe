import { type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react';
import { useHost } from '../../model/workspace/context';

interface WindowDrop<E extends HTMLElement> {
  /** The element that takes what is dropped. */
  place: RefObject<E | null>;
  isOver: boolean;
  /** Whether anything can be dropped in this way: only in the window. */
  accepts: boolean;
}

/** Files and folders that are dropped onto an element, in the window, which tells their paths. */
export function useWindowDrop<E extends HTMLElement>(onDrop: (paths: string[]) => void): WindowDrop<E> {
  const host = useHost();
  const place = useRef<E>(null);
  const [isOver, setIsOver] = useState(false);
  const drop = useEffectEvent(onDrop);
  useEffect(
    () =>
      host.onFileDrop?.((dropped) => {
        const box = place.current?.getBoundingClientRect();
        const isInside =
          box !== undefined &&
          isOnTop(place.current, dropped) &&
          dropped.x >= box.left &&
          dropped.x <= box.right &&
          dropped.y >= box.top &&
          dropped.y <= box.bottom;
        setIsOver(isInside && dropped.type === 'over');
        if (isInside && dropped.type === 'drop') drop(dropped.paths);
      }),
    [host],
  );
  return { place, isOver, accepts: host.onFileDrop !== undefined };
}

/** Whether nothing is above an element at a point: not another dialog, which may have such a place too. */
function isOnTop(element: Element | null, { x, y }: { x: number; y: number }): boolean {
  const top = document.elementFromPoint(x, y);
  return top !== null && element?.contains(top) === true;
}
