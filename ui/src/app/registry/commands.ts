import {
  IconAppWindow,
  IconBaselineDensityLarge,
  IconBaselineDensityMedium,
  IconBaselineDensitySmall,
  IconContrast,
  IconDeviceDesktop,
  IconDownload,
  IconFileImport,
  IconFiles,
  IconFilter,
  IconFlask,
  IconFolderPlus,
  IconFolders,
  IconHelp,
  IconInbox,
  IconKeyboard,
  IconLayoutBottombar,
  IconLayoutNavbar,
  IconLayoutSidebarLeftExpand,
  IconLayoutSidebarRight,
  IconLayoutSidebarRightExpand,
  IconLock,
  IconLockOpen,
  IconMoon,
  IconPackage,
  IconPlugConnected,
  IconPlugConnectedX,
  IconPlus,
  IconSearch,
  IconServer,
  IconSettings,
  IconSparkles,
  IconSun,
  type Icon,
} from '@tabler/icons-react';
import type { ServerId, ServerItem } from '../../contract/generated';
import { addChosenFiles } from '../../model/servers/adding/dropped/droppedDialog';
import { waitingRuns } from '../../model/authorization/authorizations';
import { helpPageFor } from '../../model/workspace/helpPage';
import { affected, connectable } from '../../model/servers/groups/connectQueue';
import { commandError } from '../../model/store/errors';
import type { Command } from '../../model/workspace/commands';
import type { Model } from '../../model/workspace/context';
import type { Appearance } from '../../model/workspace/uiState/appearance';
import { isRoomy } from '../../model/workspace/useLayout';
import { EXPLORE_TABS } from '../../panels/explore/tabs/tabs';
import { palette } from '../../panels/palette/paletteStore';
import { SETTINGS_LIST, type SettingInfo } from '../../panels/settings/settingsList';
import { focusPane } from '../../widgets/focus/panes';
import { chosenEntry, usableEntries } from '../../widgets/layout/part';
import { DOCK_TABS } from './dockTabs';
import { MODES } from './modes';

/** What can be done with all servers: in the menu of their list, and in the palette. */
export const ALL_SERVERS: readonly Command[] = [
  {
    id: 'connect-all',
    title: 'Connect all servers',
    icon: IconPlugConnected,
    available: ({ servers }) => connectable(itemsOf(servers), idsOf(servers)).length > 0,
    run: ({ model: { servers }, actions }) => actions.connectMany(idsOf(servers)),
  },
  {
    id: 'disconnect-all',
    title: 'Disconnect all servers',
    icon: IconPlugConnectedX,
    available: ({ servers }) => affected(itemsOf(servers), idsOf(servers)).open.length > 0,
    run: ({ model: { servers }, actions }) =>
      actions.switchServers({ disconnect: idsOf(servers), connect: [] }),
  },
  {
    id: 'add-group',
    title: 'Add a group…',
    icon: IconFolderPlus,
    keywords: 'set profile several servers',
    available: ({ servers }) => itemsOf(servers).length > 0,
    run: ({ model }) => model.workspace.setState({ dialog: { type: 'group', group: null } }),
  },
];

