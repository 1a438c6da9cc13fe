import { useEffect, useRef } from 'react';

/**
 * Returns the focus to where it was before a dialog opened, when it has closed. (Mantine does so only for dialogs that stay
 * mounted.)
 */
export function useFocusReturn(open: boolean): void {
  const before = useRef<HTMLElement | null>(null);
  const wasOpen = useRef(false);
  useEffect(() => {
    if (open) {
      wasOpen.current = true;
      return;
    }
    // Effects also run when a hidden part is shown again.
    if (wasOpen.current && before.current?.isConnected === true) before.current.focus();
    wasOpen.current = false;
    // A dialog takes the focus before effects run, so the focus is tracked while no dialog is open.
    const follow = (): void => {
      before.current = document.activeElement instanceof HTMLElement ? document.activeElement : null;
    };
    follow();
    document.addEventListener('focusin', follow);
    return () => document.removeEventListener('focusin', follow);
  }, [open]);
}
