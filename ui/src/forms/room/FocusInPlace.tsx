import { Component, type ReactNode, type RefObject } from 'react';

interface FocusInPlaceProps {
  children: ReactNode;
  /** The element around the children. */
  root: RefObject<HTMLElement | null>;
}

interface Place {
  field: Element;
  top: number;
}

/**
 * Keeps the field that is edited where it is on the screen. Without it, what comes into view above the field moves the field
 * from under the pointer, and closes its list of choices.
 */
export class FocusInPlace extends Component<FocusInPlaceProps> {
  override getSnapshotBeforeUpdate(): Place | null {
    const field = document.activeElement;
    // A button is kept nowhere: what it adds is to be seen.
    if (field === null || !field.matches(EDITED)) return null;
    return { field, top: field.getBoundingClientRect().top };
  }

  override componentDidUpdate(_props: unknown, _state: unknown, before: Place | null): void {
    if (before === null || !before.field.isConnected) return;
    const moved = before.field.getBoundingClientRect().top - before.top;
    if (moved === 0) return;
    const scroller = scrollerOf(before.field);
    if (scroller?.contains(this.props.root.current)) scroller.scrollTop += moved;
  }

  override render(): ReactNode {
    return this.props.children;
  }
}

const EDITED = 'input, textarea, select, [contenteditable="true"]';

/** The element that scrolls another one. */
function scrollerOf(element: Element): Element | undefined {
  for (let around = element.parentElement; around !== null; around = around.parentElement) {
    const isScrolled = around.scrollHeight > around.clientHeight;
    if (isScrolled && ['auto', 'scroll'].includes(getComputedStyle(around).overflowY)) return around;
  }
  return undefined;
}
