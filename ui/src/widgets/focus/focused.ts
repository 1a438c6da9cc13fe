import { useState } from 'react';

/**
 * A ref that focuses its element when it appears, because it is the answer to what the user just did. An element that a dialog may
 * open with needs `data-autofocus` too: a moment later the dialog moves the focus there, or to its first button.
 */
export function focused(element: HTMLElement | null): void {
  element?.focus();
}

/**
 * The ref of a field that gets the focus when it is opened. One that was open already, because its panel is shown again, does not
 * take the focus from where the user went.
 */
export function useFocusWhenOpened(isOpen: boolean): typeof focused | undefined {
  const [wasOpen, setWasOpen] = useState(isOpen);
  if (wasOpen && !isOpen) setWasOpen(false);
  return wasOpen ? undefined : focused;
}
