/** What a key does anywhere in the window. */
export type ShortcutId =
  | 'palette'
  | 'dock'
  | 'server'
  | 'mode'
  | 'inbox'
  | 'filter'
  | 'help'
  | 'run'
  | 'close'
  | 'move'
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
  group: 'Anywhere' | 'Lists' | 'Forms';
}

/** The one table: the keys, the `?` dialog and the tooltips all read it. */
export const SHORTCUTS: readonly Shortcut[] = [
  { id: 'palette', keys: ['Mod', 'K'], label: 'Command palette', group: 'Anywhere' },
  { id: 'server', keys: ['Mod', '1…9'], label: 'Go to a server', group: 'Anywhere' },
  { id: 'mode', keys: ['Mod', 'E'], label: 'Explore or Authorization', group: 'Anywhere' },
  { id: 'dock', keys: ['Mod', 'J'], label: 'Show or hide the dock', group: 'Anywhere' },
  { id: 'inbox', keys: ['Mod', 'I'], label: 'Answer what waits longest in the inbox', group: 'Anywhere' },
  { id: 'filter', keys: ['/'], label: 'Focus the filter', group: 'Anywhere' },
  { id: 'help', keys: ['?'], label: 'All shortcuts', group: 'Anywhere' },
  { id: 'close', keys: ['Esc'], label: 'Close, or leave the filter', group: 'Anywhere' },
  { id: 'move', keys: ['↑', '↓'], label: 'Move in a list', group: 'Lists' },
  { id: 'jump', keys: ['Home', 'End', 'Page Up', 'Page Down'], label: 'Jump in a list', group: 'Lists' },
  { id: 'open', keys: ['Enter'], label: 'Open what is selected', group: 'Lists' },
  { id: 'menu', keys: ['Shift', 'F10'], label: 'What can be done with a server', group: 'Lists' },
  { id: 'reorder', keys: ['Alt', '↑', '↓'], label: 'Move a server up or down', group: 'Lists' },
  { id: 'remove', keys: ['Delete'], label: 'Remove a server', group: 'Lists' },
  { id: 'run', keys: ['Mod', 'Enter'], label: 'Run the form', group: 'Forms' },
];

/** What a key press asks for. */
export type ShortcutAction =
  | { id: 'palette' | 'dock' | 'mode' | 'inbox' | 'filter' | 'help' }
  /** The server at this place in the rail, from 0. */
  | { id: 'server'; index: number };

export interface KeyPress {
  key: string;
  ctrlKey: boolean;
  metaKey: boolean;
  altKey: boolean;
  shiftKey: boolean;
}

/** Which global shortcut a key press is. Plain characters are none while `typing` in a field. */
export function shortcutOf(press: KeyPress, typing: boolean): ShortcutAction | null {
  if (press.altKey) return null;
  if (press.ctrlKey || press.metaKey) {
    if (press.shiftKey) return null;
    const key = press.key.toLowerCase();
    if (key === 'k') return { id: 'palette' };
    if (key === 'j') return { id: 'dock' };
    if (key === 'e') return { id: 'mode' };
    if (key === 'i') return { id: 'inbox' };
    if (/^[1-9]$/.test(key)) return { id: 'server', index: Number(key) - 1 };
    return null;
  }
  if (typing) return null;
  if (press.key === '/') return { id: 'filter' };
  if (press.key === '?') return { id: 'help' };
  return null;
}

/** The keys as this platform writes them, e.g. `Ctrl+K` or `⌘K`. */
export function shortcutText(id: ShortcutId, mac = isMac()): string {
  const keys = SHORTCUTS.find((shortcut) => shortcut.id === id)?.keys ?? [];
  if (mac && keys[0] === 'Mod') return `⌘${keys.slice(1).join('')}`;
  if (keys[0] === 'Mod') return ['Ctrl', ...keys.slice(1)].join('+');
  return keys.join(' ');
}

export function isMac(): boolean {
  return navigator.userAgent.includes('Mac OS');
}
