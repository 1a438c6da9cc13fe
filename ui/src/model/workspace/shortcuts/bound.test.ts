// @vitest-environment jsdom
import { describe, expect, it } from 'vitest';
import { boundKeys, isRebound, pressedCommand, withKeys, withoutKeys } from './bound';
import type { KeyPress } from './keys';

const press = (key: string, part: Partial<KeyPress> = {}): KeyPress => ({
  key,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  shiftKey: false,
  ...part,
});
const COMMANDS = ['palette', 'server', 'dock', 'filter', 'help', 'docs', 'restart'].map((id) => ({ id }));
const pressed = (event: KeyPress, typing = false, chosen: Record<string, unknown> = {}) => {
  const found = pressedCommand(event, typing, COMMANDS, chosen);
  return found === null ? null : `${found.command.id} ${found.index}`;
};

describe('the keys of commands', () => {
  it('are known with Ctrl and with Cmd, also while typing', () => {
    expect(pressed(press('k', { ctrlKey: true }), true)).toBe('palette 0');
    expect(pressed(press('J', { metaKey: true }))).toBe('dock 0');
    expect(pressed(press('3', { ctrlKey: true }))).toBe('server 2');
    expect(pressed(press('F1'), true)).toBe('docs 0');
  });

  it('are characters only outside of fields', () => {
    expect(pressed(press('/'))).toBe('filter 0');
    expect(pressed(press('/'), true)).toBeNull();
    expect(pressed(press('?', { shiftKey: true }))).toBe('help 0');
    expect(pressed(press('?', { shiftKey: true }), true)).toBeNull();
  });

  it('leave others alone', () => {
    expect(pressed(press('k'))).toBeNull();
    expect(pressed(press('k', { ctrlKey: true, shiftKey: true }))).toBeNull();
    expect(pressed(press('1', { altKey: true }))).toBeNull();
    // The zoom of the window.
    for (const key of ['+', '-', '0']) expect(pressed(press(key, { ctrlKey: true }))).toBeNull();
    expect(pressed(press('Escape'))).toBeNull();
  });

  it('are those that the user chose, or none', () => {
    const chosen = {
      palette: 'Mod+Shift+P',
      restart: 'Mod+B',
      dock: '',
      server: 'Alt+1…9',
      docs: 'Mod+Shift+/',
    };
    expect(pressed(press('?', { ctrlKey: true, shiftKey: true }), false, chosen)).toBe('docs 0');
    expect(pressed(press('k', { ctrlKey: true }), false, chosen)).toBeNull();
    expect(pressed(press('P', { ctrlKey: true, shiftKey: true }), true, chosen)).toBe('palette 0');
    expect(pressed(press('b', { ctrlKey: true }), false, chosen)).toBe('restart 0');
    expect(pressed(press('j', { ctrlKey: true }), false, chosen)).toBeNull();
    expect(pressed(press('9', { altKey: true }), true, chosen)).toBe('server 8');
  });

  it('are the default where a choice is not understood', () => {
    for (const value of [7, null, ['Mod+P'], { keys: 'Mod+P' }, 'Hyper+P', 'Mod+1…9']) {
      expect(boundKeys('palette', { palette: value })).toBe('Mod+K');
      expect(isRebound('palette', { palette: value })).toBe(false);
    }
    // A range needs a range.
    expect(boundKeys('server', { server: 'Mod+P' })).toBe('Mod+1…9');
    expect(boundKeys('constructor', {})).toBeNull();
  });

  it('are changed and reset, and what is not understood is kept', () => {
    const newer = { later: 'Mod+P', dock: { chord: ['Mod+K', 'Mod+J'] } };
    const changed = withKeys({ ...newer, palette: 'Mod+B' }, 'filter', null);
    expect(changed).toEqual({ ...newer, palette: 'Mod+B', filter: '' });
    expect(withKeys(changed, 'palette', 'Mod+K')).toEqual({ ...newer, filter: '' });
    expect(withoutKeys(changed, ['palette', 'filter', 'dock'])).toEqual(newer);
  });
});
