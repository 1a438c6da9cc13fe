import { Tabs } from '@mantine/core';
import { type ReactNode, memo, useRef } from 'react';
import type { ServerId } from '../../../contract/generated';
import { useModel, useUi } from '../../../model/workspace/context';
import { useFocusRequest } from '../../../model/workspace/useFocusRequest';
import { Bar } from '../../../widgets/layout/Bar';
import { useChosenEntry, useShownEntries } from '../../../widgets/layout/part';
import classes from './ExplorePanel.module.css';
import { EXPLORE_TABS } from './tabs';

export interface ExplorePanelProps {
  serverId: ServerId;
  /** The switch between the modes; it comes first in the bar. */
  lead: ReactNode;
  tabs?: typeof EXPLORE_TABS;
}

/**
 * What a server offers, in tabs. Each tab subscribes to what it shows itself: that the server became ready does not draw all
 * of them again.
 */
export const ExplorePanel = memo(function ExplorePanel({
  serverId,
  lead,
  tabs = EXPLORE_TABS,
}: ExplorePanelProps) {
  const { ui } = useModel();
  const tab = useUi(({ exploreTab }) => exploreTab);
  const chosen = useChosenEntry(tabs, tab, serverId);
  const shown = useShownEntries(tabs, serverId);
  const list = useRef<HTMLDivElement>(null);
  useFocusRequest('exploreTabs', serverId, true, () =>
    list.current?.querySelector<HTMLElement>('[aria-selected="true"]')?.focus(),
  );
  return (
    <Tabs
      value={chosen?.id ?? null}
      onChange={(value) => {
        if (value !== null) ui.setState({ exploreTab: value });
      }}
      className={classes.explore}
      variant="default"
    >
      <Bar>
        {lead}
        <Tabs.List ref={list} className={classes.tabs} aria-label="Explore">
          {shown.map(({ entry: { id, title, Badge }, disabledReason }) => (
            <Tabs.Tab key={id} value={id} disabled={disabledReason !== undefined} data-tip={disabledReason}>
              {title}
              {Badge !== undefined && <Badge serverId={serverId} />}
            </Tabs.Tab>
          ))}
        </Tabs.List>
      </Bar>
      {shown.map(({ entry: { id, Part } }) => (
        <Tabs.Panel key={id} value={id} className={classes.panel}>
          <Part key={serverId} serverId={serverId} />
        </Tabs.Panel>
      ))}
    </Tabs>
  );
});
