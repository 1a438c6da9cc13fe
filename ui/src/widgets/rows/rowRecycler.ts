/** The identity of a row, independent of its position in the list. */
export type RowKey = string | number;

/**
 * Assigns elements, as numbers, to rows, in the order of the rows. A row keeps its element, and a new row takes over that of
 * a removed one, so that the fewest elements change and none is created without need.
 */
export function recycleRows(held: ReadonlyMap<RowKey, number>, rows: readonly RowKey[]): Map<RowKey, number> {
  const slots = new Map<RowKey, number>();
  for (const row of rows) slots.set(row, held.get(row) ?? -1);
  const free = [...held].filter(([row]) => !slots.has(row)).map(([, slot]) => slot);
  let next = Math.max(-1, ...held.values()) + 1;
  for (const [row, slot] of slots) {
    if (slot < 0) slots.set(row, free.shift() ?? next++);
  }
  return slots;
}
