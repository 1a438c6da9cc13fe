import { ActionIcon, Menu } from '@mantine/core';
import {
  IconDots,
  IconFlask,
  IconHourglass,
  IconPlugConnected,
  IconPlugConnectedX,
  IconPower,
} from '@tabler/icons-react';
import { Fragment, type MouseEvent, memo, useEffect, useRef } from 'react';
import type { ServerId, ServerItem } from '../../contract/generated';
import { useActions } from '../../model/workspace/actions';
import type { ServerCommand } from '../../model/workspace/commands';
import { isOpen } from '../../model/connection/connection';
import { useModel, useServerName, useServerPart, useUi } from '../../model/workspace/context';
import { fileWatchInSentences, fileWatchLook } from '../../model/servers/fileWatch/fileWatchWords';
import { simulatedWords } from '../../model/servers/simulator';
import { formatCount } from '../../model/text/format';
import {
  DisabledGlyph,
  EraBadge,
  StateGlyph,
  isShownDisabled,
  serverWord,
  stateWord,
} from '../../widgets/status/ConnectionStatus';
import { IconButton } from '../../widgets/controls/IconButton';
import { ShortcutKeys } from '../../widgets/controls/ShortcutKeys';
import classes from './Rail.module.css';
import {
  Address,
  Name,
  ToolCount,
  TransportGlyph,
  ViolationButton,
  useToolCount,
  useTransportWord,
} from './RowFacts';

interface RailRowProps {
  id: string;
  /** Names the row: a server in several groups has several. */
  rowKey: string;
  serverId: ServerId;
  /** The group that it is shown in. */
  group: string | null;
  isSelected: boolean;
  /** Whether the keys are for this row. */
  isActive: boolean;
  onSelect: (rowKey: string) => void;
  menuOpen: boolean;
  /** Whether it is dragged to another place. */
  dragged: boolean;
  /** At which of its edges the dragged row would be put. */
  dropAt: 'before' | 'after' | undefined;
  onMenu: (rowKey: string, open: boolean) => void;
  commands: readonly ServerCommand[];
}

