import { useLayoutEffect } from 'react';

/**
 * Ties a control to the texts that describe it, for screen readers. Mantine's inputs know only the texts that they draw themselves,
 * and ignore the attribute.
 */
export function useDescribedBy(controlId: string, ...textIds: (string | false)[]): void {
  const ids = textIds.filter((id) => id !== false).join(' ');
  // At each render: it may be another element then, and Mantine may have written the attribute.
  useLayoutEffect(() => {
    const control = document.getElementById(controlId);
    if (ids === '' || control === null) return;
    control.setAttribute('aria-describedby', ids);
    return () => {
      if (control.getAttribute('aria-describedby') === ids) control.removeAttribute('aria-describedby');
    };
  });
}
