import { Button } from '@mantine/core';
import { useEffect, useEffectEvent, useMemo, useState } from 'react';
import type { FolderFacts } from '../../contract/generated';
import { spelled } from '../../model/servers/roots/rootWords';
import { useFolderChecks } from '../../model/servers/roots/useFolderChecks';
import type { RootDraft } from '../../model/servers/serverForm';
import { formatCount } from '../../model/text/format';
import { Rows } from '../controls/Rows';
import { useWindowDrop } from '../layout/useWindowDrop';
import { RootFolder } from './RootFolder';
import classes from './RootFolders.module.css';

const BLANK: RootDraft = { path: '', name: '' };
/** How many folders are shown at first, and how many more each time. */
const PART = 50;

interface RootFoldersProps {
  roots: RootDraft[];
  onRoots: (roots: RootDraft[]) => void;
  /** Receives what the folders are, by path as typed, whenever that is known. */
  onFound?: (found: ReadonlyMap<string, FolderFacts>) => void;
}

/** Folders that are roots. In the window, folders can be dropped onto them. */
export function RootFolders({ roots, onRoots, onFound }: RootFoldersProps) {
  const [shown, setShown] = useState(PART);
  const visible = roots.slice(0, shown);
  const { place, isOver, accepts } = useWindowDrop<HTMLDivElement>((paths) =>
    onRoots(withDropped(roots, paths)),
  );
  const facts = useFolderChecks(roots.map(({ path }) => path));
  const twins = useMemo(() => twinsOf(roots), [roots]);
  const tell = useEffectEvent((found: ReadonlyMap<string, FolderFacts>) => onFound?.(found));
  useEffect(() => tell(facts), [facts]);
  return (
    <div
      ref={place}
      role="group"
      aria-label="Folders"
      className={classes.place}
      data-over={isOver || undefined}
    >
      <Rows
        rows={visible.length === 0 ? [BLANK] : visible}
        onChange={(next) => {
          setShown(Math.max(PART, next.length));
          onRoots([...next, ...roots.slice(shown)]);
        }}
        noun="folder"
        blank={BLANK}
      >
        {(root, index, actions) => (
          <RootFolder
            root={root}
            number={index + 1}
            found={facts.get(root.path) ?? null}
            twin={twins[index] ?? null}
            {...actions}
          />
        )}
      </Rows>
      {roots.length > shown && (
        <Button variant="default" size="compact-sm" onClick={() => setShown(shown + PART)}>
          Show more ({formatCount(roots.length, 'folder')} in total)
        </Button>
      )}
      {accepts && <p className={classes.hint}>Folders can be dropped here.</p>}
    </div>
  );
}

function withDropped(roots: readonly RootDraft[], paths: readonly string[]): RootDraft[] {
  const known = new Set(roots.map(({ path }) => spelled(path)));
  const kept = roots.filter(({ path }) => path.trim() !== '');
  const fresh = paths.filter((path) => !known.has(spelled(path)));
  return [...kept, ...fresh.map((path): RootDraft => ({ path, name: '', from: 'user' }))];
}

/** For each folder the place of the same one before it, from 1. */
function twinsOf(roots: readonly RootDraft[]): (number | null)[] {
  const places = new Map<string, number>();
  return roots.map(({ path }, at) => {
    if (path.trim() === '') return null;
    const first = places.get(spelled(path));
    if (first === undefined) places.set(spelled(path), at + 1);
    return first ?? null;
  });
}
