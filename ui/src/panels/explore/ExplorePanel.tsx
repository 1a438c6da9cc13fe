import { Tabs } from '@mantine/core';
import { type ReactNode, memo } from 'react';
import { useStore } from 'zustand';
import type { ServerId } from '../../contract/generated/contract';
import { useModel, useUi } from '../../model/workspace/context';
import type { ExploreTab } from '../../model/workspace/uiState';
import classes from './ExplorePanel.module.css';
import { InfoPanel } from './info/InfoPanel';
import { SubscriptionsPanel } from './subscriptions/SubscriptionsPanel';
import { TasksPanel } from './tasks/TasksPanel';
import { ToolsPanel } from './tools/ToolsPanel';

export interface ExplorePanelProps {
  serverId: ServerId;
  /** What stands first in the bar: the choice of the mode. */
  lead: ReactNode;
}

/**
 * What a server offers: its tools, its tasks, what it tells of, and what it says of itself. Each part hears of changes
 * itself: that the server became ready is not a reason to draw all of it anew.
 */
export const ExplorePanel = memo(function ExplorePanel({ serverId, lead }: ExplorePanelProps) {
  const { subscriptions, ui } = useModel();
  const tab = useUi(({ exploreTab }) => exploreTab);
  const open = useStore(
    subscriptions,
    (state) => state[serverId]?.filter(({ ended }) => ended === null).length ?? 0,
  );
  return (
    <Tabs
      value={tab}
      onChange={(value) => {
        if (value !== null) ui.setState({ exploreTab: value as ExploreTab });
      }}
      className={classes.explore}
      variant="default"
    >
      <div className={classes.bar}>
        {lead}
        <Tabs.List className={classes.tabs}>
          <Tabs.Tab value="tools">Tools</Tabs.Tab>
          <Tabs.Tab value="tasks">Tasks</Tabs.Tab>
          <Tabs.Tab value="subscriptions">Subscriptions{open > 0 && ` ${open}`}</Tabs.Tab>
          <Tabs.Tab value="info">Info</Tabs.Tab>
        </Tabs.List>
      </div>
      <Tabs.Panel value="tools" className={classes.panel}>
        <ToolsPanel key={serverId} serverId={serverId} />
      </Tabs.Panel>
      <Tabs.Panel value="tasks" className={classes.panel}>
        <TasksPanel key={serverId} serverId={serverId} />
      </Tabs.Panel>
      <Tabs.Panel value="subscriptions" className={classes.panel}>
        <SubscriptionsPanel key={serverId} serverId={serverId} />
      </Tabs.Panel>
      <Tabs.Panel value="info" className={classes.panel}>
        <InfoPanel key={serverId} serverId={serverId} />
      </Tabs.Panel>
    </Tabs>
  );
});
