// @vitest-environment jsdom
import { describe, expect, it } from 'vitest';
import { type KeyPress, asPressed, indexIn, keyParts, keysOf, keysText, parseKeys, writesText } from './keys';

const press = (key: string, part: Partial<KeyPress> = {}): KeyPress => ({
  key,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  shiftKey: false,
  ...part,
});

describe('a combination', () => {
  it('is what the keys produce: Shift is a part of letters and of keys with a name only', () => {
    expect(keysOf(press('k', { ctrlKey: true }))).toBe('Mod+K');
    expect(keysOf(press('K', { metaKey: true, shiftKey: true }))).toBe('Mod+Shift+K');
    // Caps lock.
    expect(keysOf(press('K', { ctrlKey: true }))).toBe('Mod+K');
    expect(keysOf(press('?', { shiftKey: true }))).toBe('?');
    // Where digits need Shift, they are digits all the same.
    expect(keysOf(press('1', { ctrlKey: true, shiftKey: true }))).toBe('Mod+1');
    expect(keysOf(press('F2', { shiftKey: true }))).toBe('Shift+F2');
    expect(keysOf(press(' ', { altKey: true }))).toBe('Alt+Space');
    expect(keysOf(press('л', { ctrlKey: true }))).toBe('Mod+Л');
    expect(keysOf(press('ß', { ctrlKey: true }))).toBe('Mod+ß');
  });

  it('is none with Ctrl on a Mac, where Ctrl edits text and Cmd is for commands', () => {
    expect(keysOf(press('k', { ctrlKey: true }), true)).toBeNull();
    expect(keysOf(press('k', { metaKey: true }), true)).toBe('Mod+K');
    expect(keysOf(press('?', { shiftKey: true }), true)).toBe('?');
  });

  it('with Shift is the character that it produces, however it is written', () => {
    expect(asPressed('Mod+Shift+[')).toBe('Mod+{');
    expect(asPressed('Mod+Shift+=')).toBe('Mod++');
    expect(asPressed('Alt+Shift+\\')).toBe('Alt+|');
    for (const keys of ['Mod+{', 'Mod+Shift+K', 'Shift+F2', 'Shift+ArrowUp', 'Mod+Shift+1…9', 'no keys']) {
      expect(asPressed(keys)).toBe(keys);
    }
    const pressed = keysOf(press('{', { ctrlKey: true, shiftKey: true })) ?? '';
    expect(indexIn('Mod+Shift+[', pressed)).toBe(0);
    expect(indexIn('Mod+[', pressed)).toBe(-1);
  });

  it('is a character with AltGr, which is Ctrl and Alt to Windows', () => {
    const getModifierState = (name: string): boolean => name === 'AltGraph';
    expect(keysOf(press('{', { ctrlKey: true, altKey: true, getModifierState }))).toBe('{');
  });

  it('is none while only modifiers are held, or if a key produces nothing', () => {
    for (const key of ['Control', 'Shift', 'Alt', 'Meta', 'AltGraph', 'Dead', 'Process', '']) {
      expect(keysOf(press(key, { ctrlKey: true }))).toBeNull();
    }
  });

  it('is read from its text; other texts are none', () => {
    expect(parseKeys('Mod++')).toEqual({ modifiers: ['Mod'], key: '+' });
    expect(parseKeys('Mod+Alt+Shift+PageUp')?.key).toBe('PageUp');
    expect(parseKeys('Mod+1…9')?.key).toBe('1…9');
    for (const text of ['', 'Mod+', 'Shift+Mod+K', 'Mod+Mod+K', 'Hyper+K', 'two words', 'Mod+K Mod+L']) {
      expect(parseKeys(text), text).toBeNull();
    }
  });

  it('says whether it writes into a field, and which of a range it is', () => {
    expect(['/', 'Shift+K', 'Space', 'K'].map(writesText)).toEqual([true, true, true, true]);
    expect(['Mod+K', 'F1', 'Alt+A', 'Shift+F2'].map(writesText)).toEqual([false, false, false, false]);
    expect(indexIn('Mod+1…9', 'Mod+3')).toBe(2);
    expect(indexIn('Mod+1…9', 'Mod+0')).toBe(-1);
    expect(indexIn('Mod+1…9', 'Alt+3')).toBe(-1);
    expect(indexIn('Mod+K', 'Mod+K')).toBe(0);
  });

  it('is written as the platform does', () => {
    expect(keysText('Mod+Shift+K', false)).toBe('Ctrl+Shift+K');
    expect(keysText('Mod+Shift+K', true)).toBe('⌘⇧K');
    expect(keyParts('Alt+ArrowUp', false)).toEqual(['Alt', '↑']);
    expect(keysText('Mod++', false)).toBe('Ctrl++');
    expect(keysText('/', true)).toBe('/');
  });
});
