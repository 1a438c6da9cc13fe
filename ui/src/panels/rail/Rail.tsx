import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { type KeyboardEvent, useCallback, useId, useMemo, useRef, useState } from 'react';
import { type RailRow as Row, railRows } from '../../model/servers/groups/railRows';
import { useActions } from '../../model/workspace/actions';
import { isOpen } from '../../model/connection/connection';
import type { Command, ServerCommand } from '../../model/workspace/commands';
import { useModel, useServers, useUi } from '../../model/workspace/context';
import type { GroupCommand } from '../../model/workspace/commands';
import { useFocusRequest } from '../../model/workspace/useFocusRequest';
import { IconButton } from '../../widgets/controls/IconButton';
import { focusPane } from '../../widgets/focus/panes';
import { GroupHeading } from './GroupHeading';
import classes from './Rail.module.css';
import { RailMenu } from './RailMenu';
import { RailRow } from './RailRow';
import { useRowDrag } from './useRowDrag';

interface RailProps {
  commands: readonly ServerCommand[];
  groupCommands?: readonly GroupCommand[];
  /** What is done with all servers, in the menu of the list. */
  allCommands?: readonly Command[];
}

const NONE: readonly never[] = [];

/**
 * The servers and their states, in their groups. Arrows move, Enter connects, a row is dragged to its place, the menu key, Shift-F10 or a
 * right click opens a row's menu.
 */
