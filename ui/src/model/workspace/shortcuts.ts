import { type Keys, isMac, keysText } from './shortcuts/keys';

/** A key combination that does something. */
export type ShortcutId =
  | 'palette'
  | 'dock'
  | 'server'
  | 'mode'
  | 'inbox'
  | 'filter'
  | 'pane'
  | 'paneBack'
  | 'settings'
  | 'help'
  | 'docs'
  | 'run'
  | 'editLast'
  | 'rename'
  | 'valueState'
  | 'line'
  | 'dropLine'
  | 'find'
  | 'all'
  | 'fold'
  | 'indent'
  | 'suggest'
  | 'tabOut'
  | 'zoom'
  | 'pageZoom'
  | 'resize'
  | 'close'
  | 'move'
  | 'extend'
  | 'sideways'
  | 'list'
  | 'term'
  | 'jump'
  | 'open'
  | 'menu'
  | 'reorder'
  | 'remove';

export interface Shortcut {
  id: ShortcutId;
  /** `Mod` is Ctrl, and Cmd on a Mac. */
  keys: readonly string[];
  label: string;
  group: 'Anywhere' | 'Lists' | 'Forms' | 'Text';
  /** Handled by the window or the browser, not by the page. */
  outside?: true;
}

/**
 * The one table: key presses, the `?` dialog and the tooltips read it. A shortcut of the group Anywhere runs the command that names
 * it, and its keys are the default: the user may choose others (shortcuts/bound.ts). The keys of the other groups are fixed.
 */
export const SHORTCUTS: readonly Shortcut[] = [
  { id: 'palette', keys: ['Mod', 'K'], label: 'Command palette', group: 'Anywhere' },
  { id: 'server', keys: ['Mod', '1…9'], label: 'Go to a server', group: 'Anywhere' },
  { id: 'mode', keys: ['Mod', 'E'], label: 'Next server mode', group: 'Anywhere' },
  { id: 'dock', keys: ['Mod', 'J'], label: 'Show or hide the dock', group: 'Anywhere' },
  { id: 'inbox', keys: ['Mod', 'I'], label: 'Answer the oldest request', group: 'Anywhere' },
  { id: 'filter', keys: ['/'], label: 'Focus the filter', group: 'Anywhere' },
  { id: 'pane', keys: ['F6'], label: 'Next pane', group: 'Anywhere' },
  { id: 'paneBack', keys: ['Shift', 'F6'], label: 'Previous pane', group: 'Anywhere' },
  {
    id: 'pageZoom',
    keys: ['Mod', '+', '-', '0'],
    label: 'Zoom in, out, 100 %',
    group: 'Anywhere',
    outside: true,
  },
  { id: 'docs', keys: ['F1'], label: 'Help for the current view', group: 'Anywhere' },
  { id: 'settings', keys: ['Mod', ','], label: 'Settings', group: 'Anywhere' },
  { id: 'help', keys: ['?'], label: 'Keyboard shortcuts', group: 'Anywhere' },
  { id: 'close', keys: ['Esc'], label: 'Close, or clear the filter', group: 'Anywhere' },
  { id: 'move', keys: ['↑', '↓'], label: 'Move in a list', group: 'Lists' },
  { id: 'extend', keys: ['Shift', '↑', '↓'], label: 'Select several log records', group: 'Lists' },
  {
    id: 'sideways',
    keys: ['←', '→'],
    label: 'Collapse or expand a folder or a group; switch tabs',
    group: 'Lists',
  },
  { id: 'list', keys: ['↓'], label: 'Move from the filter to its list', group: 'Lists' },
  { id: 'term', keys: ['→'], label: 'Accept the suggested filter term', group: 'Lists' },
  {
    id: 'jump',
    keys: ['Home', 'End', 'Page Up', 'Page Down'],
    label: 'First, last, page up, page down',
    group: 'Lists',
  },
  { id: 'open', keys: ['Enter'], label: 'Open the selected item', group: 'Lists' },
  { id: 'menu', keys: ['Shift', 'F10'], label: 'Server menu', group: 'Lists' },
  { id: 'reorder', keys: ['Alt', '↑', '↓'], label: 'Move a server or a group up or down', group: 'Lists' },
  { id: 'remove', keys: ['Delete'], label: 'Remove a server or a group', group: 'Lists' },
  {
    id: 'resize',
    keys: ['←', '→', '↑', '↓'],
    label: 'Resize panes and columns (divider focused)',
    group: 'Lists',
  },
  {
    id: 'run',
    keys: ['Mod', 'Enter'],
    label: 'Call the tool, read, get, send, or submit the form',
    group: 'Forms',
  },
  { id: 'editLast', keys: ['↑'], label: 'Edit the last message (message box empty)', group: 'Forms' },
  { id: 'valueState', keys: ['Mod', '.'], label: 'Omit a value, or set it to null or empty', group: 'Forms' },
  { id: 'rename', keys: ['Enter'], label: 'Rename a property of a map', group: 'Forms' },
  { id: 'line', keys: ['Enter'], label: 'Next argument of a command', group: 'Forms' },
  { id: 'dropLine', keys: ['Backspace'], label: 'Remove an empty argument', group: 'Forms' },
  { id: 'suggest', keys: ['Ctrl', 'Space'], label: 'Suggest names and values in JSON', group: 'Text' },
  { id: 'find', keys: ['Mod', 'F'], label: 'Find in text', group: 'Text' },
  { id: 'all', keys: ['Mod', 'A'], label: 'Select all text', group: 'Text' },
  {
    id: 'fold',
    keys: isMac() ? ['Mod', '⌥', '[', ']'] : ['Mod', 'Shift', '[', ']'],
    label: 'Fold, unfold',
    group: 'Text',
  },
  { id: 'zoom', keys: ['+', '-', '0', '1'], label: 'Zoom an image in, out, fit, 100 %', group: 'Text' },
  { id: 'indent', keys: ['Tab'], label: 'Indent', group: 'Text' },
  {
    id: 'tabOut',
    keys: isMac() ? ['Shift', '⌥', 'M'] : ['Ctrl', 'M'],
    label: 'Toggle whether Tab moves focus',
    group: 'Text',
  },
];

/** The names of keys in the table that `KeyboardEvent.key` has otherwise. */
const NAMES: Readonly<Record<string, string>> = {
  '↑': 'ArrowUp',
  '↓': 'ArrowDown',
  '←': 'ArrowLeft',
  '→': 'ArrowRight',
  Esc: 'Escape',
  'Page Up': 'PageUp',
  'Page Down': 'PageDown',
  Ctrl: 'Mod',
  '⌥': 'Alt',
};
const MODIFIERS = ['Mod', 'Alt', 'Shift'];

/** The combinations of a row of the table: its modifiers with each of its other keys. */
export function combinationsOf({ keys }: Pick<Shortcut, 'keys'>): Keys[] {
  const names = keys.map((key) => NAMES[key] ?? key);
  const modifiers = MODIFIERS.filter((name) => names.includes(name));
  return names.filter((name) => !MODIFIERS.includes(name)).map((name) => [...modifiers, name].join('+'));
}

/** The keys of a shortcut that cannot be changed, as this platform writes them. Of others, see shortcuts/bound.ts. */
export function fixedText(id: 'run' | 'valueState', mac = isMac()): string {
  const [keys] = combinationsOf(SHORTCUTS.find((shortcut) => shortcut.id === id) ?? { keys: [] });
  return keys === undefined ? '' : keysText(keys, mac);
}
