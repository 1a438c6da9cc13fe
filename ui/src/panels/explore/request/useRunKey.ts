import { type RefObject, useEffect, useEffectEvent } from 'react';

/** Ctrl/Cmd-Enter anywhere in the panel around an element runs what the element shows. */
export function useRunKey(root: RefObject<HTMLElement | null>, run: () => void): void {
  const onKeyDown = useEffectEvent((event: KeyboardEvent): void => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || event.defaultPrevented) return;
    event.preventDefault();
    // A key that is held repeats; what it runs is sent once.
    if (!event.repeat) run();
  });
  useEffect(() => {
    const scope = root.current?.closest<HTMLElement>('[data-run-scope]');
    const listener = (event: KeyboardEvent): void => onKeyDown(event);
    scope?.addEventListener('keydown', listener);
    return () => scope?.removeEventListener('keydown', listener);
  }, [root]);
}
