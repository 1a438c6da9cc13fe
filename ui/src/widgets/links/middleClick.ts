import type { MouseEvent } from 'react';

/** A handler of `auxclick`, which the right button fires too: what it opens is a menu, not the link. */
export function onMiddleClick(act: (event: MouseEvent) => void): (event: MouseEvent) => void {
  return (event) => {
    if (event.button === 1) act(event);
  };
}
