import { type KeyboardEvent, type MouseEventHandler, type RefObject, useLayoutEffect, useRef } from 'react';

/** What gets the focus of the list in the pane of an element: a list of rows itself, of a list of buttons the current one or the first. */
export function listBeside(element: Element): HTMLElement | null {
  const pane = element.closest('[data-filter-scope]') ?? document;
  const rows = pane.querySelector<HTMLElement>('[role="listbox"]');
  if (rows !== null) return rows;
  const entries = [...pane.querySelectorAll<HTMLElement>('[data-entry]')];
  return (
    entries.find((entry) => entry.matches('[aria-current]:not([aria-current="false"])')) ?? entries[0] ?? null
  );
}

/** Keys in a list of buttons, each of which is a `data-entry`; for the element around them. */
export function moveInList(event: KeyboardEvent<HTMLElement>): void {
  const entries = [...event.currentTarget.querySelectorAll<HTMLElement>('[data-entry]')];
  const at = entries.findIndex((entry) => entry === event.target);
  const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: entries.length - 1 }[event.key];
  const next = at < 0 || to === undefined ? undefined : entries[to];
  if (next === undefined) return;
  event.preventDefault();
  next.focus();
}

/** For a button that goes away with what it does: the list of its pane gets the focus. */
export function withListFocus(act: () => void): MouseEventHandler<HTMLButtonElement> {
  return ({ currentTarget }) => {
    listBeside(currentTarget)?.focus();
    act();
  };
}

interface ListPlace {
  ref: RefObject<HTMLDivElement | null>;
  onFocus: () => void;
  onBlur: () => void;
}

/** For the place of a list that another one replaces when its `key` changes: the next list gets the focus if the one before had it. */
export function useListFocus(key: string): ListPlace {
  const ref = useRef<HTMLDivElement>(null);
  const hadFocus = useRef(false);
  useLayoutEffect(() => {
    if (hadFocus.current && ref.current?.contains(document.activeElement) === false)
      ref.current.querySelector<HTMLElement>('[role="listbox"]')?.focus();
  }, [key]);
  return {
    ref,
    onFocus: () => {
      hadFocus.current = true;
    },
    onBlur: () => {
      hadFocus.current = false;
    },
  };
}
