import { type KeyboardEvent, type PointerEvent, useRef } from 'react';
import { type Column, boundedWidth } from '../../model/traffic/view/columns';
import classes from './TrafficRow.module.css';

/** How much a key changes a width, in px. */
const STEP = 8;

interface ColumnHandleProps {
  column: Column;
  /** In px; undefined where nobody has changed it. */
  width: number | undefined;
  /** Null: the usual width again. */
  onWidth: (column: Column, px: number | null) => void;
}

/**
 * The border of a column of the log: dragged, moved by the arrow keys, or put back by a double click or Enter. While it is
 * dragged only the style of the list changes, which `[data-columns]` marks.
 */
export function ColumnHandle({ column, width, onWidth }: ColumnHandleProps) {
  const handle = useRef<HTMLSpanElement>(null);
  const drag = useRef<{ x: number; width: number; now: number } | null>(null);

  const measured = (): number => handle.current?.parentElement?.getBoundingClientRect().width ?? 0;
  const commit = (px: number | null): void => onWidth(column, px);

  function onPointerDown(event: PointerEvent<HTMLSpanElement>): void {
    if (event.button !== 0) return;
    event.preventDefault();
    event.currentTarget.focus();
    event.currentTarget.setPointerCapture(event.pointerId);
    const before = measured();
    drag.current = { x: event.clientX, width: before, now: before };
  }

  function onPointerMove(event: PointerEvent<HTMLSpanElement>): void {
    if (drag.current === null) return;
    const { x, width: before } = drag.current;
    const px = boundedWidth(column, before + event.clientX - x);
    drag.current.now = px;
    event.currentTarget
      .closest<HTMLElement>('[data-columns]')
      ?.style.setProperty(`--w-${column.id}`, `${px}px`);
  }

  function onPointerUp(): void {
    const ended = drag.current;
    drag.current = null;
    if (ended !== null && ended.now !== ended.width) commit(ended.now);
  }

  function onKeyDown(event: KeyboardEvent): void {
    if (event.key === 'Enter') commit(null);
    else if (event.key === 'ArrowLeft') commit(boundedWidth(column, measured() - STEP));
    else if (event.key === 'ArrowRight') commit(boundedWidth(column, measured() + STEP));
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  return (
    // A separator that is moved has the focus, as the specification of its role says.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <span
      ref={handle}
      role="separator"
      aria-orientation="vertical"
      aria-label={`Width of ${column.label}`}
      aria-valuenow={width === undefined ? column.width?.usual : boundedWidth(column, width)}
      aria-valuemin={column.width?.least}
      aria-valuemax={column.width?.most}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={0}
      className={classes.handle}
      data-tip="Drag, or ← and →; double-click or Enter for the usual width"
      onPointerDown={onPointerDown}
      onPointerMove={onPointerMove}
      onPointerUp={onPointerUp}
      onPointerCancel={onPointerUp}
      onDoubleClick={() => commit(null)}
      onKeyDown={onKeyDown}
    />
  );
}
