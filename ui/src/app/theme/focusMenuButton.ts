import type { MouseEvent } from 'react';

/**
 * Moves the focus from an item of a menu to the menu's button before the item does its work: a dialog that it opens gives the
 * focus back there when it is closed, while the item is gone with its menu. An item that keeps its menu open keeps the focus.
 */
export function focusMenuButton({ currentTarget: item }: MouseEvent<HTMLElement>): void {
  const id = item.closest('[data-menu-dropdown]')?.getAttribute('aria-labelledby') ?? '';
  const button = document.getElementById(id);
  if (button === null) return;
  button.focus({ preventScroll: true });
  setTimeout(() => {
    const isOpen = button.getAttribute('aria-expanded') === 'true';
    if (isOpen && document.activeElement === button) item.focus({ preventScroll: true });
  });
}
