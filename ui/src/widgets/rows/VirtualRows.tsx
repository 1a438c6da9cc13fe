import { Button } from '@mantine/core';
import { IconArrowDown } from '@tabler/icons-react';
import { type KeyboardEvent, type ReactNode, useId, useLayoutEffect, useRef, useState } from 'react';
import { formatCount } from '../../model/text/format';
import { type SizeName, useSize } from '../../model/workspace/uiState/sizes';
import classes from './VirtualRows.module.css';
import { keepPlace, keptPlace, restoredTop } from './keptPlaces';
import { type Place, firstTop, keyTarget, middleFor, placeRows, shiftedTop, topFor } from './rowPlaces';
import { type RowKey, recycleRows } from './rowRecycler';

/** The assumed height of a list before its first layout, in px: measuring it would lay out the window twice. */
const GUESSED_HEIGHT = 400;

/** The height of the rows of a list, by its name among the sizes. */
export type RowSize = Extract<SizeName, 'row' | `row-${string}`>;

export interface VirtualRowsProps {
  /** The accessible name. */
  label: string;
  /** The number of rows, without limit: the work depends only on those visible. */
  count: number;
  /** How many rows have come at the end: those since following ended are the new ones. Without it, all that came are. */
  appended?: number;
  /** The height of every row. */
  rowSize: RowSize;
  /** Renders one row, which may not be loaded yet. */
  children: (index: number) => ReactNode;
  /** The identity of a row; without it, its index. */
  keyOf?: (index: number) => RowKey;
  /** Called when other rows become visible. */
  onRange: (first: number, last: number) => void;
  /** Called with the rows that are in view, in part or whole. */
  onVisible?: ((first: number, last: number) => void) | undefined;
  /** Changes when all earlier rows become invalid. */
  generation: string;
  selected: number | null;
  /** The other end of the selection, in a list that can select several rows; null if one is selected. */
  selectedTo?: number | null | undefined;
  /** `extend`: with Shift, up to that row. */
  onSelect: (index: number, extend: boolean) => void;
  /** Enter on the selected row, or a double click. */
  onOpen?: (index: number) => void;
  /** Escape. */
  onEscape?: () => void;
  /** Whether the newest row is kept in view. */
  follow: boolean;
  /** Without it, the list does not follow new rows and shows no count of new rows. */
  onFollow?: ((follow: boolean) => void) | undefined;
  /**
   * What is selected, by its name; null if nothing is. With it, the list is where it was when it is shown again, and the
   * selected row stays in its place when rows come or go before it. Without it, the list begins at the top.
   */
  anchor?: string | null;
  /**
   * A row to scroll to, to have at the top (`isFirst`), or, with the index `from` that it had, to keep in its place in view; each
   * new object is a new request.
   */
  reveal: { index: number; from?: number; isFirst?: boolean } | null;
  /** Whether a dialog opens with the focus in it. */
  takesFocus?: boolean;
  /** Shown when there are no rows. */
  empty: ReactNode;
}

/**
 * A list of rows of equal height. Only the visible rows are rendered.
 *
 * Not TanStack Virtual: that measures all rows again when their number changes, and this list grows twenty times a second
 * without limit. Browsers also limit an element to some 16 million pixels; beyond that, the scroll bar is scaled.
 */
