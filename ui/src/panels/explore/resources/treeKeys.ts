import type { KeyboardEvent } from 'react';
import { parentOf } from '../../../model/lists/resources/resourceTree';

/** A line of a tree: a folder, or anything that may be in one. */
type TreeLine = { depth: number } & ({ type: 'folder'; key: string; isOpen: boolean } | { type: string });

/** A list of the lines of a tree. */
interface Tree {
  lines: readonly TreeLine[];
  /** The selected line; -1 if none is. */
  at: number;
  onSelect: (index: number) => void;
  /** Opens or closes a folder. */
  onToggle: (key: string) => void;
}

/** Left closes the selected folder, or selects the one that the line is in; Right opens it, or selects the first line in it. */
export function onTreeKey(event: KeyboardEvent, { lines, at, onSelect, onToggle }: Tree): void {
  const isList = event.target instanceof HTMLElement && event.target.role === 'listbox';
  const line = lines[at];
  if (!isList || line === undefined || (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight')) return;
  event.preventDefault();
  const isOpen = 'isOpen' in line && line.isOpen;
  if ('isOpen' in line && isOpen === (event.key === 'ArrowLeft')) onToggle(line.key);
  else if (event.key === 'ArrowLeft') onSelect(parentOf(lines, at));
  else if (isOpen) onSelect(at + 1);
}
