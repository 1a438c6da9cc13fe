import type { ServerId } from '../../../contract/generated';
import type { PartEntry } from '../../../widgets/layout/part';
import { ComposerPanel } from '../composer/ComposerPanel';
import { InfoPanel } from '../info/InfoPanel';
import { LogsPanel } from '../logs/LogsPanel';
import { PromptsPanel } from '../prompts/PromptsPanel';
import { ResourcesPanel } from '../resources/ResourcesPanel';
import { RootsPanel } from '../roots/RootsPanel';
import { SkillsPanel } from '../skills/SkillsPanel';
import { SubscriptionsPanel } from '../subscriptions/SubscriptionsPanel';
import { EXPLORE_TAB_NAMES, type ExploreTabId, type TabRank } from './tabNames';
import { TasksPanel } from '../tasks/TasksPanel';
import { ToolsPanel } from '../tools/ToolsPanel';
import type { TabCount } from './tabCounts';

export interface ExploreTabProps {
  serverId: ServerId;
}

/** A tab of Explore. */
export interface ExploreTab extends PartEntry<ExploreTabProps> {
  /** Without one, `usual`. */
  rank?: TabRank;
  /** The number beside its title. */
  count?: TabCount;
}

/** The panel of each tab. */
const PANELS: Record<ExploreTabId, Pick<ExploreTab, 'Part' | 'count'>> = {
  tools: { Part: ToolsPanel, count: 'tools' },
  resources: { Part: ResourcesPanel, count: 'resources' },
  prompts: { Part: PromptsPanel, count: 'prompts' },
  skills: { Part: SkillsPanel, count: 'skills' },
  logs: { Part: LogsPanel },
  tasks: { Part: TasksPanel },
  subscriptions: { Part: SubscriptionsPanel, count: 'openSubscriptions' },
  roots: { Part: RootsPanel, count: 'withheldRoots' },
  composer: { Part: ComposerPanel },
  info: { Part: InfoPanel },
};

/** The tabs of Explore. A new one is a name in `tabNames.ts`, its panel above, and one folder of Explore. */
export const EXPLORE_TABS: readonly ExploreTab[] = EXPLORE_TAB_NAMES.map((name) => ({
  ...name,
  ...PANELS[name.id],
}));