export function VirtualRows(props: VirtualRowsProps) {
  const {
    label,
    count,
    appended = count,
    rowSize,
    children,
    keyOf,
    onRange,
    onVisible,
    generation,
    selected,
    selectedTo,
    onSelect,
    onOpen,
    follow,
    onFollow,
    anchor,
    takesFocus = false,
    empty,
  } = props;
  const rowHeight = useSize(rowSize);
  const id = useId();
  const scroller = useRef<HTMLDivElement>(null);
  const [measured, setMeasured] = useState<number | null>(null);
  const height = measured ?? GUESSED_HEIGHT;
  const [scrolled, setScrolled] = useState(0);
  // While following, the end is known without measuring: one render for each change, not two.
  const top = follow ? Infinity : scrolled;
  /** The scroll position and the sizes as last measured, in px: they distinguish a scroll by the user from one by the browser. */
  const known = useRef({ top: 0, height: 0, space: 0 });
  /** Whether it has ever followed its end. */
  const followed = useRef(false);
  /** How many rows had come when following ended, or when these rows replaced all others. */
  const [seen, setSeen] = useState({ generation, appended });
  if (seen.generation !== generation) setSeen({ generation, appended });
  // A list that follows is not scrolled: the fewer rows, the cheaper twenty changes a second.
  const view = { count, rowHeight, height, top };
  const place = follow ? placeRows(view, 1) : placeRows(view);
  const visible = placeRows(view, 0);

  useLayoutEffect(() => {
    const element = scroller.current;
    if (element === null) return;
    const observer = new ResizeObserver(() => setMeasured(element.clientHeight));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);

  useLayoutEffect(() => {
    if (!follow) return;
    // Just before the frame's layout: now, the browser would have to lay out twice.
    const frame = requestAnimationFrame(() => {
      if (scroller.current !== null) jump(scroller.current, place.maxTop);
    });
    return () => cancelAnimationFrame(frame);
  }, [follow, count, height, place.maxTop]);

  useLayoutEffect(() => {
    if (follow) followed.current = true;
    // A list that never followed is where it was scrolled to; reading that would force a layout.
    if (follow || !followed.current) return;
    setSeen({ generation, appended });
    setScrolled(scroller.current?.scrollTop ?? 0);
    // Only the end of following matters.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [follow]);

  useLayoutEffect(() => {
    if (place.last >= place.first) onRange(place.first, place.last);
  }, [place.first, place.last, onRange, generation, count]);

  useLayoutEffect(() => {
    if (visible.last >= visible.first) onVisible?.(visible.first, visible.last);
  }, [visible.first, visible.last, onVisible, generation]);

  const name = `${label} ${generation}`;
  /** The request that needs no scrolling: the row is where it was. */
  const restored = useRef<typeof props.reveal>(null);
  const shownAs = useRef<string | null>(null);
  useLayoutEffect(() => {
    if (anchor === undefined || measured === null || count === 0) return;
    // Other rows, such as those of another search: the selected one is revealed.
    const isOther = shownAs.current !== null && shownAs.current !== name;
    shownAs.current = name;
    const before = isOther ? undefined : keptPlace(name);
    const next = before === undefined ? null : restoredTop(before, { selected, anchor }, rowHeight);
    if (next !== null) {
      restored.current = props.reveal;
      if (next !== known.current.top) scrollTo(next);
    }
    keepPlace(name, { top: next ?? known.current.top, rowHeight, selected, anchor });
    // Scrolling keeps the place itself.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [name, anchor, selected, count, measured === null]);

  const drawnHeight = useRef(rowHeight);
  useLayoutEffect(() => {
    const before = drawnHeight.current;
    drawnHeight.current = rowHeight;
    // With other sizes, the first visible row stays the first.
    if (before !== rowHeight && !follow) scrollTo((known.current.top * rowHeight) / before);
    // Only a change of the height moves the list.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [rowHeight]);

  useLayoutEffect(() => {
    if (props.reveal === null || measured === null || restored.current === props.reveal) return;
    const { index, from, isFirst = false } = props.reveal;
    if (isFirst) {
      if (!follow) scrollTo(firstTop(index, place, view));
      return;
    }
    // A list that has just stopped following is where it was last measured, not where it was scrolled to before that.
    const measuredView = { ...view, top: known.current.top };
    if (from !== undefined) {
      const isInView = topFor(from, place, measuredView) === null;
      if (isInView && !follow) scrollTo(shiftedTop(index - from, place, measuredView));
      return;
    }
    // In the middle: the rows around it matter too.
    if (topFor(index, place, measuredView) !== null) scrollTo(Math.max(0, middleFor(index, place, view)));
    // Only a new request moves the list.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [props.reveal, measured === null]);

  function scrollTo(next: number): void {
    const element = scroller.current;
    if (element === null) return;
    jump(element, next);
    if (!follow) setScrolled(next);
  }

  function jump(element: HTMLElement, next: number): void {
    element.scrollTop = next;
    known.current = look(element);
  }

  function onScroll(): void {
    const element = scroller.current;
    if (element === null) return;
    const before = known.current;
    const now = look(element);
    const atEnd = now.top >= now.space - now.height - 4;
    // A list that became higher, or lost rows, is moved up by the browser: the user has not scrolled.
    const isClamped = now.height !== before.height || now.space < before.space;
    if (follow && isClamped && !atEnd) {
      jump(element, now.space - now.height);
      return;
    }
    if (atEnd && !follow && now.top > before.top) onFollow?.(true);
    // Rows that were added since the last event do not move the position; only the user moves it up.
    if (!atEnd && follow && now.top < before.top - 1) onFollow?.(false);
    known.current = now;
    if (anchor !== undefined) keepPlace(name, { top: now.top, rowHeight, selected, anchor });
    if (!follow || !atEnd) setScrolled(now.top);
  }

  function select(index: number, extend: boolean): void {
    // A click on the selected row selects it alone.
    if (index !== selected || (!extend && typeof selectedTo === 'number')) onSelect(index, extend);
    onFollow?.(false);
    const next = topFor(index, place, view);
    if (next !== null) scrollTo(next);
  }

  function onKeyDown(event: KeyboardEvent): void {
    if (event.key === 'Escape') {
      props.onEscape?.();
      return;
    }
    // Enter on a button of a row is for that button.
    if (event.key === 'Enter' && event.target !== event.currentTarget) return;
    if (event.key === 'Enter' && selected !== null) {
      onOpen?.(selected);
      event.preventDefault();
      return;
    }
    const target = keyTarget(event, selected, count, Math.floor(height / rowHeight));
    if (target === null) return;
    event.preventDefault();
    select(target, event.shiftKey);
    if (event.key === 'End') onFollow?.(true);
  }

  const shown = Array.from({ length: Math.max(0, place.last - place.first + 1) }, (_, n) => {
    const index = place.first + n;
    return keyOf?.(index) ?? index;
  });
  const held = useRef<ReadonlyMap<RowKey, number>>(new Map());
  // A list that follows changes as a whole: each element stays in its place.
  const slots = follow ? new Map(shown.map((row, n) => [row, n])) : recycleRows(held.current, shown);
  useLayoutEffect(() => {
    held.current = slots;
  });
  const rows = [...slots.values()].map((slot, n) => {
    const index = place.first + n;
    return (
      // The list handles keys and clicks: it has the focus and names the active row.
      // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus
      <div
        key={slot}
        id={`${id}-${index}`}
        role="option"
        aria-posinset={index + 1}
        aria-setsize={count}
        aria-selected={isSelected(index, selected, selectedTo ?? null)}
        className={classes.row}
        style={{ height: rowHeight }}
        onClick={(event) => select(index, event.shiftKey)}
        onDoubleClick={() => onOpen?.(index)}
      >
        {children(index)}
      </div>
    );
  });

  const wholeRows: Record<string, string> = { '--row-height': `${rowHeight}px` };
  // Rows that are in view are not announced.
  const newer = topFor(count - 1, place, view) === null ? 0 : Math.max(0, appended - seen.appended);
  return (
    <div className={classes.frame}>
      <div
        ref={scroller}
        className={classes.scroller}
        data-whole={onFollow !== undefined || undefined}
        style={wholeRows}
        role="listbox"
        aria-label={label}
        aria-multiselectable={selectedTo !== undefined || undefined}
        aria-activedescendant={isVisible(selected, place) ? `${id}-${selected}` : undefined}
        tabIndex={0}
        data-autofocus={takesFocus || undefined}
        onScroll={onScroll}
        onKeyDown={onKeyDown}
      >
        {count > 0 && (
          <div className={classes.space} style={{ height: place.space }}>
            <div className={classes.slab} style={{ transform: `translateY(${place.slabTop}px)` }}>
              {rows}
            </div>
          </div>
        )}
      </div>
      {/* Not in the listbox, which may hold nothing but options. */}
      {count === 0 && <div className={classes.empty}>{empty}</div>}
      {!follow && newer > 0 && onFollow !== undefined && (
        <Button
          className={classes.newer}
          data-floating
          size="compact-xs"
          leftSection={<IconArrowDown size={14} />}
          onClick={() => onFollow?.(true)}
        >
          {formatCount(newer)} new
        </Button>
      )}
    </div>
  );
}

function look({ scrollTop, clientHeight, scrollHeight }: HTMLElement): {
  top: number;
  height: number;
  space: number;
} {
  return { top: scrollTop, height: clientHeight, space: scrollHeight };
}

function isSelected(index: number, selected: number | null, selectedTo: number | null): boolean {
  if (selected === null || selectedTo === null) return index === selected;
  return index >= Math.min(selected, selectedTo) && index <= Math.max(selected, selectedTo);
}

function isVisible(index: number | null, place: Place): boolean {
  return index !== null && index >= place.first && index <= place.last;
}
