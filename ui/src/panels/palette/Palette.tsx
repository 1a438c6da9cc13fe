import { Modal } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { useStore } from 'zustand';
import type { Command, ServerCommand } from '../../model/workspace/commands';
import { useModel } from '../../model/workspace/context';
import type { GroupCommand } from '../../model/workspace/commands';
import { PaletteSearch } from './PaletteSearch';
import { palette, paletteStore } from './paletteStore';
import type { PaletteEntry } from './search';

/** How many chosen entries are remembered. */
const MAX_RECENT = 20;

const NONE: readonly never[] = [];

interface PaletteProps {
  commands: readonly Command[];
  serverCommands: readonly ServerCommand[];
  groupCommands?: readonly GroupCommand[];
}

/**
 * Go to or run anything by typing part of its name. What was chosen runs when the palette has closed and the focus is back
 * where it was: a dialog that is opened then returns it there.
 */
export function Palette({ commands, serverCommands, groupCommands = NONE }: PaletteProps) {
  const { ui, workspace } = useModel();
  const isOpen = useStore(paletteStore, (state) => state.isOpen);
  const chosen = useRef<PaletteEntry | null>(null);
  useEffect(() => {
    if (isOpen) return;
    const { before } = paletteStore.getState();
    if (before?.isConnected === true) before.focus();
    paletteStore.setState({ before: null });
    const entry = chosen.current;
    chosen.current = null;
    if (entry === null) return;
    ui.setState(({ recentEntries }) => ({
      recentEntries: [entry.id, ...recentEntries.filter((id) => id !== entry.id)].slice(0, MAX_RECENT),
    }));
    entry.run();
    if (entry.focus === null) return;
    workspace.setState({ focusRequest: { ...entry.focus, from: document.activeElement } });
  }, [isOpen, ui, workspace]);
  return (
    <Modal
      opened={isOpen}
      onClose={() => palette.close()}
      withCloseButton={false}
      returnFocus={false}
      padding={0}
      size={620}
      yOffset="10vh"
      overlayProps={{ backgroundOpacity: 0.35 }}
      transitionProps={{ duration: 0 }}
      attributes={{ content: { 'aria-label': 'Commands' } }}
    >
      <PaletteSearch
        commands={commands}
        serverCommands={serverCommands}
        groupCommands={groupCommands}
        onChoose={(entry) => {
          chosen.current = entry;
          palette.close();
        }}
      />
    </Modal>
  );
}
