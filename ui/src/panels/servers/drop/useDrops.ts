import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { openDropped, takesDrops } from '../../../model/servers/adding/dropped/droppedDialog';
import { type DropSource, sourcesOf } from '../../../model/servers/adding/dropped/droppedFiles';
import { useModel } from '../../../model/workspace/context';
import { isDropPlace } from '../../../widgets/layout/useWindowDrop';

/**
 * What is happening with files above the window: nothing, they can be dropped, they cannot because a dialog is open, or those that
 * were dropped are being read.
 */
export type DropState = 'none' | 'over' | 'blocked' | 'reading';

/** Files that are dropped anywhere on the window where no part of it takes them: their reviews are opened. */
export function useDrops(): DropState {
  const { host, workspace } = useModel();
  const [state, setState] = useState<DropState>('none');
  /** The number of what was dropped last. */
  const newest = useRef(0);

  async function read(sources: readonly DropSource[]): Promise<void> {
    newest.current += 1;
    const mine = newest.current;
    setState('reading');
    await openDropped(host, workspace, sources);
    if (mine === newest.current) setState('none');
  }

  const hover = useEffectEvent((isOver: boolean) =>
    setState((now) => {
      if (now === 'reading') return now;
      if (!isOver) return 'none';
      return takesDrops(workspace.getState()) ? 'over' : 'blocked';
    }),
  );
  const drop = useEffectEvent((sources: readonly DropSource[]) => {
    if (sources.length === 0 || !takesDrops(workspace.getState())) {
      hover(false);
      return;
    }
    void read(sources);
  });

  useEffect(() => {
    if (host.onFileDrop === undefined) return listenToPage(hover, drop);
    return host.onFileDrop(({ type, paths, x, y }) => {
      const isOurs = type !== 'leave' && !isDropPlace({ x, y });
      if (type === 'drop' && isOurs) drop(paths.map((path) => ({ type: 'path', path })));
      else hover(type === 'over' && isOurs);
    });
  }, [host]);
  return state;
}

/** Listens to the drags of a browser. The parts of the page come first: what they take is prevented already. */
function listenToPage(
  hover: (isOver: boolean) => void,
  drop: (sources: readonly DropSource[]) => void,
): () => void {
  const controller = new AbortController();
  const { signal } = controller;
  // An image of the page itself, which is dragged, is a file too.
  let isInner = false;
  const isOurs = ({ defaultPrevented, dataTransfer }: DragEvent): boolean =>
    !isInner && !defaultPrevented && dataTransfer?.types.includes('Files') === true;
  const on = (
    name: 'dragstart' | 'dragend' | 'dragover' | 'dragleave' | 'drop',
    listener: (event: DragEvent) => void,
  ): void => document.addEventListener(name, listener, { signal });
  on('dragstart', () => {
    isInner = true;
  });
  on('dragend', () => {
    isInner = false;
  });
  on('dragover', (event) => {
    hover(isOurs(event));
    // Otherwise the browser would leave the page for the file.
    if (isOurs(event)) event.preventDefault();
  });
  on('dragleave', (event) => {
    if (!(event.relatedTarget instanceof Node)) hover(false);
  });
  on('drop', (event) => {
    const isTaken = !isOurs(event);
    isInner = false;
    if (isTaken || event.dataTransfer === null) {
      hover(false);
      return;
    }
    event.preventDefault();
    drop(sourcesOf(event.dataTransfer));
  });
  return () => controller.abort();
}
