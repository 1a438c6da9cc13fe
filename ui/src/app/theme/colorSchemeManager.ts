import type { MantineColorScheme, MantineColorSchemeManager } from '@mantine/core';
import type { UiState, UiStateStore } from '../../model/workspace/uiState';

/** Stores Mantine's color scheme with the rest of the window's state. */
export function createColorSchemeManager(ui: UiStateStore): MantineColorSchemeManager {
  let stop: (() => void) | undefined;
  return {
    get: () => toScheme(ui.getState().theme),
    set: (scheme) => ui.setState({ theme: scheme === 'auto' ? 'system' : scheme }),
    subscribe(onUpdate) {
      stop = ui.subscribe((now, before) => {
        if (now.theme !== before.theme) onUpdate(toScheme(now.theme));
      });
    },
    unsubscribe: () => stop?.(),
    clear: () => ui.setState({ theme: 'system' }),
  };
}

function toScheme(theme: UiState['theme']): MantineColorScheme {
  return theme === 'system' ? 'auto' : theme;
}
