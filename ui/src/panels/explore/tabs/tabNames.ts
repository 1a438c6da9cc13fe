import type { ServerItem } from '../../../contract/generated';
import type { Availability } from '../../../model/workspace/commands';

/**
 * The tabs of Explore by name, in order. Apart from the panels, whose code the first paint does not wait for: the palette
 * offers each tab.
 */
export const EXPLORE_TAB_NAMES = [
  { id: 'tools', title: 'Tools' },
  { id: 'resources', title: 'Resources' },
  { id: 'prompts', title: 'Prompts' },
  { id: 'skills', title: 'Skills' },
  { id: 'logs', title: 'Logs' },
  { id: 'tasks', title: 'Tasks' },
  { id: 'subscriptions', title: 'Subscriptions' },
  { id: 'roots', title: 'Roots' },
  { id: 'composer', title: 'Composer' },
  { id: 'info', title: 'Info' },
] as const satisfies readonly TabName[];

interface TabName {
  /** Saved in the state of the window. */
  id: string;
  title: string;
  /** Whether a server has anything to show in it; without one, always. */
  available?: (server: ServerItem | undefined) => Availability;
}

export type ExploreTabId = (typeof EXPLORE_TAB_NAMES)[number]['id'];
