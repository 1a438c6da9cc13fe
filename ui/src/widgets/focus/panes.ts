import { type FocusableElement, isTabbable, tabbable } from 'tabbable';

/** What holds a pane, as the library that divides the window marks it. */
const PANE = '[data-panel]';
/** What the arrow keys move in: where a pane has one, it is entered there and not at a button above it. */
const LISTS = '[role="tree"], [role="listbox"], [role="grid"], [role="treegrid"], [role="list"]';

/**
 * Moves the focus to the pane after the focused one, or before it, in the order of the page; from the last to the first. A pane
 * is a panel that is not divided further, and is shown. False if there is none that can have the focus.
 */
export function focusPane(by: 1 | -1): boolean {
  const focused = document.activeElement;
  const panes = [...document.querySelectorAll<HTMLElement>(PANE)].filter(
    (pane) => pane.querySelector(PANE) === null && (pane.contains(focused) || entryOf(pane) !== undefined),
  );
  const at = panes.findIndex((pane) => pane.contains(focused));
  const next = at < 0 && by < 0 ? -1 : (at + by) % panes.length;
  const pane = panes.at(next);
  if (pane === undefined || next === at) return false;
  entryOf(pane)?.focus();
  return true;
}

/** What has the focus first in a pane; undefined if nothing in it is shown and can have it. */
function entryOf(pane: HTMLElement): FocusableElement | undefined {
  const lists = [...pane.querySelectorAll<HTMLElement>(LISTS)];
  return lists.find((list) => isTabbable(list)) ?? tabbable(pane)[0];
}
