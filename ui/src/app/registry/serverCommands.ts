import {
  IconArrowDown,
  IconArrowUp,
  IconCopy,
  IconDownload,
  IconEye,
  IconEyeOff,
  IconFileText,
  IconFlask,
  IconFolder,
  IconGavel,
  IconHammer,
  IconHistory,
  IconKey,
  IconPencil,
  IconPlugConnected,
  IconPlugConnectedX,
  IconPower,
  IconRefresh,
  IconStethoscope,
  IconTerminal,
  IconTrash,
} from '@tabler/icons-react';
import type { ServerItem } from '../../contract/generated';
import { isOpen } from '../../model/connection/connection';
import { peersOf } from '../../model/servers/groups/railRows';
import type { Availability, ServerCommand } from '../../model/workspace/commands';

/** What can be done with a server, in the order of its menu. */
export const SERVER_COMMANDS: readonly ServerCommand[] = [
  {
    id: 'disconnect',
    title: 'Disconnect',
    titleFor: (name) => `Disconnect ${name}`,
    icon: IconPlugConnectedX,
    section: 'connection',
    available: ({ connection }) => shownIf(isOpen(connection.state)),
    run: ({ actions }, { id }) => void actions.disconnect(id),
  },
  {
    id: 'connect',
    title: 'Connect',
    titleFor: (name) => `Connect ${name}`,
    icon: IconPlugConnected,
    section: 'connection',
    available: ({ connection, draft }) => shownIf(!isOpen(connection.state) && !draft.disabled),
    run: ({ actions }, { id }) => void actions.connect(id),
  },
  {
    id: 'enable',
    title: 'Enable',
    titleFor: (name) => `Enable ${name}`,
    icon: IconPower,
    keywords: 'disabled on',
    section: 'connection',
    available: ({ draft }) => shownIf(draft.disabled === true),
    run: ({ actions }, { id }) => void actions.setDisabled(id, false),
  },
  {
    id: 'restart',
    title: 'Restart',
    titleFor: (name) => `Restart ${name}`,
    icon: IconRefresh,
    section: 'connection',
    available: ({ draft }) => shownIf(!draft.disabled),
    run: ({ actions }, { id }) => void actions.restart(id),
  },
  {
    id: 'file-watch-restart',
    title: 'Build and restart',
    titleFor: (name) => `Build and restart ${name}`,
    icon: IconHammer,
    keywords: 'watch files change reload',
    section: 'connection',
    available: ({ fileWatch, draft }) =>
      shownIf(
        fileWatch !== undefined && fileWatch.state.type !== 'stopped' && draft.fileWatch?.build !== undefined,
      ),
    run: ({ actions }, { id }) => void actions.fileWatch(id, 'restart'),
  },
  {
    id: 'file-watch-show',
    title: 'Show the last build',
    titleFor: (name) => `Show the last build of ${name}`,
    icon: IconFileText,
    keywords: 'watch files change output failed',
    section: 'connection',
    available: ({ fileWatch, draft }) =>
      shownIf(fileWatch !== undefined && draft.fileWatch?.build !== undefined),
    run: ({ model, actions }, { id }) => {
      model.ui.setState({ exploreTab: 'info' });
      actions.show(id, 'explore');
    },
  },
  {
    id: 'file-watch-stop',
    title: 'Stop watching files',
    titleFor: (name) => `Stop watching the files of ${name}`,
    icon: IconEyeOff,
    keywords: 'restart change reload',
    section: 'connection',
    available: ({ fileWatch }) => shownIf(fileWatch !== undefined && fileWatch.state.type !== 'stopped'),
    run: ({ actions }, { id }) => void actions.fileWatch(id, 'stop'),
  },
  {
    id: 'file-watch-start',
    title: 'Watch files again',
    titleFor: (name) => `Watch the files of ${name} again`,
    icon: IconEye,
    keywords: 'restart change reload',
    section: 'connection',
    available: ({ fileWatch }) => shownIf(fileWatch?.state.type === 'stopped'),
    run: ({ actions }, { id }) => void actions.fileWatch(id, 'start'),
  },
  {
    id: 'diagnose',
    title: 'Diagnose…',
    titleFor: (name) => `Diagnose the connection to ${name}`,
    icon: IconStethoscope,
    keywords: 'doctor',
    section: 'connection',
    available: ({ draft }) => shownIf(!draft.disabled),
    run: ({ model }, { id }) => model.workspace.setState({ dialog: { type: 'doctor', serverId: id } }),
  },
  {
    id: 'terminal',
    title: 'Open in terminal',
    titleFor: (name) => `Open ${name} in a terminal`,
    icon: IconTerminal,
    keywords: 'shell console run command environment PATH folder',
    section: 'connection',
    available: (server) => shownIf(!isHttp(server)),
    run: ({ actions }, { id }) => void actions.openTerminal(id),
  },
  {
    id: 'server-changes',
    title: 'Show changes…',
    titleFor: (name) => `Show what changed on ${name}`,
    icon: IconHistory,
    keywords: 'difference version tools added removed since',
    section: 'connection',
    run: ({ model }, { id }) => model.workspace.setState({ dialog: { type: 'serverChanges', serverId: id } }),
  },
  {
    id: 'authorize',
    title: 'Authorize',
    titleFor: (name) => `Authorize with ${name}`,
    icon: IconKey,
    keywords: 'oauth token login',
    available: (server) =>
      shownIf(isHttp(server) && !server.draft.disabled && server.draft.authorization?.mode !== 'off'),
    run: ({ model, actions }, { id }) => {
      actions.show(id, 'authorization');
      void model.authorizations.start(id);
    },
  },
  {
    id: 'refresh-token',
    title: 'Refresh token',
    titleFor: (name) => `Refresh the token of ${name}`,
    icon: IconRefresh,
    keywords: 'oauth',
    available: ({ id }, { authorizations }) =>
      shownIf(authorizations.getState()[id]?.data?.token?.hasRefresh === true),
    run: ({ model, actions }, { id }) => {
      actions.show(id, 'authorization');
      void model.authorizations.refreshToken(id);
    },
  },
  {
    id: 'edit',
    title: 'Edit…',
    titleFor: (name) => `Edit ${name}`,
    icon: IconPencil,
    section: 'settings',
    run: ({ model }, { id }) => model.workspace.setState({ dialog: { type: 'editServer', serverId: id } }),
  },
  {
    id: 'sampling-rules',
    title: 'Sampling rules…',
    titleFor: (name) => `Sampling rules for ${name}`,
    icon: IconGavel,
    keywords: 'model approve always never',
    section: 'settings',
    run: ({ model }, { id }) => model.workspace.setState({ dialog: { type: 'samplingRules', serverId: id } }),
  },
  {
    id: 'simulator',
    title: 'Simulator…',
    titleFor: (name) => `Simulate answers to ${name}`,
    icon: IconFlask,
    keywords: 'simulator sampling elicitation roots automatic decline cancel time out invalid script',
    section: 'settings',
    run: ({ model }, { id }) => model.workspace.setState({ dialog: { type: 'simulator', serverId: id } }),
  },
  {
    id: 'duplicate',
    title: 'Duplicate',
    titleFor: (name) => `Duplicate ${name}`,
    icon: IconCopy,
    section: 'settings',
    available: ({ isDemo }) => shownIf(!isDemo),
    run: ({ actions }, { id }) => void actions.duplicate(id),
  },
  {
    id: 'groups',
    title: 'Groups…',
    titleFor: (name) => `Choose the groups of ${name}`,
    icon: IconFolder,
    keywords: 'set profile move',
    section: 'settings',
    run: ({ model }, { id }) => model.workspace.setState({ dialog: { type: 'serverGroups', serverId: id } }),
  },
  {
    id: 'export',
    title: 'Export…',
    titleFor: (name) => `Export ${name}`,
    icon: IconDownload,
    keywords: 'mcpServers JSON copy',
    section: 'settings',
    run: ({ model }, { id }) => model.workspace.setState({ dialog: { type: 'exportServer', serverId: id } }),
  },
  {
    id: 'move-up',
    title: 'Move up',
    titleFor: (name) => `Move ${name} up`,
    icon: IconArrowUp,
    section: 'settings',
    available: ({ id }, { servers }) =>
      peersOf(servers.getState().items ?? [], id).at(0)?.id === id
        ? { disabledReason: 'It is the first server.' }
        : true,
    run: ({ actions }, { id }) => void actions.move(id, -1),
  },
  {
    id: 'move-down',
    title: 'Move down',
    titleFor: (name) => `Move ${name} down`,
    icon: IconArrowDown,
    section: 'settings',
    available: ({ id }, { servers }) =>
      peersOf(servers.getState().items ?? [], id).at(-1)?.id === id
        ? { disabledReason: 'It is the last server.' }
        : true,
    run: ({ actions }, { id }) => void actions.move(id, 1),
  },
  {
    id: 'disable',
    title: 'Disable',
    titleFor: (name) => `Disable ${name}`,
    icon: IconPower,
    keywords: 'off never connect',
    section: 'settings',
    available: ({ draft }) => shownIf(!draft.disabled),
    run: ({ actions }, { id }) => void actions.setDisabled(id, true),
  },
  {
    id: 'remove',
    title: 'Remove…',
    titleFor: (name) => `Remove ${name}`,
    icon: IconTrash,
    keywords: 'delete',
    section: 'danger',
    run: ({ model }, { id }) => model.workspace.setState({ dialog: { type: 'removeServer', serverId: id } }),
  },
];

function shownIf(isShown: boolean): Availability {
  return isShown ? true : 'hidden';
}

function isHttp({ draft }: ServerItem): boolean {
  return draft.transport.type === 'http';
}
