import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import { SHORTCUTS, combinationsOf } from '../shortcuts';
import { ownOf } from '../../store/ownOf';
import { DIGITS, type KeyPress, type Keys, indexIn, keysOf, keysText, parseKeys, writesText } from './keys';

/** What the user chose, by the id of the command: keys, or the empty text for none. Other values are of a newer version. */
export type ChosenKeys = Readonly<Record<string, unknown>>;

/** A command that can have keys. */
export interface Bindable {
  id: string;
}

/** The keys that a command has until the user chooses others; null: none. */
export function defaultKeys(id: string): Keys | null {
  const shortcut = SHORTCUTS.find((each) => each.id === id && each.group === 'Anywhere' && !each.outside);
  if (shortcut === undefined || shortcut.id === 'close') return null;
  return combinationsOf(shortcut)[0] ?? null;
}

/** The keys of a command; null: none. */
export function boundKeys(id: string, chosen: ChosenKeys): Keys | null {
  const own = ownKeys(id, chosen);
  return own === undefined ? defaultKeys(id) : own === '' ? null : own;
}

/** What was chosen for a command, as far as it is understood. */
function ownKeys(id: string, chosen: ChosenKeys): Keys | undefined {
  const own = ownOf(chosen, id);
  if (typeof own !== 'string') return undefined;
  const isRange = own.endsWith(DIGITS);
  const takesRange = defaultKeys(id)?.endsWith(DIGITS) === true;
  return own === '' || (parseKeys(own) !== null && isRange === takesRange) ? own : undefined;
}

/** Whether the user chose other keys than the default. */
export function isRebound(id: string, chosen: ChosenKeys): boolean {
  return boundKeys(id, chosen) !== defaultKeys(id);
}

/** The choice with other keys for a command; null: none. The default needs no entry. */
export function withKeys(chosen: ChosenKeys, id: string, keys: Keys | null): ChosenKeys {
  const next = { ...chosen };
  if (keys === defaultKeys(id)) delete next[id];
  else next[id] = keys ?? '';
  return next;
}

/** The choice with the defaults of these commands; what is not understood stays. */
export function withoutKeys(chosen: ChosenKeys, ids: readonly string[]): ChosenKeys {
  const known = new Set(ids.filter((id) => ownKeys(id, chosen) !== undefined));
  return Object.fromEntries(Object.entries(chosen).filter(([id]) => !known.has(id)));
}

/** The command whose keys are pressed, the first if several have them; `index` for a range of keys. */
export function pressedCommand<T extends Bindable>(
  press: KeyPress,
  typing: boolean,
  commands: readonly T[],
  chosen: ChosenKeys,
): { command: T; index: number } | null {
  const pressed = keysOf(press);
  // What writes a character belongs to the field.
  if (pressed === null || (typing && writesText(pressed))) return null;
  for (const command of commands) {
    const keys = boundKeys(command.id, chosen);
    const index = keys === null ? -1 : indexIn(keys, pressed);
    if (index >= 0) return { command, index };
  }
  return null;
}

/** The choice that holds in this window. */
export const chosenKeys = createStore<{ chosen: ChosenKeys }>(() => ({ chosen: {} }));

/** The keys of a command as the platform writes them, empty if it has none; `index`: which of a range. Renders again when they change. */
export function useShortcutText(id: string | undefined, index?: number): string {
  return useStore(chosenKeys, ({ chosen }) => {
    const keys = id === undefined ? null : boundKeys(id, chosen);
    if (keys === null) return '';
    const text = keysText(keys);
    return index === undefined ? text : text.replace(DIGITS, String(index + 1));
  });
}

/** A label with the keys of a command in brackets, if it has any. */
export function withShortcut(label: string, keys: string): string {
  return keys === '' ? label : `${label} (${keys})`;
}
