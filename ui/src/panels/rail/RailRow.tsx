import { ActionIcon, Menu } from '@mantine/core';
import {
  IconAlertTriangle,
  IconArrowDown,
  IconArrowUp,
  IconCopy,
  IconDots,
  IconDownload,
  IconHourglass,
  IconKey,
  IconPencil,
  IconPlugConnected,
  IconPlugConnectedX,
  IconRefresh,
  IconStethoscope,
  IconTrash,
} from '@tabler/icons-react';
import { type MouseEvent, memo, useEffect, useRef } from 'react';
import type { ServerId, ServerItem } from '../../contract/generated/contract';
import { useActions } from '../../model/workspace/actions';
import { isOpen } from '../../model/connection/connection';
import { useModel, useServerName, useServerPart, useServers } from '../../model/workspace/context';
import { formatCount } from '../../model/text/format';
import { EraBadge, StateGlyph, stateWord } from '../../widgets/status/ConnectionStatus';
import { IconButton } from '../../widgets/controls/IconButton';
import classes from './Rail.module.css';

interface RailRowProps {
  id: string;
  serverId: ServerId;
  isSelected: boolean;
  menuOpen: boolean;
  onMenu: (serverId: ServerId, open: boolean) => void;
}

/** One server: how it is, and what can be done with it. */
export const RailRow = memo(function RailRow({ id, serverId, isSelected, menuOpen, onMenu }: RailRowProps) {
  const actions = useActions();
  const row = useRef<HTMLDivElement>(null);
  const name = useServerName(serverId) ?? '';
  const state = useServerPart(serverId, (server) => server?.connection.state ?? 'idle');
  const open = isOpen(state);

  useEffect(() => {
    if (!isSelected) return;
    // Just before the frame is laid out anyway.
    const frame = requestAnimationFrame(() => row.current?.scrollIntoView({ block: 'nearest' }));
    return () => cancelAnimationFrame(frame);
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
      aria-label={`${name}: ${stateWord(state)}`}
      className={classes.row}
      data-menu={menuOpen || undefined}
      onClick={() => actions.select(serverId)}
      onDoubleClick={() => !open && void actions.connect(serverId)}
      onContextMenu={(event) => {
        event.preventDefault();
        actions.select(serverId);
        onMenu(serverId, true);
      }}
    >
      <State serverId={serverId} />
      <span className={`${classes.name} pb-ellipsis`}>{name}</span>
      <Counts serverId={serverId} />
      {/* oxlint-disable-next-line jsx-a11y/no-static-element-interactions, jsx-a11y/click-events-have-key-events */}
      <span className={classes.actions} onClick={stay} onDoubleClick={stay}>
        {open ? (
          <IconButton
            icon={IconPlugConnectedX}
            label={`Disconnect ${name}`}
            tabIndex={-1}
            onClick={() => void actions.disconnect(serverId)}
          />
        ) : (
          <IconButton
            icon={IconPlugConnected}
            label={`Connect ${name}`}
            tabIndex={-1}
            onClick={() => void actions.connect(serverId)}
          />
        )}
        <RowMenu serverId={serverId} name={name} menuOpen={menuOpen} onMenu={onMenu} />
      </span>
    </div>
  );
});

interface RowMenuProps extends Pick<RailRowProps, 'serverId' | 'menuOpen' | 'onMenu'> {
  name: string;
}

/** Drawn anew only when it opens or closes, not with each state of the connection. */
const RowMenu = memo(function RowMenu({ serverId, name, menuOpen, onMenu }: RowMenuProps) {
  return (
    <Menu
      opened={menuOpen}
      onChange={(next) => onMenu(serverId, next)}
      position="right-start"
      width={200}
      returnFocus={false}
    >
      <Menu.Target>
        <ActionIcon aria-label={`Actions for ${name}`} tabIndex={-1}>
          <IconDots size={16} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <RowActions serverId={serverId} />
      </Menu.Dropdown>
    </Menu>
  );
});

/** Apart, because they are there only while the menu is open. */
function RowActions({ serverId }: { serverId: ServerId }) {
  const { workspace } = useModel();
  const actions = useActions();
  const open = useServerPart(serverId, (server) => server !== undefined && isOpen(server.connection.state));
  const isDemo = useServerPart(serverId, (server) => server?.isDemo ?? false);
  const isHttp = useServerPart(serverId, (server) => server?.draft.transport.type === 'http');
  const isFirst = useServers(({ items }) => items?.at(0)?.id === serverId);
  const isLast = useServers(({ items }) => items?.at(-1)?.id === serverId);
  return (
    <>
      {open ? (
        <Menu.Item
          leftSection={<IconPlugConnectedX size={16} />}
          onClick={() => void actions.disconnect(serverId)}
        >
          Disconnect
        </Menu.Item>
      ) : (
        <Menu.Item
          leftSection={<IconPlugConnected size={16} />}
          onClick={() => void actions.connect(serverId)}
        >
          Connect
        </Menu.Item>
      )}
      <Menu.Item leftSection={<IconRefresh size={16} />} onClick={() => void actions.restart(serverId)}>
        Restart
      </Menu.Item>
      <Menu.Item
        leftSection={<IconStethoscope size={16} />}
        onClick={() => workspace.setState({ dialog: { type: 'doctor', serverId } })}
      >
        Diagnose …
      </Menu.Item>
      {isHttp && (
        <Menu.Item
          leftSection={<IconKey size={16} />}
          onClick={() => actions.show(serverId, 'authorization')}
        >
          Authorization
        </Menu.Item>
      )}
      <Menu.Divider />
      <Menu.Item
        leftSection={<IconPencil size={16} />}
        onClick={() => workspace.setState({ dialog: { type: 'editServer', serverId: serverId } })}
      >
        Edit …
      </Menu.Item>
      {!isDemo && (
        <Menu.Item leftSection={<IconCopy size={16} />} onClick={() => void actions.duplicate(serverId)}>
          Duplicate
        </Menu.Item>
      )}
      <Menu.Item
        leftSection={<IconDownload size={16} />}
        onClick={() => workspace.setState({ dialog: { type: 'exportServer', serverId: serverId } })}
      >
        Export …
      </Menu.Item>
      <Menu.Item
        leftSection={<IconArrowUp size={16} />}
        disabled={isFirst}
        onClick={() => void actions.move(serverId, -1)}
      >
        Move up
      </Menu.Item>
      <Menu.Item
        leftSection={<IconArrowDown size={16} />}
        disabled={isLast}
        onClick={() => void actions.move(serverId, 1)}
      >
        Move down
      </Menu.Item>
      <Menu.Divider />
      <Menu.Item
        c="var(--pb-error)"
        leftSection={<IconTrash size={16} />}
        onClick={() => workspace.setState({ dialog: { type: 'removeServer', serverId: serverId } })}
      >
        Remove …
      </Menu.Item>
    </>
  );
}

function State({ serverId }: { serverId: ServerId }) {
  const state = useServerPart(serverId, (server) => server?.connection.state ?? 'idle');
  const tip = useServerPart(serverId, (server) => (server === undefined ? '' : stateInWords(server)));
  return (
    <span style={{ display: 'inline-flex' }} data-tip={tip} data-tip-side="right">
      <StateGlyph state={state} />
    </span>
  );
}

/** Apart, because they change with every record of a busy connection. */
function Counts({ serverId }: { serverId: ServerId }) {
  const pending = useServerPart(serverId, (server) => server?.connection.pendingCount ?? 0);
  const problems = useServerPart(serverId, (server) => server?.connection.problemCount ?? 0);
  const era = useServerPart(serverId, (server) => server?.connection.era ?? null);
  const revision = useServerPart(serverId, (server) => server?.connection.revision ?? null);
  const access = useServerPart(serverId, accessOf);
  return (
    <span className={classes.facts}>
      {access === 'authorizing' && (
        <span className={`${classes.count} ${classes.access}`} data-tip="The server wants a token">
          authorizing
        </span>
      )}
      {access === 'refused' && (
        <span
          className={`${classes.count} ${classes.refused}`}
          data-tip="HTTP 401: the server wants a token, and there is none it takes"
        >
          401
        </span>
      )}
      {pending > 0 && (
        <span
          className={`${classes.count} ${classes.pending}`}
          data-tip={formatCount(pending, 'request waits for an answer', 'requests wait for an answer')}
        >
          <IconHourglass size={12} />
          {pending}
        </span>
      )}
      {problems > 0 && (
        <span
          className={`${classes.count} ${classes.problems}`}
          data-tip={formatCount(
            problems,
            'violation of the specification',
            'violations of the specification',
          )}
        >
          <IconAlertTriangle size={12} />
          {problems}
        </span>
      )}
      {era !== null && <EraBadge era={era} revision={revision} />}
    </span>
  );
}

/** Whether a server lets us in, where that is the question. */
function accessOf(server: ServerItem | undefined): 'authorizing' | 'refused' | null {
  if (server?.connection.state === 'authorizing') return 'authorizing';
  const isRefused = server?.connection.state === 'failed' && server.connection.failure?.httpStatus === 401;
  return isRefused ? 'refused' : null;
}

function stateInWords({ connection }: ServerItem): string {
  const state = stateWord(connection.state);
  if (connection.state === 'failed' && connection.failure !== null)
    return `${state}: ${connection.failure.cause}`;
  if (connection.server === null || connection.state !== 'ready') return state;
  const { name, version } = connection.server;
  return `${state}: ${name}${version === null ? '' : ` ${version}`}`;
}
