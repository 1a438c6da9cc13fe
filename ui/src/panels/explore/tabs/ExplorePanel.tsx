import { Menu, Tabs } from '@mantine/core';
import { IconChevronDown } from '@tabler/icons-react';
import { type ReactNode, memo, useRef } from 'react';
import type { ServerId } from '../../../contract/generated';
import { useModel, useUi } from '../../../model/workspace/context';
import { useFocusRequest } from '../../../model/workspace/useFocusRequest';
import { Bar } from '../../../widgets/layout/Bar';
import { useChosenEntry, useShownEntries } from '../../../widgets/layout/part';
import { ChangesStrip } from '../tools/definitions/ChangesStrip';
import classes from './ExplorePanel.module.css';
import { type CountOfTab, useTabCounts } from './tabCounts';
import { EXPLORE_TABS, type ExploreTab } from './tabs';

export interface ExplorePanelProps {
  serverId: ServerId;
  /** The switch between the modes; it comes first in the bar. */
  lead: ReactNode;
  tabs?: readonly ExploreTab[];
}

interface ShownTab {
  entry: ExploreTab;
  disabledReason: string | undefined;
  count: CountOfTab | undefined;
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
        <TabBar serverId={serverId} shown={shown} chosenId={chosen?.id} />
      </Bar>
      <ChangesStrip key={serverId} serverId={serverId} showsTools={chosen?.id === 'tools'} />
      {shown.map(({ entry: { id, Part } }) => (
        <Tabs.Panel key={id} value={id} className={classes.panel}>
          <Part key={serverId} serverId={serverId} />
        </Tabs.Panel>
      ))}
    </Tabs>
  );
});

interface TabBarProps {
  serverId: ServerId;
  shown: readonly Omit<ShownTab, 'count'>[];
  chosenId: string | undefined;
}

/** The tabs, and the menu of those that are rarely needed. A separate component: the numbers change more often than the panels. */
function TabBar({ serverId, shown, chosenId }: TabBarProps) {
  const { ui } = useModel();
  const counts = useTabCounts(serverId);
  const list = useRef<HTMLDivElement>(null);
  const focusChosen = (): void => list.current?.querySelector<HTMLElement>('[aria-selected="true"]')?.focus();
  useFocusRequest('exploreTabs', serverId, true, focusChosen);
  const all = shown.map((each): ShownTab => {
    const { count } = each.entry;
    return { ...each, count: count === undefined ? undefined : counts[count] };
  });
  const isInMenu = ({ entry: { id, rank }, count }: ShownTab): boolean =>
    rank === 'rare' && id !== chosenId && count?.asks !== true;
  const inMenu = all.filter(isInMenu);
  return (
    <div className={classes.bar}>
      <Tabs.List ref={list} className={classes.tabs} aria-label="Explore">
        {all
          .filter((each) => !isInMenu(each))
          .map(({ entry: { id, title, rank, Badge }, disabledReason, count }) => (
            <Tabs.Tab
              key={id}
              value={id}
              data-rank={rank}
              disabled={disabledReason !== undefined}
              data-tip={disabledReason}
              // As in browsers and editors: the panel is there before the button is let go.
              onMouseDown={({ button, ctrlKey }) => {
                if (button === 0 && !ctrlKey) ui.setState({ exploreTab: id });
              }}
            >
              {title}
              {count !== undefined && <Count {...count} />}
              {Badge !== undefined && <Badge serverId={serverId} />}
            </Tabs.Tab>
          ))}
      </Tabs.List>
      {inMenu.length > 0 && <MoreTabs tabs={inMenu} onChosen={() => requestAnimationFrame(focusChosen)} />}
    </div>
  );
}

/** What waits for the user is a part of the tab's name; the length of a list is not. */
function Count({ text, asks }: CountOfTab) {
  return (
    <span
      className={`${classes.count} pb-num`}
      data-asks={asks || undefined}
      aria-hidden={!asks || undefined}
    >
      {' '}
      {text}
    </span>
  );
}

/** The tabs that are rarely needed. One that is chosen comes into the row of tabs, and has the focus. */
function MoreTabs({ tabs, onChosen }: { tabs: readonly ShownTab[]; onChosen: () => void }) {
  const { ui } = useModel();
  return (
    <Menu position="bottom-end" returnFocus={false} width={200}>
      <Menu.Target>
        <button
          type="button"
          className={classes.more}
          data-tip={`More: ${tabs.map(({ entry }) => entry.title).join(', ')}`}
        >
          More
          <IconChevronDown size={14} aria-hidden />
        </button>
      </Menu.Target>
      <Menu.Dropdown>
        {tabs.map(({ entry: { id, title }, disabledReason, count }) => (
          <Menu.Item
            key={id}
            disabled={disabledReason !== undefined}
            data-tip={disabledReason}
            rightSection={count && <Count {...count} />}
            onClick={() => {
              ui.setState({ exploreTab: id });
              onChosen();
            }}
          >
            {title}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
