import { Tabs } from '@mantine/core';
import type { ServerId } from '../../contract/generated/contract';
import classes from './ExplorePanel.module.css';
import { InfoPanel } from './info/InfoPanel';
import { ToolsPanel } from './tools/ToolsPanel';

export type ExploreTab = 'tools' | 'info';

export interface ExplorePanelProps {
  serverId: ServerId;
  tab: ExploreTab;
  onTab: (tab: ExploreTab) => void;
}

/** What a server offers: its tools, and what it says of itself. */
export function ExplorePanel({ serverId, tab, onTab }: ExplorePanelProps) {
  return (
    <Tabs
      value={tab}
      onChange={(value) => {
        if (value !== null) onTab(value as ExploreTab);
      }}
      className={classes.explore}
      variant="default"
    >
      <Tabs.List className={classes.tabs}>
        <Tabs.Tab value="tools">Tools</Tabs.Tab>
        <Tabs.Tab value="info">Info</Tabs.Tab>
      </Tabs.List>
      <Tabs.Panel value="tools" className={classes.panel}>
        <ToolsPanel key={serverId} serverId={serverId} />
      </Tabs.Panel>
      <Tabs.Panel value="info" className={classes.panel}>
        <InfoPanel key={serverId} serverId={serverId} />
      </Tabs.Panel>
    </Tabs>
  );
}
