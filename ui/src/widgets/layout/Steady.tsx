import { type ReactNode, useState, useSyncExternalStore } from 'react';

/** Whether a button of the pointer is down. */
let isDown = false;
const listeners = new Set<() => void>();

function set(next: boolean): void {
  if (isDown === next) return;
  isDown = next;
  for (const listener of listeners) listener();
}

const press = (): void => {
  // Some releases are not told of: those outside the window, or on a menu of the system.
  window.addEventListener('pointermove', missed, true);
  set(true);
};

const release = (): void => {
  window.removeEventListener('pointermove', missed, true);
  // The click comes after this.
  setTimeout(set, 0, false);
};

const missed = ({ buttons }: PointerEvent): void => {
  if (buttons === 0) release();
};

const RELEASES = ['pointerup', 'pointercancel'] as const;

function subscribe(listener: () => void): () => void {
  if (listeners.size === 0) {
    window.addEventListener('pointerdown', press, true);
    for (const name of RELEASES) window.addEventListener(name, release, true);
    // That of the window only: a press moves the focus.
    window.addEventListener('blur', release);
  }
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    window.removeEventListener('pointerdown', press, true);
    for (const name of RELEASES) window.removeEventListener(name, release, true);
    window.removeEventListener('blur', release);
    window.removeEventListener('pointermove', missed, true);
    isDown = false;
  };
}

/**
 * What appears by itself and moves what is below it. It does not change while a button of the pointer is down: a button that
 * moves away under the pointer is not clicked.
 */
export function Steady({ children }: { children: ReactNode }) {
  const isHeld = useSyncExternalStore(subscribe, () => isDown);
  const [shown, setShown] = useState(children);
  if (!isHeld && shown !== children) setShown(children);
  return isHeld ? shown : children;
}
