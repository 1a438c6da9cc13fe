import {
  Spotlight,
  type SpotlightActionData,
  type SpotlightActionGroupData,
  useSpotlight,
} from '@mantine/spotlight';
import {
  IconDeviceDesktop,
  IconDownload,
  IconFlask,
  IconKey,
  IconKeyboard,
  IconLayoutBottombar,
  IconList,
  IconLock,
  IconLockOpen,
  IconMoon,
  IconPencil,
  IconPlugConnected,
  IconPlugConnectedX,
  IconPlus,
  IconRefresh,
  IconMessageQuestion,
  IconSearch,
  IconStethoscope,
  IconSun,
  IconTerminal2,
  IconTool,
  IconTrash,
} from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import { useStore } from 'zustand';
import { useActions } from '../../model/workspace/actions';
import { isOpen } from '../../model/connection/connection';
import { useMode, useModel, useServerPart, useServers, useUi } from '../../model/workspace/context';
import { askInWords } from '../../model/inbox/inputRequest';
import { shortcutText } from '../../model/workspace/shortcuts';
import { StateGlyph, stateWord } from '../../widgets/status/ConnectionStatus';
import classes from './Palette.module.css';
import { paletteStore } from './paletteStore';

/** How many hits are drawn at most. */
const MOST = 60;

/** Everything one can go to or do, by typing a part of its name. Empty while closed: a server may have thousands of tools. */
export function Palette() {
  const { opened } = useSpotlight(paletteStore);
  const [filled, setFilled] = useState(false);
  if (opened && !filled) setFilled(true);
  const groups = [
    useInputActions(filled),
    useServerActions(filled),
    useSelectedActions(filled),
    useWindowActions(),
    useToolActions(filled),
  ];
  return (
    <Spotlight
      store={paletteStore}
      actions={groups.filter(({ actions }) => actions.length > 0)}
      shortcut={null}
      limit={MOST}
      highlightQuery
      scrollable
      maxHeight={420}
      size={560}
      overlayProps={{ blur: 0, backgroundOpacity: 0.35 }}
      transitionProps={{ duration: 100, transition: 'fade', onExited: () => setFilled(false) }}
      classNames={{
        search: classes.search,
        action: classes.action,
        actionSection: classes.section,
        actionsGroup: classes.group,
      }}
      nothingFound="Nothing with this name"
      searchProps={{
        leftSection: <IconSearch size={16} />,
        placeholder: 'Go to a server, tool or action',
        'aria-label': 'Command palette',
      }}
    />
  );
}

function useServerActions(filled: boolean): SpotlightActionGroupData {
  const items = useServers((state) => (filled ? state.items : undefined)) ?? [];
  const { select } = useActions();
  return {
    group: 'Servers',
    actions: items.map((item, i) => ({
      id: `server-${item.id}`,
      label: item.draft.name,
      keywords: stateWord(item.connection.state),
      leftSection: <StateGlyph state={item.connection.state} size={16} />,
      rightSection: (
        <span className={classes.right}>
          {stateWord(item.connection.state)}
          {i < 9 && <kbd>{shortcutText('server').replace('1…9', String(i + 1))}</kbd>}
        </span>
      ),
      onClick: () => select(item.id),
    })),
  };
}

function useSelectedActions(filled: boolean): SpotlightActionGroupData {
  const { workspace, authorizations } = useModel();
  const serverId = useUi((state) => (filled ? state.selectedServer : null));
  const server = useServerPart(serverId, (item) => item);
  const mode = useMode(serverId);
  const authorization = useStore(authorizations, (all) => (serverId === null ? undefined : all[serverId]));
  const does = useActions();
  const actions: SpotlightActionData[] = [];
  if (server !== undefined) {
    const { id, draft, connection } = server;
    if (isOpen(connection.state)) {
      actions.push({
        id: 'disconnect',
        label: `Disconnect ${draft.name}`,
        leftSection: <IconPlugConnectedX size={16} />,
        onClick: () => void does.disconnect(id),
      });
    } else {
      actions.push({
        id: 'connect',
        label: `Connect ${draft.name}`,
        leftSection: <IconPlugConnected size={16} />,
        onClick: () => void does.connect(id),
      });
    }
    const other = mode === 'explore' ? 'authorization' : 'explore';
    actions.push({
      id: 'mode',
      label: other === 'explore' ? `Explore ${draft.name}` : `Show the authorization of ${draft.name}`,
      keywords: 'mode oauth token login 401',
      leftSection: other === 'explore' ? <IconTool size={16} /> : <IconKey size={16} />,
      rightSection: <kbd>{shortcutText('mode')}</kbd>,
      onClick: () => does.show(id, other),
    });
    if (draft.transport.type === 'http' && draft.authorization?.mode !== 'off') {
      actions.push({
        id: 'authorize',
        label: `Authorize with ${draft.name}`,
        keywords: 'oauth token login',
        leftSection: <IconKey size={16} />,
        onClick: () => {
          does.show(id, 'authorization');
          void authorizations.start(id);
        },
      });
    }
    if (authorization?.data?.token?.hasRefresh === true) {
      actions.push({
        id: 'refresh-token',
        label: `Refresh the token of ${draft.name}`,
        keywords: 'oauth',
        leftSection: <IconRefresh size={16} />,
        onClick: () => {
          does.show(id, 'authorization');
          void authorizations.refreshToken(id);
        },
      });
    }
    actions.push(
      {
        id: 'restart',
        label: `Restart ${draft.name}`,
        leftSection: <IconRefresh size={16} />,
        onClick: () => void does.restart(id),
      },
      {
        id: 'doctor',
        label: `Diagnose the connection to ${draft.name}`,
        keywords: 'doctor',
        leftSection: <IconStethoscope size={16} />,
        onClick: () => workspace.setState({ dialog: { type: 'doctor', serverId: id } }),
      },
      {
        id: 'edit',
        label: `Edit ${draft.name}`,
        leftSection: <IconPencil size={16} />,
        onClick: () => workspace.setState({ dialog: { type: 'editServer', serverId: id } }),
      },
      {
        id: 'export',
        label: `Export ${draft.name}`,
        keywords: 'mcpServers JSON copy',
        leftSection: <IconDownload size={16} />,
        onClick: () => workspace.setState({ dialog: { type: 'exportServer', serverId: id } }),
      },
      {
        id: 'remove',
        label: `Remove ${draft.name}`,
        keywords: 'delete',
        leftSection: <IconTrash size={16} />,
        onClick: () => workspace.setState({ dialog: { type: 'removeServer', serverId: id } }),
      },
    );
  }
  return { group: 'Selected server', actions };
}