/** Everything that can be done anywhere in the window, in the order of the palette. */
export const COMMANDS: readonly Command[] = [
  {
    id: 'palette',
    title: 'Command palette',
    icon: IconSearch,
    available: () => false,
    run: () => palette.toggle(),
  },
  {
    id: 'server',
    title: 'Go to a server',
    icon: IconServer,
    // The palette has each server by its name.
    available: () => false,
    run: ({ model, actions }, index) => {
      const item = model.servers.getState().items?.[index];
      if (item === undefined) return false;
      actions.select(item.id);
    },
  },
  {
    id: 'mode',
    title: 'Next server mode',
    icon: IconAppWindow,
    keywords: MODES.map(({ title }) => title).join(' '),
    available: (model) => {
      const server = selectedServer(model);
      return server !== undefined && usableEntries(MODES, server).length > 1;
    },
    run: ({ model, actions }) => {
      const server = selectedServer(model);
      if (server === undefined) return false;
      const usable = usableEntries(MODES, server);
      const now = chosenEntry(MODES, model.ui.getState().modes[server.id], server);
      const next = usable[(usable.findIndex(({ id }) => id === now?.id) + 1) % usable.length];
      if (next !== undefined) actions.show(server.id, next.id);
    },
  },
  {
    id: 'inbox',
    title: 'Answer the oldest request',
    icon: IconInbox,
    available: ({ inputs, authorizations, servers }) =>
      inputs.getState().items.length > 0 ||
      waitingRuns(authorizations.getState()).length > 0 ||
      waitsForConsent(servers) !== undefined,
    run: ({ model: { inputs, authorizations, servers, ui, workspace }, actions }) => {
      const withheld = waitsForConsent(servers);
      const [oldest] = inputs.getState().items;
      const [waiting] = waitingRuns(authorizations.getState());
      if (oldest !== undefined) {
        inputs.offer(oldest.id);
        workspace.setState({ openInput: oldest.id });
      } else if (waiting !== undefined) actions.show(waiting.serverId, 'authorization');
      else if (withheld !== undefined) {
        actions.show(withheld.id, 'explore');
        ui.setState({ exploreTab: 'roots' });
      } else return false;
    },
  },
  {
    id: 'filter',
    title: 'Focus the filter',
    icon: IconFilter,
    available: () => false,
    run: () => focusFilter(),
  },
  {
    id: 'pane',
    title: 'Next pane',
    icon: IconLayoutSidebarRightExpand,
    available: () => false,
    run: () => focusPane(1),
  },
  {
    id: 'paneBack',
    title: 'Previous pane',
    icon: IconLayoutSidebarLeftExpand,
    available: () => false,
    run: () => focusPane(-1),
  },
  {
    id: 'add',
    title: 'Add a server',
    icon: IconPlus,
    run: ({ model }) => model.workspace.setState({ dialog: { type: 'addServer', pasted: '' } }),
  },
  {
    id: 'add-bundle',
    title: 'Add a server from a bundle',
    icon: IconPackage,
    keywords: 'mcpb dxt file extension install',
    run: ({ model }) => model.workspace.setState({ dialog: { type: 'addBundle', bundle: null } }),
  },
  {
    id: 'add-registry',
    title: 'Add a server from server.json',
    icon: IconFileImport,
    keywords: 'mcp registry url npm pypi docker nuget package remote',
    run: ({ model }) => model.workspace.setState({ dialog: { type: 'addRegistry', source: null } }),
  },
  {
    id: 'import',
    title: 'Import servers from other hosts',
    icon: IconDownload,
    keywords: 'claude desktop code cursor windsurf cline vs zed codex goose gemini lm studio mcp.json',
    run: ({ model }) =>
      model.workspace.setState({ dialog: { type: 'importServers', source: { type: 'hosts' } } }),
  },
  {
    id: 'add-files',
    title: 'Add servers from files…',
    icon: IconFiles,
    keywords: 'open drop configuration bundle mcpb server.json toml yaml claude_desktop_config',
    run: ({ model }) => addChosenFiles(model.host, model.workspace),
  },
  {
    id: 'demo',
    title: ({ servers }) =>
      servers.getState().items?.some(({ isDemo }) => isDemo) === true
        ? 'Connect the demo server'
        : 'Add the demo server',
    icon: IconFlask,
    run: ({ model, actions }) =>
      void actions.openDemo().catch((thrown: unknown) =>
        model.workspace.setState({
          dialog: {
            type: 'failed',
            title: 'The demo server was not added',
            error: commandError(thrown),
          },
        }),
      ),
  },
  ...ALL_SERVERS,
  ...EXPLORE_TABS.map((tab): Command => ({
    id: `tab-${tab.id}`,
    title: tab.title,
    kind: 'Panel',
    icon: IconLayoutNavbar,
    keywords: 'show tab explore',
    focus: 'exploreTabs',
    available: (model) => {
      const server = selectedServer(model);
      return server?.connection.state === 'ready' && usableEntries([tab], server).length > 0;
    },
    run: ({ model, actions }) => {
      const server = selectedServer(model);
      if (server === undefined) return false;
      actions.show(server.id, 'explore');
      model.ui.setState({ exploreTab: tab.id });
    },
  })),
  ...DOCK_TABS.map(({ id, title, icon }): Command => ({
    id: `dock-${id}`,
    title: `Show ${title.toLowerCase()}`,
    kind: 'Panel',
    icon: icon ?? IconLayoutBottombar,
    focus: 'dock',
    run: ({ model }) => model.ui.setState({ dockOpen: true, dockTab: id }),
  })),
  {
    id: 'dock',
    title: 'Show or hide the dock',
    icon: IconLayoutBottombar,
    run: ({ model }) => model.ui.setState(({ dockOpen }) => ({ dockOpen: !dockOpen })),
  },
  {
    id: 'settings',
    title: 'Settings',
    kind: 'Setting',
    icon: IconSettings,
    keywords: 'preferences options appearance recording timeouts safety',
    run: ({ model }) => model.workspace.setState({ dialog: { type: 'settings' } }),
  },
  ...SETTINGS_LIST.filter((setting: SettingInfo) => setting.hasCommand !== true).map(
    ({ id, title, section, keywords }): Command => ({
      id: `setting-${id}`,
      title: `Settings: ${title}`,
      kind: 'Setting',
      icon: IconSettings,
      keywords: `${section} ${keywords}`,
      run: ({ model }) => model.workspace.setState({ dialog: { type: 'settings', search: title } }),
    }),
  ),
  {
    id: 'providers',
    title: 'Model providers',
    kind: 'Setting',
    icon: IconSparkles,
    keywords: 'llm sampling anthropic openai ollama key',
    run: ({ model }) => model.workspace.setState({ providersOpen: true }),
  },
  {
    id: 'root-sets',
    title: 'Shared root sets',
    kind: 'Setting',
    icon: IconFolders,
    keywords: 'folders several servers',
    run: ({ model }) => model.workspace.setState({ rootSetsOpen: true }),
  },
  {
    id: 'vault',
    title: 'Vault: where secrets are stored',
    kind: 'Setting',
    icon: IconLock,
    keywords: 'keychain passphrase unlock',
    run: ({ model }) => model.workspace.setState({ vaultOpen: true }),
  },
  {
    id: 'plain-secrets',
    title: 'Move plaintext secrets to the vault',
    kind: 'Setting',
    icon: IconLockOpen,
    keywords: 'readable servers.json',
    available: ({ vault }) => vault.getState().plain.length > 0,
    run: ({ model }) => model.workspace.setState({ dialog: { type: 'plainSecrets' } }),
  },
  {
    id: 'tool-context',
    title: 'Show or hide the tool definition',
    kind: 'Setting',
    icon: IconLayoutSidebarRight,
    keywords: 'schema column',
    run: ({ model }) => {
      const part = isRoomy() ? 'toolContextOpen' : 'toolContextInMiddle';
      model.ui.setState((state) => ({ [part]: !state[part] }));
    },
  },
  appearanceCommand('light', 'Light theme', IconSun, { theme: 'light' }),
  appearanceCommand('dark', 'Dark theme', IconMoon, { theme: 'dark' }),
  appearanceCommand('system', 'System theme', IconDeviceDesktop, { theme: 'system' }),
  appearanceCommand('high-contrast', 'High contrast', IconContrast, { contrast: 'high' }),
  appearanceCommand('system-contrast', 'System contrast', IconContrast, { contrast: 'system' }),
  appearanceCommand('compact', 'Compact rows', IconBaselineDensitySmall, { density: 'compact' }),
  appearanceCommand('normal', 'Normal rows', IconBaselineDensityMedium, { density: 'normal' }),
  appearanceCommand('comfortable', 'Comfortable rows', IconBaselineDensityLarge, { density: 'comfortable' }),
  {
    id: 'docs',
    title: 'Help',
    icon: IconHelp,
    keywords: 'documentation manual how to',
    run: ({ model }) => model.workspace.setState({ helpPage: helpPageFor(model) }),
  },
  {
    id: 'help',
    title: 'Keyboard shortcuts',
    icon: IconKeyboard,
    keywords: 'change keys bindings',
    run: ({ model: { workspace } }) => {
      if (workspace.getState().dialog !== null) return false;
      workspace.setState({ dialog: { type: 'shortcuts' } });
    },
  },
];

