import { useEffect } from 'react';
import { useActions } from '../model/workspace/actions';
import { waitingRuns } from '../model/authorization/authorizations';
import { useModel } from '../model/workspace/context';
import { shortcutOf } from '../model/workspace/shortcuts';
import { MODES } from '../model/workspace/uiState';
import { palette } from '../panels/palette/paletteStore';

/** Listens for the shortcuts that work anywhere. */
export function useShortcuts(): void {
  const { ui, servers, workspace, inputs, authorizations } = useModel();
  const actions = useActions();

  useEffect(() => {
    function onKeyDown(event: KeyboardEvent): void {
      if (event.defaultPrevented) return;
      const action = shortcutOf(event, isTyping(event.target));
      if (action === null) return;
      // Behind a dialog nothing moves, and nothing takes its place. What a server asks stands beside the rest.
      const { dialog, vaultOpen } = workspace.getState();
      if (vaultOpen || (dialog !== null && dialog.type !== 'input')) {
        event.preventDefault();
        return;
      }
      switch (action.id) {
        case 'palette':
          palette.open();
          break;
        case 'dock':
          ui.setState(({ dockOpen }) => ({ dockOpen: !dockOpen }));
          break;
        case 'mode': {
          const { selectedServer, modes } = ui.getState();
          if (selectedServer === null) return;
          const at = MODES.indexOf(modes[selectedServer] ?? 'explore');
          actions.show(selectedServer, MODES[(at + 1) % MODES.length] ?? 'explore');
          break;
        }
        case 'inbox': {
          const [oldest] = inputs.getState().items;
          const [waiting] = waitingRuns(authorizations.getState());
          if (oldest !== undefined) {
            inputs.offer(oldest.id);
            workspace.setState({ dialog: { type: 'input', inputId: oldest.id } });
          } else if (waiting !== undefined) actions.show(waiting.serverId, 'authorization');
          else return;
          break;
        }
        case 'filter':
          if (!focusFilter()) return;
          break;
        case 'help':
          if (workspace.getState().dialog !== null) return;
          workspace.setState({ dialog: { type: 'shortcuts' } });
          break;
        case 'server': {
          const item = servers.getState().items?.[action.index];
          if (item === undefined) return;
          actions.select(item.id);
          break;
        }
      }
      event.preventDefault();
    }

    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, [ui, servers, workspace, inputs, authorizations, actions]);
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    target.closest('input, textarea, select, [contenteditable="true"]') !== null
  );
}

/** Focuses the filter of the pane that has the focus, else the first one. */
function focusFilter(): boolean {
  const scope = document.activeElement?.closest('[data-filter-scope]') ?? document;
  const field =
    scope.querySelector<HTMLInputElement>('input[data-filter]') ??
    document.querySelector<HTMLInputElement>('input[data-filter]');
  field?.focus();
  field?.select();
  return field !== null;
}