/** What servers ask of the user. */
function useInputActions(filled: boolean): SpotlightActionGroupData {
  const { inputs, workspace } = useModel();
  const items = useStore(inputs, (state) => (filled ? state.items : NONE));
  return {
    group: 'Inbox',
    actions: items.slice(0, MOST).map((item, i) => ({
      id: `input-${item.id}`,
      label: `Answer: ${askInWords(item)}`,
      keywords: `${item.method} inbox`,
      leftSection: <IconMessageQuestion size={16} />,
      rightSection: <span className={classes.right}>{i === 0 && <kbd>{shortcutText('inbox')}</kbd>}</span>,
      onClick: () => workspace.setState({ dialog: { type: 'input', inputId: item.id } }),
    })),
  };
}

const NONE: never[] = [];

function useToolActions(filled: boolean): SpotlightActionGroupData {
  const { ui, tools } = useModel();
  const { show } = useActions();
  const serverId = useUi((state) => (filled ? state.selectedServer : null));
  const isReady = useServerPart(serverId, (item) => item?.connection.state === 'ready');
  const rows = useStore(tools, (lists) => (serverId === null ? undefined : lists[serverId]?.rows));
  const actions = useMemo(() => {
    if (serverId === null || !isReady || rows === undefined) return [];
    return rows
      .filter(({ item }) => item.name !== '')
      .map(({ item }) => ({
        id: `tool-${item.index}`,
        label: item.name,
        keywords: item.title ?? undefined,
        leftSection: <IconTool size={16} />,
        rightSection: <span className={classes.right}>{item.title}</span>,
        onClick: () => {
          show(serverId, 'explore');
          ui.setState(({ selectedTools }) => ({
            exploreTab: 'tools',
            selectedTools: { ...selectedTools, [serverId]: `${item.index}:${item.name}` },
          }));
        },
      }));
  }, [ui, show, serverId, isReady, rows]);
  return { group: 'Tools', actions };
}

function useWindowActions(): SpotlightActionGroupData {
  const { ui, workspace, vault } = useModel();
  const hasPlain = useStore(vault, ({ plain }) => plain.length > 0);
  const hasDemo = useServers((state) => state.items?.some((item) => item.isDemo) ?? false);
  const does = useActions();
  const actions: SpotlightActionData[] = [
    {
      id: 'add',
      label: 'Add a server',
      leftSection: <IconPlus size={16} />,
      onClick: () => workspace.setState({ dialog: { type: 'addServer', pasted: '' } }),
    },
    {
      id: 'demo',
      label: hasDemo ? 'Connect the demo server' : 'Add the demo server',
      leftSection: <IconFlask size={16} />,
      onClick: () => void does.openDemo().catch(() => {}),
    },
    {
      id: 'traffic',
      label: 'Show traffic',
      leftSection: <IconList size={16} />,
      onClick: () => ui.setState({ dockOpen: true, dockTab: 'traffic' }),
    },
    {
      id: 'output',
      label: 'Show server output',
      leftSection: <IconTerminal2 size={16} />,
      onClick: () => ui.setState({ dockOpen: true, dockTab: 'output' }),
    },
    {
      id: 'dock',
      label: 'Show or hide the dock',
      leftSection: <IconLayoutBottombar size={16} />,
      rightSection: <kbd>{shortcutText('dock')}</kbd>,
      onClick: () => ui.setState(({ dockOpen }) => ({ dockOpen: !dockOpen })),
    },
    {
      id: 'vault',
      label: 'Vault: where secrets are kept',
      keywords: 'keychain passphrase unlock',
      leftSection: <IconLock size={16} />,
      onClick: () => workspace.setState({ vaultOpen: true }),
    },
    ...(hasPlain
      ? [
          {
            id: 'plain-secrets',
            label: 'Move readable secrets into the vault',
            keywords: 'plain text servers.json',
            leftSection: <IconLockOpen size={16} />,
            onClick: () => workspace.setState({ dialog: { type: 'plainSecrets' } }),
          },
        ]
      : []),
    {
      id: 'light',
      label: 'Light theme',
      leftSection: <IconSun size={16} />,
      onClick: () => ui.setState({ theme: 'light' }),
    },
    {
      id: 'dark',
      label: 'Dark theme',
      leftSection: <IconMoon size={16} />,
      onClick: () => ui.setState({ theme: 'dark' }),
    },
    {
      id: 'system',
      label: 'Theme like the system',
      leftSection: <IconDeviceDesktop size={16} />,
      onClick: () => ui.setState({ theme: 'system' }),
    },
    {
      id: 'shortcuts',
      label: 'All shortcuts',
      leftSection: <IconKeyboard size={16} />,
      rightSection: <kbd>{shortcutText('help')}</kbd>,
      onClick: () => workspace.setState({ dialog: { type: 'shortcuts' } }),
    },
  ];
  return { group: 'Window', actions };
}
