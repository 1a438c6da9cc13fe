import { Menu, UnstyledButton } from '@mantine/core';
import {
  IconCheck,
  IconChevronDown,
  IconDeviceDesktop,
  IconHelp,
  IconKeyboard,
  IconMoon,
  IconSearch,
  IconSun,
  type Icon,
} from '@tabler/icons-react';
import { helpPageFor } from '../model/workspace/helpPage';
import { shownName } from '../model/connection/serverName';
import { useActions } from '../model/workspace/actions';
import { useModel, useServerName, useServerPart, useServers, useUi } from '../model/workspace/context';
import type { UiState } from '../model/workspace/uiState';
import { palette } from '../panels/palette/paletteStore';
import {
  EraBadge,
  StateGlyph,
  DisabledGlyph,
  isShownDisabled,
  serverWord,
} from '../widgets/status/ConnectionStatus';
import { IconButton } from '../widgets/controls/IconButton';
import { ShortcutKeys } from '../widgets/controls/ShortcutKeys';
import classes from './Shell.module.css';

/** Server switcher, protocol era of the selected connection, command palette, theme. */
export function TitleBar() {
  const model = useModel();
  const { workspace } = model;
  return (
    <header className={classes.title}>
      <div className={classes.side}>
        <Switcher />
        <SelectedEra />
      </div>
      <UnstyledButton className={classes.palette} onClick={() => palette.open()}>
        <IconSearch size={14} aria-hidden />
        <span className="pb-ellipsis">Go to anything</span>
        <ShortcutKeys id="palette" />
      </UnstyledButton>
      <div className={`${classes.side} ${classes.right}`}>
        <IconButton
          icon={IconKeyboard}
          label="Shortcuts"
          shortcut="help"
          onClick={() => workspace.setState({ dialog: { type: 'shortcuts' } })}
        />
        <IconButton
          icon={IconHelp}
          label="Help"
          shortcut="docs"
          onClick={() => workspace.setState({ helpPage: helpPageFor(model) })}
        />
        <ThemeMenu />
      </div>
    </header>
  );
}

/** A separate component, like the glyph below: a new state of the connection does not render the menus. */
function SelectedEra() {
  const serverId = useUi((state) => state.selectedServer);
  const era = useServerPart(serverId, (server) => server?.connection.era ?? null);
  const revision = useServerPart(serverId, (server) => server?.connection.revision ?? null);
  return (
    era !== null && (
      <span className={classes.era}>
        <EraBadge era={era} revision={revision} withRevision />
      </span>
    )
  );
}

function SelectedState() {
  const serverId = useUi((state) => state.selectedServer);
  const state = useServerPart(serverId, (server) => server?.connection.state);
  const isDisabled = useServerPart(serverId, (server) => server !== undefined && isShownDisabled(server));
  if (isDisabled) return <DisabledGlyph />;
  return state === undefined ? null : <StateGlyph state={state} />;
}

function Switcher() {
  const isEmpty = useServers(({ items }) => items === undefined || items.length === 0);
  const serverId = useUi((state) => state.selectedServer);
  const name = useServerName(serverId);
  if (isEmpty) return <strong style={{ padding: '0 8px' }}>Patchbay</strong>;
  return (
    <Menu position="bottom-start" width={280}>
      <Menu.Target>
        <UnstyledButton
          className={classes.switcher}
          aria-label={`${name ?? 'Choose a server'}: switch server`}
        >
          <SelectedState />
          <span className="pb-ellipsis">{name ?? 'Choose a server'}</span>
          <IconChevronDown size={14} style={{ flex: 'none' }} aria-hidden />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Choices />
      </Menu.Dropdown>
    </Menu>
  );
}

/** A separate component: mounted only while the menu is open. */
function Choices() {
  const items = useServers((state) => state.items) ?? [];
  const actions = useActions();
  return items.map((item, i) => (
    <Menu.Item
      key={item.id}
      leftSection={isShownDisabled(item) ? <DisabledGlyph /> : <StateGlyph state={item.connection.state} />}
      rightSection={i < 9 && <ShortcutKeys id="server" index={i} />}
      aria-label={`${shownName(item)}: ${serverWord(item)}`}
      onClick={() => actions.select(item.id)}
    >
      {shownName(item)}
    </Menu.Item>
  ));
}

const THEMES: readonly { value: UiState['theme']; label: string; icon: Icon }[] = [
  { value: 'system', label: 'System', icon: IconDeviceDesktop },
  { value: 'light', label: 'Light', icon: IconSun },
  { value: 'dark', label: 'Dark', icon: IconMoon },
];

function ThemeMenu() {
  const { ui } = useModel();
  const theme = useUi((state) => state.theme);
  const current = THEMES.find(({ value }) => value === theme);
  return (
    <Menu position="bottom-end" width={180}>
      <Menu.Target>
        <IconButton icon={current?.icon ?? IconDeviceDesktop} label="Theme" />
      </Menu.Target>
      <Menu.Dropdown>
        {THEMES.map(({ value, label, icon: Glyph }) => (
          <Menu.Item
            key={value}
            leftSection={<Glyph size={16} />}
            rightSection={value === theme && <IconCheck size={14} aria-label="chosen" />}
            onClick={() => ui.setState({ theme: value })}
          >
            {label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
