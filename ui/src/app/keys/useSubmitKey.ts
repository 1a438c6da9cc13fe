import { useEffect } from 'react';

/**
 * Ctrl/Cmd-Enter in a form submits it, also from a field in which Enter alone is a line break, as its button does: not while
 * that is disabled. What a form or a part of it does with the key itself comes first.
 */
export function useSubmitKey(): void {
  useEffect(() => {
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, []);
}

function onKeyDown(event: KeyboardEvent): void {
  if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
  if (event.defaultPrevented || event.isComposing || !(event.target instanceof Element)) return;
  const button = event.target.closest('form')?.querySelector<HTMLButtonElement>('button[type="submit"]');
  if (!button) return;
  event.preventDefault();
  // A key that is held repeats; the form is submitted once.
  if (!event.repeat) button.click();
}
