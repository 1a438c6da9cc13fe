import { useEffect, useRef } from 'react';

/**
 * Returns the focus to where it was before a dialog opened, when it has closed. (Mantine does so only for dialogs that stay
 * mounted.)
 */
export function useFocusReturn(open: boolean): void {
  const before = useRef<HTMLElement | null>(null);
  useEffect(() => {
    if (open) return;
    if (before.current?.isConnected === true) before.current.focus();
    // A dialog takes the focus before effects run, so the focus is tracked while no dialog is open.
    const follow = (): void => {
      before.current = document.activeElement instanceof HTMLElement ? document.activeElement : null;
    };
    follow();
    document.addEventListener('focusin', follow);
    return () => document.removeEventListener('focusin', follow);
  }, [open]);
}
