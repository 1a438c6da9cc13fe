import type { ServerId } from '../../../contract/generated';
import { type LazyPart, lazyPart } from '../../../widgets/failure/lazyPart';
import type { PartEntry } from '../../../widgets/layout/part';
import type { TabCount } from './tabCounts';

export interface ExploreTabProps {
  serverId: ServerId;
}

/** How often a tab is needed. */
export type TabRank = 'main' | 'usual' | 'rare';

/** A tab of Explore. */
export interface ExploreTab extends PartEntry<ExploreTabProps> {
  /**
   * Its place: among the first, beside them, or in the menu “More” while it is not chosen and has nothing to say. Without
   * one, `usual`.
   */
  rank?: TabRank;
  /** The number beside its title. */
  count?: TabCount;
}

/**
 * The tabs of Explore, in order. A new one is an entry here and a folder of Explore. The panels are loaded with Explore:
 * the palette offers each tab, and the first paint does not wait for their code.
 */
export const EXPLORE_TABS: readonly (ExploreTab & { Part: LazyPart<ExploreTabProps> })[] = [
  {
    id: 'tools',
    title: 'Tools',
    rank: 'main',
    count: 'tools',
    Part: lazyPart(async () => (await import('../tools/ToolsPanel')).ToolsPanel),
  },
  {
    id: 'resources',
    title: 'Resources',
    rank: 'main',
    count: 'resources',
    Part: lazyPart(async () => (await import('../resources/ResourcesPanel')).ResourcesPanel),
  },
  {
    id: 'prompts',
    title: 'Prompts',
    rank: 'main',
    count: 'prompts',
    Part: lazyPart(async () => (await import('../prompts/PromptsPanel')).PromptsPanel),
  },
  {
    id: 'logs',
    title: 'Logs',
    Part: lazyPart(async () => (await import('../logs/LogsPanel')).LogsPanel),
  },
  {
    id: 'composer',
    title: 'Composer',
    Part: lazyPart(async () => (await import('../composer/ComposerPanel')).ComposerPanel),
  },
  {
    id: 'info',
    title: 'Info',
    Part: lazyPart(async () => (await import('../info/InfoPanel')).InfoPanel),
  },
  {
    id: 'skills',
    title: 'Skills',
    rank: 'rare',
    count: 'skills',
    Part: lazyPart(async () => (await import('../skills/SkillsPanel')).SkillsPanel),
  },
  {
    id: 'tasks',
    title: 'Tasks',
    rank: 'rare',
    Part: lazyPart(async () => (await import('../tasks/TasksPanel')).TasksPanel),
  },
  {
    id: 'subscriptions',
    title: 'Subscriptions',
    rank: 'rare',
    count: 'openSubscriptions',
    Part: lazyPart(async () => (await import('../subscriptions/SubscriptionsPanel')).SubscriptionsPanel),
  },
  {
    id: 'roots',
    title: 'Roots',
    rank: 'rare',
    count: 'withheldRoots',
    Part: lazyPart(async () => (await import('../roots/RootsPanel')).RootsPanel),
  },
];
