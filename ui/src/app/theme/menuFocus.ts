/** What can be chosen in a menu. */
const ITEMS = '[role^="menuitem"]:not(:disabled)';

/**
 * Gives an item of a menu the focus as soon as the menu is there: the one it marks with `data-autofocus`, else the first.
 * Mantine does so two timers later, with what Tab would reach first; it would undo a key that was pressed before. The mark
 * follows the focus, so that the timers find what has it already.
 */
export function focusFirstItem(menu: HTMLElement | null): void {
  if (menu === null) return;
  menu.addEventListener('focusin', ({ target }) => {
    for (const marked of menu.querySelectorAll('[data-autofocus]')) marked.removeAttribute('data-autofocus');
    if (target instanceof HTMLElement) target.setAttribute('data-autofocus', '');
  });
  // The menu is laid out and its button remembered only at the end of this update.
  queueMicrotask(() => {
    const first =
      menu.querySelector<HTMLElement>('[data-autofocus]') ?? menu.querySelector<HTMLElement>(ITEMS);
    (first ?? menu).focus({ preventScroll: true });
  });
}