/** One server: its state, its counts and its actions. */
export const RailRow = memo(function RailRow({
  id,
  rowKey,
  serverId,
  group,
  isSelected,
  isActive,
  onSelect,
  menuOpen,
  dragged,
  dropAt,
  onMenu,
  commands,
}: RailRowProps) {
  const actions = useActions();
  const row = useRef<HTMLDivElement>(null);
  const name = useServerName(serverId) ?? '';
  const state = useServerPart(serverId, (server) => server?.connection.state ?? 'idle');
  const word = useServerPart(serverId, (server) => (server === undefined ? '' : serverWord(server)));
  const isDisabled = useServerPart(serverId, (server) => server !== undefined && isShownDisabled(server));
  const open = isOpen(state);
  const transport = useTransportWord(serverId);
  const tools = useToolCount(serverId);

  useEffect(() => {
    if (!isActive) return;
    // Just before the frame's layout: reading it now would force another one.
    const frame = requestAnimationFrame(() => row.current?.scrollIntoView({ block: 'nearest' }));
    return () => cancelAnimationFrame(frame);
  }, [isActive]);

  // Buttons of a row act on that row and leave the focus in the list.
  const stay = (event: MouseEvent): void => event.stopPropagation();
  const select = (): void => {
    onSelect(rowKey);
    actions.select(serverId);
  };

  return (
    // The list has the focus and handles the keys.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus
    <div
      ref={row}
      id={id}
      role="treeitem"
      aria-level={group === null ? 1 : 2}
      aria-selected={isSelected}
      aria-label={`${name}: ${word}, ${transport}${tools === null ? '' : `, ${tools === '1' ? '1 tool' : `${tools} tools`}`}`}
      className={classes.row}
      data-row
      data-active={isActive || undefined}
      data-disabled={isDisabled || undefined}
      data-grouped={group !== null || undefined}
      data-menu={menuOpen || undefined}
      data-dragged={dragged || undefined}
      data-drop={dropAt}
      onClick={select}
      onDoubleClick={() => !open && void actions.connect(serverId)}
      onContextMenu={(event) => {
        event.preventDefault();
        select();
        onMenu(rowKey, true);
      }}
    >
      <State serverId={serverId} />
      <TransportGlyph serverId={serverId} />
      <Name serverId={serverId} name={name} />
      <Address serverId={serverId} />
      <Counts serverId={serverId} />
      {/* oxlint-disable-next-line jsx-a11y/no-static-element-interactions, jsx-a11y/click-events-have-key-events */}
      <span className={classes.actions} onClick={stay} onDoubleClick={stay}>
        {isDisabled ? (
          <IconButton
            icon={IconPower}
            label={`Enable ${name}`}
            tabIndex={-1}
            onClick={() => void actions.setDisabled(serverId, false)}
          />
        ) : open ? (
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
        <RowMenu
          rowKey={rowKey}
          serverId={serverId}
          name={name}
          menuOpen={menuOpen}
          onMenu={onMenu}
          commands={commands}
        />
      </span>
    </div>
  );
});

interface RowMenuProps extends Pick<
  RailRowProps,
  'rowKey' | 'serverId' | 'menuOpen' | 'onMenu' | 'commands'
> {
  name: string;
}

/** Renders when it opens or closes, not with each state of the connection. */
const RowMenu = memo(function RowMenu(props: RowMenuProps) {
  const { rowKey, serverId, name, menuOpen, onMenu, commands } = props;
  return (
    <Menu
      opened={menuOpen}
      onChange={(next) => onMenu(rowKey, next)}
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
        <RowActions serverId={serverId} commands={commands} />
      </Menu.Dropdown>
    </Menu>
  );
});

const SECTIONS = ['connection', 'settings', 'danger'] as const;

/** A separate component, mounted only while the menu is open. */
function RowActions({ serverId, commands }: Pick<RailRowProps, 'serverId' | 'commands'>) {
  const model = useModel();
  const actions = useActions();
  const server = useServerPart(serverId, (item) => item);
  // Keys are for the selected server.
  const isSelected = useUi((state) => state.selectedServer === serverId);
  if (server === undefined) return null;
  return SECTIONS.map((section, i) => (
    <Fragment key={section}>
      {i > 0 && <Menu.Divider />}
      {commands
        .filter((command) => command.section === section)
        .map(({ id, title, icon: Glyph, available, run }) => {
          const availability = available?.(server, model) ?? true;
          if (availability === 'hidden') return null;
          return (
            <Menu.Item
              key={id}
              leftSection={<Glyph size={16} />}
              c={section === 'danger' ? 'var(--pb-error)' : undefined}
              rightSection={isSelected && <ShortcutKeys id={id} />}
              disabled={availability !== true}
              onClick={() => run({ model, actions }, server)}
            >
              {title}
            </Menu.Item>
          );
        })}
    </Fragment>
  ));
}

function State({ serverId }: { serverId: ServerId }) {
  const state = useServerPart(serverId, (server) => server?.connection.state ?? 'idle');
  const tip = useServerPart(serverId, (server) => (server === undefined ? '' : stateInWords(server)));
  const isDisabled = useServerPart(serverId, (server) => server !== undefined && isShownDisabled(server));
  return (
    <span style={{ display: 'inline-flex' }} data-tip={tip} data-tip-side="right">
      {isDisabled ? <DisabledGlyph /> : <StateGlyph state={state} />}
    </span>
  );
}

/** A separate component: it changes with every record of a busy connection. */
function Counts({ serverId }: { serverId: ServerId }) {
  const pending = useServerPart(serverId, (server) => server?.connection.pendingCount ?? 0);
  const era = useServerPart(serverId, (server) => server?.connection.era ?? null);
  const revision = useServerPart(serverId, (server) => server?.connection.revision ?? null);
  const access = useServerPart(serverId, accessOf);
  const simulated = useServerPart(serverId, (server) => server?.simulated);
  const { workspace } = useModel();
  return (
    <span className={classes.facts}>
      {simulated !== undefined && (
        <button
          type="button"
          tabIndex={-1}
          className={`${classes.count} ${classes.simulated}`}
          data-tip={`The simulator answers ${simulatedWords(simulated)}. Click to change it.`}
          aria-label={`Simulated: ${simulatedWords(simulated)}`}
          onClick={() => workspace.setState({ dialog: { type: 'simulator', serverId } })}
        >
          <IconFlask size={12} aria-hidden />
          simulated
        </button>
      )}
      <FileWatchSign serverId={serverId} />
      {access === 'authorizing' && (
        <span className={`${classes.count} ${classes.access}`} data-tip="The server requires a token">
          authorizing
        </span>
      )}
      {access === 'refused' && (
        <span
          className={`${classes.count} ${classes.refused}`}
          data-tip="HTTP 401: the token is missing or was rejected"
        >
          401
        </span>
      )}
      {pending > 0 && (
        <span
          className={`${classes.count} ${classes.pending}`}
          data-tip={formatCount(pending, 'pending request', 'pending requests')}
        >
          <IconHourglass size={12} />
          {pending}
        </span>
      )}
      <ViolationButton serverId={serverId} />
      <ToolCount serverId={serverId} />
      {era !== null && (
        <span className={classes.era}>
          <EraBadge era={era} revision={revision} />
        </span>
      )}
    </span>
  );
}

/** What the watching of files has come to, if it is worth a look. */
function FileWatchSign({ serverId }: { serverId: ServerId }) {
  const sign = useServerPart(
    serverId,
    (server) => server?.fileWatch && fileWatchLook(server.fileWatch.state).sign,
  );
  const tip = useServerPart(
    serverId,
    (server) => server?.fileWatch && fileWatchInSentences(server.fileWatch),
  );
  if (sign === undefined || sign === null) return null;
  return (
    <span
      className={`${classes.count} ${sign === 'building' ? classes.access : classes.refused}`}
      data-tip={tip}
    >
      {sign}
    </span>
  );
}

/** Whether the server refuses access. */
function accessOf(server: ServerItem | undefined): 'authorizing' | 'refused' | null {
  if (server?.connection.state === 'authorizing') return 'authorizing';
  const isRefused = server?.connection.state === 'failed' && server.connection.failure?.httpStatus === 401;
  return isRefused ? 'refused' : null;
}

function stateInWords(server: ServerItem): string {
  if (isShownDisabled(server)) return 'Disabled: nothing connects it until you enable it.';
  const state = connectionInWords(server);
  if (server.fileWatch === undefined) return state;
  return `${state}${state.endsWith('.') ? '' : '.'} ${fileWatchInSentences(server.fileWatch)}`;
}

function connectionInWords({ connection, automatic }: ServerItem): string {
  const state = stateWord(connection.state);
  const next = automatic?.type === 'waiting' ? ' Reconnects automatically.' : '';
  if (connection.state === 'failed' && connection.failure !== null)
    return `${state}: ${connection.failure.cause}${next}`;
  if (connection.server === null || connection.state !== 'ready') return state;
  const { name, version } = connection.server;
  return `${state}: ${name}${version === null ? '' : ` ${version}`}`;
}
