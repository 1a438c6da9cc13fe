/** What a row is, wherever it stands in the list. */
export type RowKey = string | number;

/**
 * Which element shows which row, as a number for each; in the order of the rows. A row keeps the element it had, and one
 * that comes takes over that of one that went: the fewest elements are filled anew, and none is made without need.
 */
export function lendSlots(held: ReadonlyMap<RowKey, number>, rows: readonly RowKey[]): Map<RowKey, number> {
  const slots = new Map<RowKey, number>();
  for (const row of rows) slots.set(row, held.get(row) ?? -1);
  const free = [...held].filter(([row]) => !slots.has(row)).map(([, slot]) => slot);
  let next = Math.max(-1, ...held.values()) + 1;
  for (const [row, slot] of slots) {
    if (slot < 0) slots.set(row, free.shift() ?? next++);
  }
  return slots;
}
