/** Where a list was scrolled to, and the selected row that it was scrolled to with. */
export interface KeptPlace {
  /** In px. */
  top: number;
  /** The height of its rows then, in px. */
  rowHeight: number;
  /** The index of the selected row. */
  selected: number | null;
  /** What is selected, by its name. */
  anchor: string | null;
}

/** How many lists are remembered. */
const MOST = 200;

const places = new Map<string, KeptPlace>();

export function keptPlace(list: string): KeptPlace | undefined {
  return places.get(list);
}

export function keepPlace(list: string, place: KeptPlace): void {
  places.delete(list);
  places.set(list, place);
  const [oldest] = places.keys();
  if (places.size > MOST && oldest !== undefined) places.delete(oldest);
}

/** Where to scroll so that the selected row is where it was; null if something else is selected now. */
export function restoredTop(
  before: KeptPlace,
  now: Pick<KeptPlace, 'selected' | 'anchor'>,
  rowHeight: number,
): number | null {
  if (before.anchor !== now.anchor) return null;
  const moved = before.selected === null || now.selected === null ? 0 : now.selected - before.selected;
  return Math.max(0, (before.top / before.rowHeight + moved) * rowHeight);
}
