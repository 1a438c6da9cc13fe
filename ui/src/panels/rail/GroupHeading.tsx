import { ActionIcon, Menu } from '@mantine/core';
import { IconChevronDown, IconChevronRight, IconDots } from '@tabler/icons-react';
import { Fragment, type MouseEvent, memo, useEffect, useRef } from 'react';
import { serversOf } from '../../model/servers/groups/railRows';
import { useActions } from '../../model/workspace/actions';
import { useModel, useServers } from '../../model/workspace/context';
import type { GroupCommand } from '../../model/workspace/commands';
import classes from './Rail.module.css';

interface GroupHeadingProps {
  id: string;
  rowKey: string;
  group: string;
  isCollapsed: boolean;
  isActive: boolean;
  menuOpen: boolean;
  dragged: boolean;
  dropAt: 'before' | 'after' | undefined;
  onSelect: (rowKey: string) => void;
  onToggle: (group: string) => void;
  onMenu: (rowKey: string, open: boolean) => void;
  commands: readonly GroupCommand[];
}

/** The heading of a group: its name, how many of its servers are ready, and its actions. */
export const GroupHeading = memo(function GroupHeading(props: GroupHeadingProps) {
  const { id, rowKey, group, isCollapsed, isActive, menuOpen, dragged, dropAt, onSelect, onMenu } = props;
  const row = useRef<HTMLDivElement>(null);
  const count = useServers(({ items }) => serversOf(items ?? [], group).length);
  const ready = useServers(
    ({ items }) =>
      serversOf(items ?? [], group).filter(({ connection }) => connection.state === 'ready').length,
  );
  useEffect(() => {
    if (isActive) row.current?.scrollIntoView({ block: 'nearest' });
  }, [isActive]);
  const stay = (event: MouseEvent): void => event.stopPropagation();
  const Chevron = isCollapsed ? IconChevronRight : IconChevronDown;

  return (
    // The list has the focus and handles the keys.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus
    <div
      ref={row}
      id={id}
      role="treeitem"
      aria-level={1}
      aria-expanded={!isCollapsed}
      aria-selected={false}
      aria-label={`${group}: ${ready} of ${count} ready`}
      className={`${classes.row} ${classes.heading}`}
      data-row
      data-active={isActive || undefined}
      data-menu={menuOpen || undefined}
      data-dragged={dragged || undefined}
      data-drop={dropAt}
      onClick={() => {
        onSelect(rowKey);
        props.onToggle(group);
      }}
      onContextMenu={(event) => {
        event.preventDefault();
        onSelect(rowKey);
        onMenu(rowKey, true);
      }}
    >
      <Chevron size={14} className={classes.chevron} aria-hidden />
      <span className={`${classes.name} pb-ellipsis`} dir="auto" data-tip={group} data-tip-side="right">
        {group}
      </span>
      <span className={classes.facts}>
        <span className={classes.members} data-tip={`${ready} of ${count} ready`}>
          {ready > 0 ? `${ready}/${count}` : count}
        </span>
      </span>
      {/* oxlint-disable-next-line jsx-a11y/no-static-element-interactions, jsx-a11y/click-events-have-key-events */}
      <span className={classes.actions} onClick={stay}>
        <Menu
          opened={menuOpen}
          onChange={(next) => onMenu(rowKey, next)}
          position="right-start"
          width={210}
          returnFocus={false}
        >
          <Menu.Target>
            <ActionIcon aria-label={`Actions for group ${group}`} tabIndex={-1}>
              <IconDots size={16} />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            <GroupActions group={group} commands={props.commands} />
          </Menu.Dropdown>
        </Menu>
      </span>
    </div>
  );
});

const SECTIONS = ['connection', 'settings', 'danger'] as const;

/** A separate component, mounted only while the menu is open. */
function GroupActions({ group, commands }: Pick<GroupHeadingProps, 'group' | 'commands'>) {
  const model = useModel();
  const actions = useActions();
  // What is available changes with the servers.
  useServers(({ items }) => items);
  return SECTIONS.map((section, i) => (
    <Fragment key={section}>
      {i > 0 && <Menu.Divider />}
      {commands
        .filter((command) => command.section === section)
        .map(({ id, title, icon: Glyph, available, run }) => (
          <Menu.Item
            key={id}
            leftSection={<Glyph size={16} />}
            c={section === 'danger' ? 'var(--pb-error)' : undefined}
            disabled={(available?.(group, model) ?? true) !== true}
            onClick={() => run({ model, actions }, group)}
          >
            {title}
          </Menu.Item>
        ))}
    </Fragment>
  ));
}
