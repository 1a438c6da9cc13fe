import { useEffect, useEffectEvent, useRef, useState } from 'react';
import type { FolderCheckResponse } from '../../contract/generated';
import type { RootDraft } from '../../model/servers/serverForm';
import { useHost } from '../../model/workspace/context';
import { Rows } from '../controls/Rows';
import { RootFolder } from './RootFolder';
import classes from './RootFolders.module.css';

const BLANK: RootDraft = { path: '', name: '' };

interface RootFoldersProps {
  roots: RootDraft[];
  onRoots: (roots: RootDraft[]) => void;
  /** Receives what a folder is, whenever that is known. */
  onFound?: (at: number, found: FolderCheckResponse | null) => void;
}

/** Folders that are roots. In the window, folders can be dropped onto them. */
export function RootFolders({ roots, onRoots, onFound }: RootFoldersProps) {
  const host = useHost();
  const place = useRef<HTMLDivElement>(null);
  const [isOver, setIsOver] = useState(false);
  const add = useEffectEvent((paths: string[]) => {
    const known = new Set(roots.map(({ path }) => path));
    const kept = roots.filter(({ path }) => path.trim() !== '');
    onRoots([...kept, ...paths.filter((path) => !known.has(path)).map((path) => ({ path, name: '' }))]);
  });
  useEffect(
    () =>
      host.onFolderDrop?.((drop) => {
        const box = place.current?.getBoundingClientRect();
        const isInside =
          box !== undefined &&
          drop.x >= box.left &&
          drop.x <= box.right &&
          drop.y >= box.top &&
          drop.y <= box.bottom;
        setIsOver(isInside && drop.type === 'over');
        if (isInside && drop.type === 'drop') add(drop.paths);
      }),
    [host],
  );
  return (
    <div
      ref={place}
      role="group"
      aria-label="Folders"
      className={classes.place}
      data-over={isOver || undefined}
    >
      <Rows rows={roots.length === 0 ? [BLANK] : roots} onChange={onRoots} noun="folder" blank={BLANK}>
        {(root, index, actions) => (
          <RootFolder
            root={root}
            number={index + 1}
            onFound={(found) => onFound?.(index, found)}
            {...actions}
          />
        )}
      </Rows>
      {host.onFolderDrop !== undefined && <p className={classes.hint}>Folders can be dropped here.</p>}
    </div>
  );
}
