import { useMediaQuery } from '@mantine/hooks';
import { useState } from 'react';
import { useModel } from './context';

/** Whether the window is narrower than this, in px, also because it is zoomed. */
export function useIsNarrower(px: number): boolean {
  return useMediaQuery(`(max-width: ${px - 1}px)`, false, { getInitialValueInEffect: false });
}

/** Below this width, in px, form and result need the room of the definition beside a tool. */
export const ROOMY = 1400;

/** Whether the window has room for the definition beside a tool. */
export function isRoomy(): boolean {
  return !window.matchMedia(`(max-width: ${ROOMY - 1}px)`).matches;
}

interface PanelSizes {
  /** What react-resizable-panels takes as `defaultLayout`: percent by panel id. */
  defaultLayout: Record<string, number> | undefined;
  onLayoutChanged: (layout: Record<string, number>, change: { isUserInteraction: boolean }) => void;
}

/** Keeps the sizes of a group of resizable panels across restarts. `panels`: the ids of those now in the group. */
export function useLayout(group: string, panels: readonly string[]): PanelSizes {
  const { ui } = useModel();
  const [defaultLayout] = useState(() => {
    const saved: unknown = ui.getState().layouts[group];
    return isLayoutOf(saved, panels) ? saved : undefined;
  });
  return {
    defaultLayout,
    onLayoutChanged(layout, { isUserInteraction }) {
      if (isUserInteraction) ui.setState(({ layouts }) => ({ layouts: { ...layouts, [group]: layout } }));
    },
  };
}

function isLayoutOf(saved: unknown, panels: readonly string[]): saved is Record<string, number> {
  if (typeof saved !== 'object' || saved === null) return false;
  const sizes = Object.entries(saved);
  return (
    sizes.length === panels.length &&
    sizes.every(([id, size]) => panels.includes(id) && typeof size === 'number')
  );
}
