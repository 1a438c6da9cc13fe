/** What can be chosen in a menu. */
const ITEMS = '[role^="menuitem"]:not(:disabled)';
/** Marks the element that Mantine focuses. */
const PLACE = 'data-autofocus';

/**
 * Gives an item of a menu the focus as soon as the menu is there: the one that is marked with `data-autofocus`, else the first.
 *
 * Mantine focuses what Tab would reach first, two timers later. By then a key may have moved the focus to another item, or chosen
 * one that moved it elsewhere. A hidden element, which cannot be focused, is therefore put where Mantine looks.
 */
export function focusFirstItem(menu: HTMLElement | null): void {
  if (menu === null || menu.firstElementChild?.matches(`[hidden][${PLACE}]`) === true) return;
  const nowhere = document.createElement('span');
  nowhere.hidden = true;
  nowhere.setAttribute(PLACE, '');
  menu.prepend(nowhere);
  // At the end of this update: Mantine remembers until then which element gets the focus back.
  queueMicrotask(() => {
    const marked = menu.querySelector<HTMLElement>(`[${PLACE}]:not([hidden])`);
    (marked ?? menu.querySelector<HTMLElement>(ITEMS) ?? menu).focus({ preventScroll: true });
  });
}
