import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { type KeyboardEvent, useCallback, useId, useRef, useState } from 'react';
import { useShallow } from 'zustand/react/shallow';
import type { ServerId } from '../../contract/generated';
import { useActions } from '../../model/workspace/actions';
import { isOpen } from '../../model/connection/connection';
import type { ServerCommand } from '../../model/workspace/commands';
import { useModel, useServers, useUi } from '../../model/workspace/context';
import { useFocusRequest } from '../../model/workspace/useFocusRequest';
import { IconButton } from '../../widgets/controls/IconButton';
import classes from './Rail.module.css';
import { RailRow } from './RailRow';
import { useRowDrag } from './useRowDrag';

/** The servers and their states. Arrows move, Enter connects, a row is dragged to its place, the menu key, Shift-F10 or a right click opens a row's menu. */
export function Rail({ commands }: { commands: readonly ServerCommand[] }) {
  const { servers, workspace } = useModel();
  const ids = useServers(useShallow(({ items }) => items?.map((item) => item.id) ?? []));
  const selected = useUi((state) => state.selectedServer);
  const actions = useActions();
  const [menu, setMenu] = useState<ServerId | null>(null);
  const list = useRef<HTMLDivElement>(null);
  const id = useId();
  const { drag, handlers } = useRowDrag(list, ({ from, to }) => {
    const serverId = ids[from];
    if (serverId !== undefined) void actions.moveTo(serverId, to);
  });
  useFocusRequest('rail', null, true, () => list.current?.focus());

  const add = (): void => workspace.setState({ dialog: { type: 'addServer', pasted: '' } });

  function onKeyDown(event: KeyboardEvent): void {
    if (event.target !== list.current) return;
    const items = servers.getState().items ?? [];
    const at = items.findIndex((item) => item.id === selected);
    const item = items[at];
    const go = (index: number): void => {
      const target = items[Math.min(Math.max(0, index), items.length - 1)];
      if (target !== undefined) actions.select(target.id);
    };
    switch (event.key) {
      case 'ArrowDown':
        if (event.altKey && item !== undefined) void actions.move(item.id, 1);
        else go(at + 1);
        break;
      case 'ArrowUp':
        if (event.altKey && item !== undefined) void actions.move(item.id, -1);
        else go(at < 0 ? items.length - 1 : at - 1);
        break;
      case 'Home':
        go(0);
        break;
      case 'End':
        go(items.length - 1);
        break;
      case 'Enter':
        if (item !== undefined && !isOpen(item.connection.state)) void actions.connect(item.id);
        break;
      case 'F10':
        if (!event.shiftKey) return;
        if (item !== undefined) setMenu(item.id);
        break;
      case 'ContextMenu':
        if (item !== undefined) setMenu(item.id);
        break;
      case 'Delete':
        if (item !== undefined) workspace.setState({ dialog: { type: 'removeServer', serverId: item.id } });
        break;
      default:
        return;
    }
    event.preventDefault();
  }

  const onMenu = useCallback((serverId: ServerId, open: boolean): void => {
    setMenu(open ? serverId : null);
    if (!open) list.current?.focus();
  }, []);

  return (
    <nav className={classes.rail} aria-label="Servers">
      <div className={classes.head}>
        <span>Servers</span>
        <IconButton icon={IconPlus} label="Add a server" onClick={add} />
      </div>
      <div
        ref={list}
        className={classes.list}
        role="listbox"
        aria-label="Servers"
        tabIndex={0}
        aria-activedescendant={selected !== null && ids.includes(selected) ? `${id}-${selected}` : undefined}
        data-dragging={drag !== null || undefined}
        onKeyDown={onKeyDown}
        {...handlers}
      >
        {ids.map((serverId, index) => (
          <RailRow
            key={serverId}
            id={`${id}-${serverId}`}
            serverId={serverId}
            isSelected={serverId === selected}
            menuOpen={menu === serverId}
            dragged={drag?.from === index}
            // The line is where the row would be put.
            dropAt={
              drag?.to !== index || drag.from === index ? undefined : drag.from < index ? 'after' : 'before'
            }
            onMenu={onMenu}
            commands={commands}
          />
        ))}
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
