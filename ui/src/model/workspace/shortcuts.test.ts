// @vitest-environment jsdom
import { describe, expect, it } from 'vitest';
import { type KeyPress, SHORTCUTS, shortcutOf, shortcutText } from './shortcuts';

const press = (key: string, part: Partial<KeyPress> = {}): KeyPress => ({
  key,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  shiftKey: false,
  ...part,
});

describe('shortcutOf', () => {
  it('knows the keys with Ctrl and with Cmd, also while typing', () => {
    expect(shortcutOf(press('k', { ctrlKey: true }), true)).toEqual({ id: 'palette', index: 0 });
    expect(shortcutOf(press('J', { metaKey: true }), false)).toEqual({ id: 'dock', index: 0 });
    expect(shortcutOf(press('3', { ctrlKey: true }), false)).toEqual({ id: 'server', index: 2 });
  });

  it('takes plain characters only outside of fields', () => {
    expect(shortcutOf(press('/'), false)).toEqual({ id: 'filter', index: 0 });
    expect(shortcutOf(press('/'), true)).toBeNull();
    expect(shortcutOf(press('?', { shiftKey: true }), false)).toEqual({ id: 'help', index: 0 });
    expect(shortcutOf(press('?', { shiftKey: true }), true)).toBeNull();
  });

  it('leaves other keys alone', () => {
    expect(shortcutOf(press('k'), false)).toBeNull();
    expect(shortcutOf(press('k', { ctrlKey: true, shiftKey: true }), false)).toBeNull();
    expect(shortcutOf(press('1', { altKey: true }), false)).toBeNull();
    // The zoom of the window.
    for (const key of ['+', '-', '0']) expect(shortcutOf(press(key, { ctrlKey: true }), false)).toBeNull();
    expect(shortcutOf(press('Escape'), false)).toBeNull();
  });
});

describe('shortcutText', () => {
  it('writes keys as the platform does', () => {
    expect(shortcutText('palette', false)).toBe('Ctrl+K');
    expect(shortcutText('palette', true)).toBe('⌘K');
    expect(shortcutText('filter', true)).toBe('/');
  });

  it('knows every shortcut', () => {
    for (const { id } of SHORTCUTS) expect(shortcutText(id, false)).not.toBe('');
  });
});
