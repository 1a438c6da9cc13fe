/**
 * A combination of keys as text: `Mod+Shift+K`, `Alt+ArrowUp`, `F1`, `?`. `Mod` is Ctrl, and Cmd on a Mac.
 *
 * The last part is what the key produces in the user's keyboard layout (`KeyboardEvent.key`), not its place on the keyboard. So
 * Shift is a part only of letters and of keys with a name: in `?` it is contained.
 */
export type Keys = string;

/** A range of digits as the last part: each of them is pressed. */
export const DIGITS = '1…9';

export interface KeyPress {
  key: string;
  ctrlKey: boolean;
  metaKey: boolean;
  altKey: boolean;
  shiftKey: boolean;
  getModifierState?: (name: string) => boolean;
}

/** Keys that are held with others, or produce nothing by themselves. */
const NO_KEYS = new Set(
  (
    'Dead Process Unidentified Compose Alt AltGraph CapsLock Control Fn FnLock Hyper Meta NumLock ' +
    'ScrollLock Shift Super Symbol SymbolLock'
  ).split(' '),
);

const isLetter = (key: string): boolean => key.toLowerCase() !== key.toUpperCase();
const isCharacter = (key: string): boolean => Array.from(key).length === 1;

/**
 * The combination that is pressed; null while only modifiers are held, if the key produces nothing, and for Ctrl on a Mac, where
 * it edits text.
 */
export function keysOf(press: KeyPress, mac = isMac()): Keys | null {
  const { key } = press;
  if (key === '' || NO_KEYS.has(key)) return null;
  // AltGr writes characters, and is Ctrl and Alt to Windows.
  const writes = press.getModifierState?.('AltGraph') === true;
  if (mac && !writes && press.ctrlKey) return null;
  const parts: string[] = [];
  if (!writes && (press.ctrlKey || press.metaKey)) parts.push('Mod');
  if (!writes && press.altKey) parts.push('Alt');
  if (press.shiftKey && (key === ' ' || isLetter(key) || !isCharacter(key))) parts.push('Shift');
  const upper = key.toUpperCase();
  parts.push(key === ' ' ? 'Space' : isCharacter(key) && isCharacter(upper) ? upper : key);
  return parts.join('+');
}

/** The modifiers of a combination, and its last key; null if it is not a combination. */
export function parseKeys(keys: Keys): { modifiers: string[]; key: string } | null {
  const found = /^((?:(?:Mod|Alt|Shift)\+)*)(.+)$/su.exec(keys);
  const [, before = '', key = ''] = found ?? [];
  const modifiers = before.split('+').filter(Boolean);
  const order = ['Mod', 'Alt', 'Shift'].filter((name) => modifiers.includes(name));
  if (found === null || order.join() !== modifiers.join()) return null;
  const isName = /^[A-Z][A-Za-z0-9]+$/.test(key);
  return isName || isCharacter(key) || key === DIGITS ? { modifiers, key } : null;
}

/** What Shift makes of the characters that are not letters, on a US keyboard: how combinations are usually written down. */
const SHIFTED: ReadonlyMap<string, string> = new Map(
  Array.from("`1234567890-=[]\\;',./", (key, index) => [
    key,
    Array.from('~!@#$%^&*()_+{}|:"<>?')[index] ?? key,
  ]),
);

/**
 * A combination as it is pressed: a character that is no letter contains its Shift, so that `Mod+Shift+[` is `Mod+{`. What is no
 * combination, and a range, is as it was.
 */
export function asPressed(keys: Keys): Keys {
  const parsed = parseKeys(keys);
  if (parsed === null || !parsed.modifiers.includes('Shift')) return keys;
  const shifted = SHIFTED.get(parsed.key);
  if (shifted === undefined) return keys;
  return [...parsed.modifiers.filter((name) => name !== 'Shift'), shifted].join('+');
}

/** Whether it writes a character in a field. */
export function writesText(keys: Keys): boolean {
  const parsed = parseKeys(keys);
  if (parsed === null || parsed.modifiers.some((name) => name !== 'Shift')) return false;
  return isCharacter(parsed.key) || parsed.key === 'Space' || parsed.key === DIGITS;
}

/** Which of a range of keys is pressed, from 0; 0 if `keys` is no range; -1 if other keys are pressed. */
export function indexIn(keys: Keys, pressed: Keys): number {
  if (!keys.endsWith(DIGITS)) return asPressed(keys) === asPressed(pressed) ? 0 : -1;
  const before = keys.slice(0, -DIGITS.length);
  const last = pressed.startsWith(before) ? pressed.slice(before.length) : '';
  return /^[1-9]$/.test(last) ? Number(last) - 1 : -1;
}

const ON_A_MAC: Readonly<Record<string, string>> = { Mod: '⌘', Alt: '⌥', Shift: '⇧' };
const SHOWN: Readonly<Record<string, string>> = {
  Mod: 'Ctrl',
  ArrowUp: '↑',
  ArrowDown: '↓',
  ArrowLeft: '←',
  ArrowRight: '→',
  Escape: 'Esc',
  PageUp: 'Page Up',
  PageDown: 'Page Down',
};

/** The keys one by one, as the platform writes them. */
export function keyParts(keys: Keys, mac = isMac()): string[] {
  const parsed = parseKeys(keys);
  if (parsed === null) return [keys];
  return [...parsed.modifiers, parsed.key].map(
    (part) => (mac ? ON_A_MAC[part] : undefined) ?? SHOWN[part] ?? part,
  );
}

/** The keys as the platform writes them: `Ctrl+K`, `⌘K`. */
export function keysText(keys: Keys, mac = isMac()): string {
  return keyParts(keys, mac).join(mac ? '' : '+');
}

export function isMac(): boolean {
  // Tests of the model run without a browser.
  return typeof navigator !== 'undefined' && navigator.userAgent.includes('Mac OS');
}
