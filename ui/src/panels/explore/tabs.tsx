import { useStore } from 'zustand';
import type { ServerId } from '../../contract/generated';
import { useModel } from '../../model/workspace/context';
import type { PartEntry } from '../../widgets/layout/part';
import { ComposerPanel } from './composer/ComposerPanel';
import { InfoPanel } from './info/InfoPanel';
import { LogsPanel } from './logs/LogsPanel';
import { PromptsPanel } from './prompts/PromptsPanel';
import { ResourcesPanel } from './resources/ResourcesPanel';
import { SubscriptionsPanel } from './subscriptions/SubscriptionsPanel';
import { TasksPanel } from './tasks/TasksPanel';
import { ToolsPanel } from './tools/ToolsPanel';

export interface ExploreTabProps {
  serverId: ServerId;
}

/** The tabs of Explore. A new one is one entry here and one folder beside this file. */
export const EXPLORE_TABS: readonly PartEntry<ExploreTabProps>[] = [
  { id: 'tools', title: 'Tools', Part: ToolsPanel },
  { id: 'resources', title: 'Resources', Part: ResourcesPanel },
  { id: 'prompts', title: 'Prompts', Part: PromptsPanel },
  { id: 'logs', title: 'Logs', Part: LogsPanel },
  { id: 'tasks', title: 'Tasks', Part: TasksPanel },
  { id: 'subscriptions', title: 'Subscriptions', Part: SubscriptionsPanel, Badge: OpenSubscriptions },
  { id: 'composer', title: 'Composer', Part: ComposerPanel },
  { id: 'info', title: 'Info', Part: InfoPanel },
];

function OpenSubscriptions({ serverId }: { serverId: ServerId }) {
  const { subscriptions } = useModel();
  const open = useStore(
    subscriptions,
    (state) => state[serverId]?.filter(({ ended }) => ended === null).length ?? 0,
  );
  return open > 0 && ` ${open}`;
}
