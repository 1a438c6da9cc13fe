import { type MouseEventHandler, type RefObject, useLayoutEffect, useRef } from 'react';

/** The list of the pane that an element is in. */
export function listBeside(element: Element): HTMLElement | null {
  const pane = element.closest('[data-filter-scope]') ?? document;
  return pane.querySelector<HTMLElement>('[role="listbox"]');
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
