import { useEffect } from 'react';
import { useActions } from '../../model/workspace/actions';
import type { Command, CommandContext, ServerCommand } from '../../model/workspace/commands';
import { useModel } from '../../model/workspace/context';
import { pressedCommand } from '../../model/workspace/shortcuts/bound';
import { paletteStore } from '../../panels/palette/paletteStore';
import { hasModal } from '../../widgets/layout/modals';
import { COMMANDS, selectedServer } from '../registry/commands';
import { SERVER_COMMANDS } from '../registry/serverCommands';

const ALL: readonly (Command | ServerCommand)[] = [...COMMANDS, ...SERVER_COMMANDS];

/** Runs the commands whose keys are pressed; those of a server for the selected one. */
export function useShortcuts(): void {
  const model = useModel();
  const actions = useActions();

  useEffect(() => {
    function onKeyDown(event: KeyboardEvent): void {
      if (event.defaultPrevented) return;
      const { shortcuts } = model.ui.getState();
      const pressed = pressedCommand(event, isTyping(event.target), ALL, shortcuts);
      if (pressed === null) return;
      // A key that is held repeats; its command runs once.
      if (event.repeat) return event.preventDefault();
      const { command, index } = pressed;
      // Shortcuts are ignored behind a modal dialog. Help is about that dialog, and opens above it.
      const { dialog, vaultOpen } = model.workspace.getState();
      const isHelp = command.id === 'docs';
      const { isOpen: hasPalette } = paletteStore.getState();
      const inPalette = hasPalette && command.id !== 'palette';
      const inDialog = vaultOpen || dialog !== null || (!hasPalette && hasModal());
      if (!isHelp && (inPalette || inDialog)) {
        event.preventDefault();
        return;
      }
      if (runs(command, { model, actions }, index)) event.preventDefault();
    }

    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, [model, actions]);
}

/** Runs a command; false if there is nothing to do. */
function runs(command: Command | ServerCommand, context: CommandContext, index: number): boolean {
  if (!('titleFor' in command)) return command.run(context, index) !== false;
  const server = selectedServer(context.model);
  if (server === undefined || (command.available?.(server, context.model) ?? true) !== true) return false;
  command.run(context, server);
  return true;
}

/** Controls that are inputs, but take no characters. */
const CONTROLS = new Set(['radio', 'checkbox', 'button', 'range', 'submit', 'reset']);

function isTyping(target: EventTarget | null): boolean {
  if (target instanceof HTMLInputElement) return !CONTROLS.has(target.type);
  return (
    target instanceof HTMLElement && target.closest('textarea, select, [contenteditable="true"]') !== null
  );
}
