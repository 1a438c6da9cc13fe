// @vitest-environment jsdom
import { EditorState } from '@codemirror/state';
import { type KeyBinding, keymap } from '@codemirror/view';
import { expect, it } from 'vitest';
import { DIGITS } from '../../model/workspace/shortcuts/keys';
import { SHORTCUTS, combinationsOf } from '../../model/workspace/shortcuts';
import { editorExtensions, viewerExtensions } from './codeSetup';

const PLATFORMS = ['win', 'linux', 'mac'] as const;

/** A combination of the table or of CodeMirror: its parts in one order and one spelling. */
function spelled(keys: string, platform: (typeof PLATFORMS)[number]): string {
  const mod = platform === 'mac' ? 'cmd' : 'ctrl';
  const parts = keys.toLowerCase().split(/[+-](?=.)/);
  return parts
    .map((part) => (part === 'mod' ? mod : part))
    .toSorted()
    .join(' ');
}

function boundIn(bindings: readonly KeyBinding[], platform: (typeof PLATFORMS)[number]): string[] {
  return bindings.flatMap((binding) => {
    const keys = binding[platform] ?? binding.key;
    return keys === undefined ? [] : [spelled(keys, platform)];
  });
}

const OURS = SHORTCUTS.filter(({ group, id, outside }) => group === 'Anywhere' && id !== 'close' && !outside)
  .flatMap(combinationsOf)
  .flatMap((keys) =>
    keys.endsWith(DIGITS)
      ? Array.from({ length: 9 }, (_, i) => keys.slice(0, -DIGITS.length) + String(i + 1))
      : [keys],
  );

it.each([
  ['an editor', editorExtensions('json', 'Arguments')],
  ['a viewer', viewerExtensions('json', 'Result', true, 10)],
])('%s leaves the shortcuts of the window to it', (_, extensions) => {
  const bindings = EditorState.create({ extensions }).facet(keymap).flat();
  for (const platform of PLATFORMS) {
    const bound = new Set(boundIn(bindings, platform));
    expect(bound.size).toBeGreaterThan(20);
    // Of the fixed ones, this one belongs to the form around it.
    const all = [...OURS, 'Mod+Enter'].map((keys) => spelled(keys, platform));
    expect(all.filter((keys) => bound.has(keys))).toEqual([]);
  }
});
