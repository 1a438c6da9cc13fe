import { useStore } from 'zustand';
import type { ServerId } from '../../../contract/generated';
import { useModel, useServerPart } from '../../../model/workspace/context';
import type { PartEntry } from '../../../widgets/layout/part';
import { ComposerPanel } from '../composer/ComposerPanel';
import { InfoPanel } from '../info/InfoPanel';
import { LogsPanel } from '../logs/LogsPanel';
import { PromptsPanel } from '../prompts/PromptsPanel';
import { ResourcesPanel } from '../resources/ResourcesPanel';
import { RootsPanel } from '../roots/RootsPanel';
import { SkillsPanel } from '../skills/SkillsPanel';
import { SubscriptionsPanel } from '../subscriptions/SubscriptionsPanel';
import { EXPLORE_TAB_NAMES, type ExploreTabId } from './tabNames';
import { TasksPanel } from '../tasks/TasksPanel';
import { ToolsPanel } from '../tools/ToolsPanel';

export interface ExploreTabProps {
  serverId: ServerId;
}

/** The panel of each tab. */
const PANELS: Record<ExploreTabId, Pick<PartEntry<ExploreTabProps>, 'Part' | 'Badge'>> = {
  tools: { Part: ToolsPanel },
  resources: { Part: ResourcesPanel },
  prompts: { Part: PromptsPanel },
  skills: { Part: SkillsPanel },
  logs: { Part: LogsPanel },
  tasks: { Part: TasksPanel },
  subscriptions: { Part: SubscriptionsPanel, Badge: OpenSubscriptions },
  roots: { Part: RootsPanel, Badge: WithheldRoots },
  composer: { Part: ComposerPanel },
  info: { Part: InfoPanel },
};

/** The tabs of Explore. A new one is a name in `tabNames.ts`, its panel above, and one folder of Explore. */
export const EXPLORE_TABS: readonly PartEntry<ExploreTabProps>[] = EXPLORE_TAB_NAMES.map((name) => ({
  ...name,
  ...PANELS[name.id],
}));

function OpenSubscriptions({ serverId }: { serverId: ServerId }) {
  const { subscriptions } = useModel();
  const open = useStore(
    subscriptions,
    (state) => state[serverId]?.filter(({ ended }) => ended === null).length ?? 0,
  );
  return open > 0 && ` ${open}`;
}

/** How many folders the server asked for and did not get. */
function WithheldRoots({ serverId }: { serverId: ServerId }) {
  const withheld = useServerPart(serverId, (server) => server?.withheldRoots ?? 0);
  return withheld > 0 && ` ${withheld}`;
}
