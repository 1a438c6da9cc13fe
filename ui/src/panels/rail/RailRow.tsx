import { ActionIcon, Menu, Tooltip } from '@mantine/core';
import {
  IconAlertTriangle,
  IconArrowDown,
  IconArrowUp,
  IconCopy,
  IconDots,
  IconDownload,
  IconHourglass,
  IconPencil,
  IconPlugConnected,
  IconPlugConnectedX,
  IconRefresh,
  IconTrash,
} from '@tabler/icons-react';
import { type MouseEvent, useEffect, useRef } from 'react';
import type { ServerItem } from '../../contract/generated/contract';
import { useActions } from '../../model/actions';
import { isOpen } from '../../model/connection';
import { useModel } from '../../model/context';
import { EraBadge, StateGlyph, stateWord } from '../../widgets/ConnectionStatus';
import { IconButton } from '../../widgets/IconButton';
import classes from './Rail.module.css';

interface RailRowProps {
  id: string;
  server: ServerItem;
  isSelected: boolean;
  menuOpen: boolean;
  onMenu: (open: boolean) => void;
}

/** One server: how it is, and what can be done with it. */
export function RailRow({ id, server, isSelected, menuOpen, onMenu }: RailRowProps) {
  const { workspace } = useModel();
  const actions = useActions();
  const row = useRef<HTMLDivElement>(null);
  const { connection, draft } = server;
  const open = isOpen(connection.state);

  useEffect(() => {
    if (isSelected) row.current?.scrollIntoView({ block: 'nearest' });
  }, [isSelected]);

  // Buttons in a row act on that row; they do not take the focus from the list.
  const stay = (event: MouseEvent): void => event.stopPropagation();

  return (
    // The list holds the focus and takes the keys.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus
    <div
      ref={row}
      id={id}
      role="option"
      aria-selected={isSelected}
      aria-label={`${draft.name}: ${stateWord(connection.state)}`}
      className={classes.row}
      data-menu={menuOpen || undefined}
      onClick={() => actions.select(server.id)}
      onDoubleClick={() => !open && void actions.connect(server.id)}
      onContextMenu={(event) => {
        event.preventDefault();
        actions.select(server.id);
        onMenu(true);
      }}
    >
      <Tooltip label={tooltip(server)} position="right" multiline maw={360}>
        <span style={{ display: 'inline-flex' }}>
          <StateGlyph state={connection.state} />
        </span>
      </Tooltip>
      <span className={`${classes.name} pb-ellipsis`}>{draft.name}</span>
      <span className={classes.facts}>
        {connection.pendingCount > 0 && (
          <Tooltip label={`${connection.pendingCount} requests wait for an answer`}>
            <span className={`${classes.count} ${classes.pending}`}>
              <IconHourglass size={12} />
              {connection.pendingCount}
            </span>
          </Tooltip>
        )}
        {connection.problemCount > 0 && (
          <Tooltip label={`${connection.problemCount} violations of the specification`}>
            <span className={`${classes.count} ${classes.problems}`}>
              <IconAlertTriangle size={12} />
              {connection.problemCount}
            </span>
          </Tooltip>
        )}
        {connection.era !== null && <EraBadge era={connection.era} revision={connection.revision} />}
      </span>
      {/* oxlint-disable-next-line jsx-a11y/no-static-element-interactions, jsx-a11y/click-events-have-key-events */}
      <span className={classes.actions} onClick={stay} onDoubleClick={stay}>
        {open ? (
          <IconButton
            icon={IconPlugConnectedX}
            label={`Disconnect ${draft.name}`}
            tabIndex={-1}
            onClick={() => void actions.disconnect(server.id)}
          />
        ) : (
          <IconButton
            icon={IconPlugConnected}
            label={`Connect ${draft.name}`}
            tabIndex={-1}
            onClick={() => void actions.connect(server.id)}
          />
        )}
        <Menu opened={menuOpen} onChange={onMenu} position="right-start" width={200} returnFocus={false}>
          <Menu.Target>
            <ActionIcon aria-label={`Actions for ${draft.name}`} tabIndex={-1}>
              <IconDots size={16} />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            {open ? (
              <Menu.Item
                leftSection={<IconPlugConnectedX size={16} />}
                onClick={() => void actions.disconnect(server.id)}
              >
                Disconnect
              </Menu.Item>
            ) : (
              <Menu.Item
                leftSection={<IconPlugConnected size={16} />}
                onClick={() => void actions.connect(server.id)}
              >
                Connect
              </Menu.Item>
            )}
            <Menu.Item
              leftSection={<IconRefresh size={16} />}
              onClick={() => void actions.restart(server.id)}
            >
              Restart
            </Menu.Item>
            <Menu.Divider />
            <Menu.Item
              leftSection={<IconPencil size={16} />}
              onClick={() => workspace.setState({ dialog: { type: 'editServer', serverId: server.id } })}
            >
              Edit …
            </Menu.Item>
            {!server.isDemo && (
              <Menu.Item
                leftSection={<IconCopy size={16} />}
                onClick={() => void actions.duplicate(server.id)}
              >
                Duplicate
              </Menu.Item>
            )}
            <Menu.Item
              leftSection={<IconDownload size={16} />}
              onClick={() => workspace.setState({ dialog: { type: 'exportServer', serverId: server.id } })}
            >
              Export …
            </Menu.Item>
            <Menu.Item
              leftSection={<IconArrowUp size={16} />}
              onClick={() => void actions.move(server.id, -1)}
            >
              Move up
            </Menu.Item>
            <Menu.Item
              leftSection={<IconArrowDown size={16} />}
              onClick={() => void actions.move(server.id, 1)}
            >
              Move down
            </Menu.Item>
            <Menu.Divider />
            <Menu.Item
              c="var(--pb-error)"
              leftSection={<IconTrash size={16} />}
              onClick={() => workspace.setState({ dialog: { type: 'removeServer', serverId: server.id } })}
            >
              Remove …
            </Menu.Item>
          </Menu.Dropdown>
        </Menu>
      </span>
    </div>
  );
}

function tooltip({ connection }: ServerItem): string {
  const state = stateWord(connection.state);
  if (connection.state === 'failed' && connection.failure !== null)
    return `${state}: ${connection.failure.cause}`;
  if (connection.server === null || connection.state !== 'ready') return state;
  const { name, version } = connection.server;
  return `${state}: ${name}${version === null ? '' : ` ${version}`}`;
}
