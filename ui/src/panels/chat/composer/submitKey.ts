import type { KeyboardEvent } from 'react';

/** Submits a form by the key that sends: Enter alone is a line break in its fields. */
export function submitKey(event: KeyboardEvent<HTMLFormElement>): void {
  if (event.defaultPrevented || event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
  event.preventDefault();
  event.stopPropagation();
  // A key that is held repeats; the form is submitted once.
  if (!event.repeat) event.currentTarget.requestSubmit();
}
