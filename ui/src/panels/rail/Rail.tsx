import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { type KeyboardEvent, useId, useRef, useState } from 'react';
import type { ServerItem } from '../../contract/generated/contract';
import { useActions } from '../../model/actions';
import { isOpen } from '../../model/connection';
import { useModel, useServers, useUi } from '../../model/context';
import { IconButton } from '../../widgets/IconButton';
import classes from './Rail.module.css';
import { RailRow } from './RailRow';

/** The servers and how they are. Arrows move, Enter connects, the menu key or a right click opens a row's menu. */
export function Rail() {
  const { workspace } = useModel();
  const items = useServers((state) => state.items) ?? [];
  const selected = useUi((state) => state.selectedServer);
  const actions = useActions();
  const [menu, setMenu] = useState<ServerItem['id'] | null>(null);
  const list = useRef<HTMLDivElement>(null);
  const id = useId();

  const add = (): void => workspace.setState({ dialog: { type: 'addServer', pasted: '' } });

  function onKeyDown(event: KeyboardEvent): void {
    if (event.target !== list.current) return;
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
        aria-activedescendant={items.some((item) => item.id === selected) ? `${id}-${selected}` : undefined}
        onKeyDown={onKeyDown}
      >
        {items.map((server) => (
          <RailRow
            key={server.id}
            id={`${id}-${server.id}`}
            server={server}
            isSelected={server.id === selected}
            menuOpen={menu === server.id}
            onMenu={(open) => {
              setMenu(open ? server.id : null);
              if (!open) list.current?.focus();
            }}
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
          Add server
        </Button>
      </div>
    </nav>
  );
}
