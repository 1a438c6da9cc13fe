import type { Step } from './operations';

/** A visible row of the tree of steps. */
export interface TreeRow {
  step: Step;
  /** The turn that it belongs to. */
  turn: Step;
  /** 1 for turns. */
  level: number;
  /** Whether what it caused is shown; undefined if it caused nothing. */
  isOpen: boolean | undefined;
  /** Its place among its siblings, from 1. */
  place: number;
  count: number;
}

/** The visible rows of the tree, in order. */
export function treeRows(turns: readonly Step[], isOpen: (step: Step) => boolean): TreeRow[] {
  const rows: TreeRow[] = [];
  const add = (steps: readonly Step[], level: number, of: Step | null): void => {
    for (const [at, step] of steps.entries()) {
      const turn = of ?? step;
      const open = step.steps.length === 0 ? undefined : isOpen(step);
      rows.push({ step, turn, level, isOpen: open, place: at + 1, count: steps.length });
      if (open === true) add(step.steps, level + 1, turn);
    }
  };
  add(turns, 1, null);
  return rows;
}

/** What a key does in a tree. */
export type TreeMove = { type: 'move'; to: number } | { type: 'toggle'; isOpen: boolean };

/** What a key does on the row `at`, as in the tree pattern of ARIA; null if nothing. */
export function treeKey(rows: readonly TreeRow[], at: number, key: string): TreeMove | null {
  const row = rows[at];
  if (row === undefined) return null;
  const last = rows.length - 1;
  switch (key) {
    case 'ArrowDown':
      return { type: 'move', to: Math.min(last, at + 1) };
    case 'ArrowUp':
      return { type: 'move', to: Math.max(0, at - 1) };
    case 'Home':
      return { type: 'move', to: 0 };
    case 'End':
      return { type: 'move', to: last };
    case 'ArrowRight':
      if (row.isOpen === undefined) return null;
      return row.isOpen ? { type: 'move', to: at + 1 } : { type: 'toggle', isOpen: true };
    case 'ArrowLeft': {
      if (row.isOpen === true) return { type: 'toggle', isOpen: false };
      const parent = rows.slice(0, at).findLastIndex(({ level }) => level < row.level);
      return parent < 0 ? null : { type: 'move', to: parent };
    }
    default:
      return null;
  }
}
