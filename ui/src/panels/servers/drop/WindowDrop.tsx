import { Loader, Portal } from '@mantine/core';
import { IconFileImport } from '@tabler/icons-react';
import { useDrops } from './useDrops';
import classes from './WindowDrop.module.css';

/** Shows that files can be dropped on the window, while they are dragged over it, and opens their reviews. */
export function WindowDrop() {
  const state = useDrops();
  if (state === 'none') return null;
  return (
    <Portal>
      <div className={classes.overlay} data-blocked={state === 'blocked' || undefined}>
        <output className={classes.card}>
          {state === 'reading' ? <Loader size="sm" /> : <IconFileImport size={28} stroke={1.5} aria-hidden />}
          {state === 'reading' && <strong>Reading…</strong>}
          {state === 'over' && (
            <>
              <strong>Drop to review</strong>
              <span>MCP bundles, server.json files, or configurations of other hosts</span>
            </>
          )}
          {state === 'blocked' && (
            <>
              <strong>Close the open dialog first</strong>
              <span>Then drop the files here.</span>
            </>
          )}
        </output>
      </div>
    </Portal>
  );
}
