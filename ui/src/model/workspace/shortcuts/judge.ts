import { SHORTCUTS, combinationsOf } from '../shortcuts';
import { type Bindable, type ChosenKeys, boundKeys } from './bound';
import { DIGITS, type Keys, asPressed, keysText, parseKeys, writesText } from './keys';

/** What speaks against keys for a command. */
export type Verdict<T extends Bindable> =
  | { type: 'free' }
  /** They cannot be used, for this reason. */
  | { type: 'refused'; reason: string }
  /** Another command has them. */
  | { type: 'taken'; by: T }
  /** They can be used, but mean something else elsewhere. */
  | { type: 'doubtful'; reason: string };

/** What a browser or the system does with keys that never reach a page, or that a page must leave alone. */
const KEPT: Readonly<Record<Keys, string>> = {
  'Mod+N': 'opens a window',
  'Mod+Shift+N': 'opens a private window',
  'Mod+T': 'opens a tab',
  'Mod+Shift+T': 'reopens a tab',
  'Mod+W': 'closes the tab or the window',
  'Mod+Shift+W': 'closes the window',
  'Mod+Q': 'ends the program',
  'Mod+Shift+Q': 'ends the program',
  'Mod+Tab': 'switches tabs',
  'Mod+Shift+Tab': 'switches tabs',
  'Mod+PageUp': 'switches tabs',
  'Mod+PageDown': 'switches tabs',
  'Mod+M': 'minimizes the window',
  'Mod+H': 'hides the window on a Mac',
  'Alt+F4': 'closes the window',
  'Alt+Tab': 'switches windows',
  'Alt+Space': 'opens the menu of the window',
  'Mod+Alt+Delete': 'belongs to the system',
  'Mod+Alt+Escape': 'belongs to the system',
  F11: 'switches to full screen',
};

/** What fields do with keys: without them text could not be edited. */
const EDITING: Readonly<Record<Keys, string>> = {
  'Mod+C': 'copies text',
  'Mod+X': 'cuts text',
  'Mod+V': 'pastes text',
  'Mod+Shift+V': 'pastes plain text',
  'Mod+Z': 'undoes the last change of a text',
  'Mod+Shift+Z': 'repeats a change of a text',
  'Mod+Y': 'repeats a change of a text',
  Space: 'presses buttons',
  'Shift+Tab': 'moves to the control before',
};

/** What a browser does with keys unless the page uses them. */
const IN_BROWSERS: Readonly<Record<Keys, string>> = {
  'Mod+R': 'reloads the page',
  'Mod+Shift+R': 'reloads the page',
  F5: 'reloads the page',
  'Mod+P': 'prints',
  'Mod+S': 'saves the page',
  'Mod+O': 'opens a file',
  'Mod+L': 'goes to the address',
  'Mod+D': 'adds a bookmark',
  'Mod+G': 'finds again',
  'Mod+U': 'shows the source of the page',
  'Mod+Shift+I': 'opens the developer tools',
  'Mod+Shift+J': 'opens the developer tools',
  'Mod+Shift+C': 'opens the developer tools',
  F3: 'finds again',
  F6: 'moves between the parts of the window',
  F7: 'switches caret browsing',
  F10: 'opens the menu of the window',
  F12: 'opens the developer tools',
  'Alt+ArrowLeft': 'goes back',
  'Alt+ArrowRight': 'goes forward',
  'Alt+Home': 'opens the home page',
  'Alt+D': 'goes to the address',
};

/** What speaks against these keys for a command. `commands`: all that can have keys. */
export function judge<T extends Bindable>(
  keys: Keys,
  command: T,
  commands: readonly T[],
  chosen: ChosenKeys,
): Verdict<T> {
  const shown = keysText(keys);
  const doing = KEPT[keys] ?? EDITING[keys];
  if (doing !== undefined) return { type: 'refused', reason: `${shown} ${doing}.` };
  const fixed = SHORTCUTS.find(
    (each) => isFixed(each.id) && combinationsOf(each).some((one) => overlap(keys, one)),
  );
  if (fixed !== undefined) return { type: 'refused', reason: `${shown} is fixed: “${fixed.label}”.` };
  const by = commands.find((each) => each.id !== command.id && overlap(keys, boundKeys(each.id, chosen)));
  if (by !== undefined) return { type: 'taken', by };
  const elsewhere = IN_BROWSERS[keys];
  if (elsewhere !== undefined) {
    return {
      type: 'doubtful',
      reason: `In a browser, ${shown} ${elsewhere}. Here it would run this command instead.`,
    };
  }
  if (writesText(keys)) {
    return {
      type: 'doubtful',
      reason: `${shown} works only outside of fields, where it writes a character.`,
    };
  }
  return { type: 'free' };
}

/** Whether the keys of a row of the table cannot be changed. */
export function isFixed(id: string): boolean {
  const shortcut = SHORTCUTS.find((each) => each.id === id);
  return (
    shortcut !== undefined && (shortcut.group !== 'Anywhere' || shortcut.outside === true || id === 'close')
  );
}

/** Whether two combinations have a key press in common: one may be a range. */
export function overlap(one: Keys, other: Keys | null): boolean {
  if (other === null) return false;
  const [a, b] = [parseKeys(asPressed(one)), parseKeys(asPressed(other))];
  if (a === null || b === null || a.modifiers.join() !== b.modifiers.join()) return false;
  const covers = (range: string, key: string): boolean => range === DIGITS && /^[1-9]$/.test(key);
  return a.key === b.key || covers(a.key, b.key) || covers(b.key, a.key);
}
