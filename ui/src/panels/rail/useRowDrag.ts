import { type PointerEvent, type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react';

/** How far the pointer moves before a press is a drag, in px. */
const SLACK = 5;
/** How near to an edge of the list the pointer scrolls it, and by how much each time, in px. */
const EDGE = 24;
const STEP = 8;

/** A row that is dragged. */
export interface RowDrag {
  from: number;
  /** Where it would be put, from 0. */
  to: number;
}

interface Press {
  index: number;
  x: number;
  y: number;
}

/**
 * Dragging a row of a list to another place, by the pointer.
 *
 * Not the drag and drop of the browser: the window takes that for files. `onDrop` is called once, when the row is let go elsewhere;
 * Escape, a press that is taken away, or other rows (another object) ends it without: at its places are other rows then.
 */
export function useRowDrag(
  list: RefObject<HTMLElement | null>,
  rows: readonly unknown[],
  onDrop: (drag: RowDrag) => void,
) {
  const [drag, setDrag] = useState<RowDrag | null>(null);
  const press = useRef<Press | null>(null);
  /** The drag as it is now: it may end before it is drawn. */
  const current = useRef<RowDrag | null>(null);
  /** A drag ends with a click on what is under the pointer, which is not meant. */
  const dragged = useRef(false);

  const change = (to: RowDrag | null): void => {
    current.current = to;
    setDrag(to);
  };
  const cancel = (): void => {
    press.current = null;
    change(null);
  };

  useEffect(() => {
    if (drag === null) return;
    const onKeyDown = (event: KeyboardEvent): void => {
      if (event.key !== 'Escape') return;
      event.preventDefault();
      event.stopPropagation();
      cancel();
    };
    document.addEventListener('keydown', onKeyDown, true);
    return () => document.removeEventListener('keydown', onKeyDown, true);
  }, [drag]);

  const [rowsBefore, setRowsBefore] = useState(rows);
  if (rowsBefore !== rows) {
    setRowsBefore(rows);
    setDrag(null);
  }
  useLayoutEffect(() => {
    press.current = null;
    current.current = null;
  }, [rows]);

  function onPointerDown(event: PointerEvent<HTMLElement>): void {
    dragged.current = false;
    const isButton = event.target instanceof Element && event.target.closest('button') !== null;
    if (event.button !== 0 || event.pointerType === 'touch' || isButton) return;
    const index = rowsOf(list.current).findIndex((row) => row.contains(event.target as Node));
    press.current = index < 0 ? null : { index, x: event.clientX, y: event.clientY };
  }

  function onPointerMove(event: PointerEvent<HTMLElement>): void {
    const began = press.current;
    const element = list.current;
    if (began === null || element === null) return;
    // Let go outside of the list, which hears of that only during a drag.
    if ((event.buttons & 1) === 0) return cancel();
    const before = current.current;
    if (before === null && Math.hypot(event.clientX - began.x, event.clientY - began.y) < SLACK) return;
    if (before === null) {
      // From now on all moves come here, also from outside of the list.
      element.setPointerCapture(event.pointerId);
      dragged.current = true;
    }
    scrollNear(element, event.clientY);
    const to = placeAt(rowsOf(element), event.clientY);
    if (before?.to !== to) change({ from: began.index, to });
  }

  function onPointerUp(): void {
    const ended = current.current;
    cancel();
    if (ended !== null && ended.to !== ended.from) onDrop(ended);
  }

  return {
    drag,
    handlers: {
      onPointerDown,
      onPointerMove,
      onPointerUp,
      onPointerCancel: cancel,
      onClickCapture(event: { stopPropagation: () => void }): void {
        if (dragged.current) event.stopPropagation();
        dragged.current = false;
      },
    },
  };
}

function rowsOf(list: HTMLElement | null): HTMLElement[] {
  return Array.from(list?.querySelectorAll<HTMLElement>('[data-row]') ?? []);
}

/** The row that is at a height, the nearest beyond the ends. */
export function placeAt(rows: readonly Pick<HTMLElement, 'getBoundingClientRect'>[], y: number): number {
  const at = rows.findIndex((row) => y < row.getBoundingClientRect().bottom);
  return at < 0 ? rows.length - 1 : at;
}

function scrollNear(list: HTMLElement, y: number): void {
  const { top, bottom } = list.getBoundingClientRect();
  if (y < top + EDGE) list.scrollTop -= STEP;
  else if (y > bottom - EDGE) list.scrollTop += STEP;
}