export function Rail({ commands, groupCommands = NONE, allCommands = NONE }: RailProps) {
  const { servers, ui, workspace } = useModel();
  const rows = useRows();
  const selected = useUi((state) => state.selectedServer);
  const actions = useActions();
  /** The row with the menu, by its key. */
  const [menu, setMenu] = useState<string | null>(null);
  /** The row that the keys are for: needed where the selected server has several rows, and for headings. */
  const [cursor, setCursor] = useState<string | null>(null);
  const [selectedBefore, setSelectedBefore] = useState(selected);
  if (selectedBefore !== selected) {
    setSelectedBefore(selected);
    // Selected elsewhere: the keys are for that server.
    if (serverAt(rows, cursor) !== selected) setCursor(null);
  }
  const list = useRef<HTMLDivElement>(null);
  const id = useId();
  const at = activeAt(rows, cursor, selected);
  const active = rows[at];
  const { drag, handlers } = useRowDrag(list, rows, ({ from, to }) => {
    const [row, place] = [rows[from], rows[to]];
    if (row !== undefined && place !== undefined) void actions.drop(row.key, place.key);
  });
  useFocusRequest('rail', null, true, () => list.current?.focus());

  const add = (): void => workspace.setState({ dialog: { type: 'addServer', pasted: '' } });

  const go = useCallback(
    (row: Row | undefined): void => {
      if (row === undefined) return;
      setCursor(row.key);
      if (row.type === 'server') actions.select(row.serverId);
    },
    [actions],
  );

  const toggle = useCallback(
    (group: string): void =>
      ui.setState(({ collapsedGroups }) => ({
        collapsedGroups: collapsedGroups.includes(group)
          ? collapsedGroups.filter((other) => other !== group)
          : [...collapsedGroups, group],
      })),
    [ui],
  );

  /** Moves the active row by one: a server within its group, a group among the groups. */
  function move(by: -1 | 1): void {
    if (active?.type === 'group') void actions.moveGroup(active.group, by);
    else if (active !== undefined) void actions.moveRow(active.key, by);
  }

  function open(): void {
    if (active?.type === 'group') return toggle(active.group);
    const item = servers.getState().items?.find((each) => each.id === active?.serverId);
    if (item === undefined) return;
    if (isOpen(item.connection.state)) focusPane(1);
    else void actions.connect(item.id);
  }

  /** The arrows to the sides, as in a tree. False: not for this row. */
  function sideways(isBack: boolean): boolean {
    if (active?.type === 'group') {
      if (active.isCollapsed === isBack) return false;
      toggle(active.group);
      return true;
    }
    if (!isBack || active === undefined || active.group === null) return false;
    go(rows.find((row) => row.type === 'group' && row.group === active.group));
    return true;
  }

  function remove(): void {
    if (active?.type === 'group')
      workspace.setState({ dialog: { type: 'removeGroup', group: active.group } });
    else if (active !== undefined)
      workspace.setState({ dialog: { type: 'removeServer', serverId: active.serverId } });
  }

  function onKeyDown(event: KeyboardEvent): void {
    if (event.target !== list.current) return;
    switch (event.key) {
      case 'ArrowDown':
        if (event.altKey) move(1);
        else go(rows[Math.min(at + 1, rows.length - 1)]);
        break;
      case 'ArrowUp':
        if (event.altKey) move(-1);
        else go(at < 0 ? rows.at(-1) : rows[Math.max(at - 1, 0)]);
        break;
      case 'ArrowLeft':
      case 'ArrowRight':
        if (!sideways(event.key === 'ArrowLeft')) return;
        break;
      case 'Home':
        go(rows[0]);
        break;
      case 'End':
        go(rows.at(-1));
        break;
      case 'Enter':
        open();
        break;
      case 'F10':
        if (!event.shiftKey) return;
        setMenu(active?.key ?? null);
        break;
      case 'ContextMenu':
        setMenu(active?.key ?? null);
        break;
      case 'Delete':
        remove();
        break;
      default:
        return;
    }
    event.preventDefault();
  }

  const onMenu = useCallback((key: string, isShown: boolean): void => {
    setMenu(isShown ? key : null);
    if (!isShown) list.current?.focus();
  }, []);

  return (
    <nav className={classes.rail} aria-label="Servers">
      <div className={classes.head}>
        <span>Servers</span>
        <span className={classes.headActions}>
          <RailMenu commands={allCommands} />
          <IconButton icon={IconPlus} label="Add a server" onClick={add} />
        </span>
      </div>
      {/* oxlint-disable-next-line jsx-a11y/no-static-element-interactions */}
      <div
        ref={list}
        className={classes.list}
        // A list of options may not hold the buttons of its rows.
        role="tree"
        aria-label="Servers"
        tabIndex={0}
        aria-activedescendant={active === undefined ? undefined : `${id}-${active.key}`}
        data-dragging={drag !== null || undefined}
        onKeyDown={onKeyDown}
        {...handlers}
      >
        {rows.map((row, index) => {
          const shared = {
            id: `${id}-${row.key}`,
            rowKey: row.key,
            isActive: index === at,
            menuOpen: menu === row.key,
            dragged: drag?.from === index,
            // The line is where the row would be put.
            dropAt: drag?.to !== index || drag.from === index ? undefined : edgeOf(drag.from < index),
            onMenu,
          };
          return row.type === 'group' ? (
            <GroupHeading
              key={row.key}
              {...shared}
              group={row.group}
              isCollapsed={row.isCollapsed}
              onSelect={setCursor}
              onToggle={toggle}
              commands={groupCommands}
            />
          ) : (
            <RailRow
              key={row.key}
              {...shared}
              serverId={row.serverId}
              group={row.group}
              isSelected={row.serverId === selected}
              onSelect={setCursor}
              commands={commands}
            />
          );
        })}
      </div>
      <div className={classes.foot}>
        <Button
          variant="subtle"
          color="gray"
          fullWidth
          justify="flex-start"
          leftSection={<IconPlus size={16} />}
          onClick={add}
        >
          Add server…
        </Button>
      </div>
    </nav>
  );
}

function edgeOf(isFromAbove: boolean): 'after' | 'before' {
  return isFromAbove ? 'after' : 'before';
}

/** The rows; others only when a server, a group or what is collapsed changes, not with each message of a busy connection. */
function useRows(): Row[] {
  const { servers } = useModel();
  const places = useServers(({ items }) => JSON.stringify(items?.map(({ id, draft }) => [id, draft.groups])));
  const groups = useServers((state) => state.groups);
  const collapsed = useUi((state) => state.collapsedGroups);
  return useMemo(
    () => (places === undefined ? [] : railRows(servers.getState().items ?? [], groups, collapsed)),
    [servers, places, groups, collapsed],
  );
}

/** The server of a row; null: none. */
function serverAt(rows: readonly Row[], key: string | null): string | null {
  const row = rows.find((each) => each.key === key);
  return row?.type === 'server' ? row.serverId : null;
}

/** The row that the keys are for: the one at the cursor, or that of the selected server. */
function activeAt(rows: readonly Row[], cursor: string | null, selected: string | null): number {
  const at = rows.findIndex(({ key }) => key === cursor);
  const row = rows[at];
  if (row !== undefined && (row.type === 'group' || row.serverId === selected)) return at;
  return rows.findIndex((each) => each.type === 'server' && each.serverId === selected);
}
