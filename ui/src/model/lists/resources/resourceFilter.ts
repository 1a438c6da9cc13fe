import type { ResourceRow } from './resourceTree';

export type ResourceSort = 'server' | 'name' | 'priority' | 'lastModified';

/** The conditions on the annotations of a resource, and the sort order. */
export interface ResourceFilter {
  /** Null: any audience. Resources without an audience are for everyone. */
  audience: string | null;
  /** 0: also those without a priority. */
  minPriority: number;
  sort: ResourceSort;
}

export const NO_FILTER: ResourceFilter = { audience: null, minPriority: 0, sort: 'server' };

export function isFiltered({ audience, minPriority }: ResourceFilter): boolean {
  return audience !== null || minPriority > 0;
}

/** The rows that pass, in order. The same array if nothing is left out or moved. */
export function applyFilter(rows: ResourceRow[], filter: ResourceFilter): ResourceRow[] {
  const { audience, minPriority, sort } = filter;
  const passing = isFiltered(filter)
    ? rows.filter(
        ({ item }) =>
          (audience === null || item.audience.length === 0 || item.audience.includes(audience)) &&
          (minPriority === 0 || (item.priority ?? 0) >= minPriority),
      )
    : rows;
  switch (sort) {
    case 'server':
      return passing;
    case 'name':
      return passing.toSorted((a, b) => compareText(a.item.name, b.item.name));
    case 'priority':
      return passing.toSorted((a, b) => (b.item.priority ?? -1) - (a.item.priority ?? -1));
    case 'lastModified':
      return passing.toSorted((a, b) => timeOf(b) - timeOf(a));
  }
}

/** Not `localeCompare`: 10,000 names must be sorted within a frame. */
function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function timeOf({ item }: ResourceRow): number {
  const time = item.lastModified === null ? Number.NaN : Date.parse(item.lastModified);
  return Number.isNaN(time) ? -Infinity : time;
}
