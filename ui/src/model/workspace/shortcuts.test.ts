// @vitest-environment jsdom
import { expect, it } from 'vitest';
import { SHORTCUTS, combinationsOf, fixedText } from './shortcuts';
import { parseKeys } from './shortcuts/keys';

it('a row of the table is its modifiers with each of its other keys', () => {
  expect(combinationsOf({ keys: ['Alt', '↑', '↓'] })).toEqual(['Alt+ArrowUp', 'Alt+ArrowDown']);
  expect(combinationsOf({ keys: ['Mod', '1…9'] })).toEqual(['Mod+1…9']);
  expect(combinationsOf({ keys: ['Ctrl', 'Space'] })).toEqual(['Mod+Space']);
  expect(combinationsOf({ keys: ['Mod', '+', '-', '0'] })).toEqual(['Mod++', 'Mod+-', 'Mod+0']);
});

it('every row of the table is made of combinations', () => {
  for (const shortcut of SHORTCUTS) {
    const all = combinationsOf(shortcut);
    expect(all.length, shortcut.id).toBeGreaterThan(0);
    for (const keys of all) expect(parseKeys(keys), keys).not.toBeNull();
  }
});

it('keys are written as the platform does', () => {
  expect(fixedText('run', false)).toBe('Ctrl+Enter');
  expect(fixedText('run', true)).toBe('⌘Enter');
});
