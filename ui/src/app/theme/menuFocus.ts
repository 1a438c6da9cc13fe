/** What can be chosen in a menu. */
const ITEMS = '[role^="menuitem"]:not(:disabled)';
/** The place that Mantine gives the focus. */
const PLACE = 'data-autofocus';

/**
 * Gives an item of a menu the focus as soon as the menu is there: the one that is marked with `data-autofocus`, else the first.
 *
 * Mantine does so two timers later, with what Tab would reach first. By then a key may have moved the focus to another item, or
 * have chosen one, which takes the focus elsewhere; so a hidden element is put where Mantine looks, which cannot take it.
 */
export function focusFirstItem(menu: HTMLElement | null): void {
  if (menu === null || menu.firstElementChild?.matches(`[hidden][${PLACE}]`) === true) return;
  const nowhere = document.createElement('span');
  nowhere.hidden = true;
  nowhere.setAttribute(PLACE, '');
  menu.prepend(nowhere);
  // The menu's button is remembered, and the menu laid out, only at the end of this update.
  queueMicrotask(() => {
    const marked = menu.querySelector<HTMLElement>(`[${PLACE}]:not([hidden])`);
    (marked ?? menu.querySelector<HTMLElement>(ITEMS) ?? menu).focus({ preventScroll: true });
  });
}
