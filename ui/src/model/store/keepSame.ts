/**
 * `fresh`, but with the objects and lists of `old` where they are equal, so that a comparison by identity finds only real
 * changes. For plain data only.
 */
export function keepSame<T>(old: T | undefined, fresh: T): T {
  if (Object.is(old, fresh)) return fresh;
  if (Array.isArray(old) && Array.isArray(fresh)) {
    const kept = fresh.map((item: unknown, at) => keepSame(old[at] as unknown, item));
    return kept.length === old.length && kept.every((item, at) => item === old[at]) ? old : (kept as T);
  }
  if (!isPlain(old) || !isPlain(fresh)) return fresh;
  const before: Record<string, unknown> = old;
  const entries = Object.entries(fresh).map(([key, value]) => [key, keepSame(before[key], value)] as const);
  const isSame =
    Object.keys(before).length === entries.length &&
    entries.every(([key, value]) => Object.hasOwn(before, key) && before[key] === value);
  return isSame ? old : (Object.fromEntries(entries) as T);
}

/** Whether a value is an object and no list. */
export function isPlain(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
