/** Browsers cannot lay out elements much higher than this, in px. */
const MOST_SPACE = 10_000_000;
/** Rows rendered beyond each edge, so that a fast scroll does not show an empty list. */
export const SCROLL_MARGIN = 4;

export interface View {
  count: number;
  rowHeight: number;
  /** Of the viewport, in px. */
  height: number;
  /** The scroll position, in px. */
  top: number;
}

/** The rows to render, and their place. */
export interface Place {
  /** The height of the whole, in px. */
  space: number;
  maxTop: number;
  first: number;
  /** Less than `first` if there is nothing to render. */
  last: number;
  slabTop: number;
}

/** `margin`: the number of rows rendered beyond each edge. */
export function placeRows({ count, rowHeight, height, top }: View, margin = SCROLL_MARGIN): Place {
  const whole = count * rowHeight;
  const space = Math.min(whole, MOST_SPACE);
  const maxTop = Math.max(0, space - height);
  const at = Math.min(Math.max(0, top), maxTop);
  // Beyond the browser's limit, one px of scrolling moves more than one px of rows.
  const virtualTop = maxTop === 0 ? 0 : at * ((whole - height) / maxTop);
  const first = Math.max(0, Math.floor(virtualTop / rowHeight) - margin);
  const last = Math.min(count - 1, Math.ceil((virtualTop + height) / rowHeight) + margin - 1);
  return { space, maxTop, first, last, slabTop: at - (virtualTop - first * rowHeight) };
}

/** The scroll position that shows a row; null if it is wholly visible already. */
export function topFor(index: number, place: Place, view: View): number | null {
  const { rowHeight, height, top } = view;
  const scale = scaleOf(place, view);
  const virtualTop = Math.min(top, place.maxTop) * scale;
  if (index * rowHeight < virtualTop) return (index * rowHeight) / scale;
  if ((index + 1) * rowHeight > virtualTop + height) return ((index + 1) * rowHeight - height) / scale;
  return null;
}

/** The scroll position that has a row in the middle. */
export function middleFor(index: number, place: Place, view: View): number {
  const middle = (index + 0.5) * view.rowHeight - view.height / 2;
  return Math.min(Math.max(0, middle / scaleOf(place, view)), place.maxTop);
}

/** The scroll position that has a row at the top. */
export function firstTop(index: number, place: Place, view: View): number {
  return Math.min((index * view.rowHeight) / scaleOf(place, view), place.maxTop);
}

/** The scroll position that keeps rows where they are in view after so many others were put before them. */
export function shiftedTop(rows: number, place: Place, view: View): number {
  const top = view.top + (rows * view.rowHeight) / scaleOf(place, view);
  return Math.min(Math.max(0, top), place.maxTop);
}

/** The px of rows per px of scrolling. */
function scaleOf({ maxTop }: Place, { count, rowHeight, height }: View): number {
  return maxTop === 0 ? 1 : (count * rowHeight - height) / maxTop;
}

/** The row a key moves to from the selected one; null if it is not a navigation key. */
export function keyTarget(
  { key, ctrlKey, metaKey, altKey }: { key: string; ctrlKey: boolean; metaKey: boolean; altKey: boolean },
  selected: number | null,
  count: number,
  page: number,
): number | null {
  if (count === 0 || ctrlKey || metaKey || altKey) return null;
  const from = selected ?? count;
  const clamp = (index: number): number => Math.min(Math.max(0, index), count - 1);
  switch (key) {
    case 'ArrowUp':
      return clamp(from - 1);
    case 'ArrowDown':
      return clamp(from + 1);
    case 'PageUp':
      return clamp(from - Math.max(1, page));
    case 'PageDown':
      return clamp(from + Math.max(1, page));
    case 'Home':
      return 0;
    case 'End':
      return count - 1;
    default:
      return null;
  }
}
