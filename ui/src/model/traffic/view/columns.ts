import type { TrafficView as SavedView } from '../../workspace/uiState';

/** The columns of the log that can be hidden or resized. Time, direction and summary are always there. */

export type ColumnId = 'server' | 'kind' | 'method' | 'id' | 'status' | 'latency' | 'size';

export interface Column {
  id: ColumnId;
  label: string;
  /** Its width where nobody has changed it, and the least and the most it can have, in px; none if it is fixed. */
  width?: { usual: number; least: number; most: number };
}

export const COLUMNS: readonly Column[] = [
  { id: 'server', label: 'Server', width: { usual: 104, least: 40, most: 320 } },
  { id: 'kind', label: 'Kind', width: { usual: 82, least: 40, most: 160 } },
  { id: 'method', label: 'Method', width: { usual: 236, least: 80, most: 600 } },
  { id: 'id', label: 'ID', width: { usual: 48, least: 24, most: 320 } },
  { id: 'status', label: 'Status' },
  { id: 'latency', label: 'Latency' },
  { id: 'size', label: 'Size' },
];

/** A width within the bounds of its column. */
export function boundedWidth({ width }: Column, px: number): number {
  if (width === undefined || !Number.isFinite(px)) return width?.usual ?? 0;
  return Math.round(Math.min(width.most, Math.max(width.least, px)));
}

/** The custom properties that give the columns their widths. Only what the user has changed is set. */
export function columnStyle(widths: SavedView['columnWidths']): Record<string, string> {
  const set = COLUMNS.flatMap((column) => {
    const px = widths[column.id];
    return px === undefined || column.width === undefined
      ? []
      : [[`--w-${column.id}`, `${boundedWidth(column, px)}px`]];
  });
  return Object.fromEntries(set) as Record<string, string>;
}

/** The term that leaves one row of each call: its request, which has the status and the time of the answer. */
const ONE_ROW = '-kind:response';

/** The terms of a view besides its filter. A filter that names responses shows them. */
export function rowTerms({ oneRow, filter }: Pick<SavedView, 'oneRow' | 'filter'>): readonly string[] {
  return oneRow && !/(^|\s)-?kind:\S*response/i.test(filter) ? [ONE_ROW] : [];
}
