import { useShortcutText } from '../../model/workspace/shortcuts/bound';

/** The keys of a command; nothing if it has none. `index`: which of a range of keys. */
export function ShortcutKeys({ id, index }: { id: string; index?: number }) {
  const keys = useShortcutText(id, index);
  return keys === '' ? null : <kbd>{keys}</kbd>;
}
