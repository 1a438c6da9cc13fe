import { useEffect } from 'react';
import { useActions } from '../model/workspace/actions';
import { useModel } from '../model/workspace/context';
import { shortcutOf } from '../model/workspace/shortcuts';
import { paletteStore } from '../panels/palette/paletteStore';
import { COMMANDS } from './registry/commands';

/** Runs the commands whose shortcut is pressed. */
export function useShortcuts(): void {
  const model = useModel();
  const actions = useActions();

  useEffect(() => {
    function onKeyDown(event: KeyboardEvent): void {
      if (event.defaultPrevented) return;
      const pressed = shortcutOf(event, isTyping(event.target));
      const command = COMMANDS.find(({ shortcut }) => shortcut !== undefined && shortcut === pressed?.id);
      if (pressed === null || command === undefined) return;
      // Shortcuts are ignored behind a modal dialog. Help is about that dialog, and opens above it.
      const { dialog, vaultOpen } = model.workspace.getState();
      const isHelp = command.id === 'docs';
      const inPalette = paletteStore.getState().isOpen && command.id !== 'palette';
      if (!isHelp && (inPalette || vaultOpen || dialog !== null)) {
        event.preventDefault();
        return;
      }
      if (command.run({ model, actions }, pressed.index) !== false) event.preventDefault();
    }

    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, [model, actions]);
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    target.closest('input, textarea, select, [contenteditable="true"]') !== null
  );
}
