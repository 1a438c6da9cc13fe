import type { ServerItem } from '../../../contract/generated';
import type { Availability } from '../../../model/workspace/commands';

/**
 * The tabs of Explore by name, in order. Apart from the panels, whose code the first paint does not wait for: the palette
 * offers each tab.
 */
export const EXPLORE_TAB_NAMES = [
  { id: 'tools', title: 'Tools', rank: 'main' },
  { id: 'resources', title: 'Resources', rank: 'main' },
  { id: 'prompts', title: 'Prompts', rank: 'main' },
  { id: 'logs', title: 'Logs', rank: 'usual' },
  { id: 'composer', title: 'Composer', rank: 'usual' },
  { id: 'info', title: 'Info', rank: 'usual' },
  { id: 'skills', title: 'Skills', rank: 'rare' },
  { id: 'tasks', title: 'Tasks', rank: 'rare' },
  { id: 'subscriptions', title: 'Subscriptions', rank: 'rare' },
  { id: 'roots', title: 'Roots', rank: 'rare' },
] as const satisfies readonly TabName[];

/** How often a tab is needed. */
export type TabRank = 'main' | 'usual' | 'rare';

interface TabName {
  /** Saved in the state of the window. */
  id: string;
  title: string;
  /** Its place: among the first, beside them, or in the menu “More” while it is not chosen and has nothing to say. */
  rank: TabRank;
  /** Whether a server has anything to show in it; without one, always. */
  available?: (server: ServerItem | undefined) => Availability;
}

export type ExploreTabId = (typeof EXPLORE_TAB_NAMES)[number]['id'];