function itemsOf({ getState }: Model['servers']): readonly ServerItem[] {
  return getState().items ?? [];
}

function idsOf(servers: Model['servers']): ServerId[] {
  return itemsOf(servers).map(({ id }) => id);
}

/** A server that asked for its roots and got less until the user decides. */
function waitsForConsent({ getState }: Model['servers']): ServerItem | undefined {
  return getState().items?.find(({ withheldRoots }) => (withheldRoots ?? 0) > 0);
}

/** The selected server. */
export function selectedServer({ ui, servers }: Model): ServerItem | undefined {
  const { selectedServer: id } = ui.getState();
  return servers.getState().items?.find((server) => server.id === id);
}

function appearanceCommand(id: string, title: string, icon: Icon, chosen: Partial<Appearance>): Command {
  return {
    id,
    title,
    kind: 'Setting',
    icon,
    keywords: 'colours appearance density theme',
    run: ({ model }) => model.ui.setState(chosen),
  };
}

/** Focuses the filter of the pane that has the focus, otherwise the first one. */
function focusFilter(): boolean {
  const scope = document.activeElement?.closest('[data-filter-scope]') ?? document;
  const field = [scope, document]
    .flatMap((place) => [...place.querySelectorAll<HTMLInputElement>('input[data-filter]')])
    .find(isDisplayed);
  field?.focus();
  field?.select();
  return field !== undefined;
}

/** Whether neither an element nor what it is in is hidden: Explore is drawn behind the other modes. */
function isDisplayed(element: Element): boolean {
  if (getComputedStyle(element).display === 'none') return false;
  return element.parentElement === null || isDisplayed(element.parentElement);
}
