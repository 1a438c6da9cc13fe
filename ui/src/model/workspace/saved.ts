/** Lists of what a user saves under names: requests of the composer, presets of tools. A name is used once. */

interface Named {
  name: string;
}

/** The list with an item added; it replaces the item of the same name in place. */
export function withSaved<T extends Named>(items: readonly T[], item: T): T[] {
  return items.some(({ name }) => name === item.name)
    ? items.map((each) => (each.name === item.name ? item : each))
    : [...items, item];
}

export function withoutSaved<T extends Named>(items: readonly T[], name: string): T[] {
  return items.filter((each) => each.name !== name);
}

/** The list with an item under another name; an item that had that name is replaced. */
export function withRenamed<T extends Named>(items: readonly T[], from: string, to: string): T[] {
  const others = from === to ? items : withoutSaved(items, to);
  return others.map((each) => (each.name === from ? { ...each, name: to } : each));
}
