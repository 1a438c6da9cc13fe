import {
  IconArrowDown,
  IconArrowUp,
  IconPencil,
  IconPlugConnected,
  IconPlugConnectedX,
  IconSwitchHorizontal,
  IconTrash,
} from '@tabler/icons-react';
import type { ServerId, ServerItem } from '../../contract/generated';
import { affected, connectable } from '../../model/servers/groups/connectQueue';
import { serversOf } from '../../model/servers/groups/railRows';
import type { Availability } from '../../model/workspace/commands';
import type { GroupCommand } from '../../model/workspace/commands';

/** What can be done with a group of servers, in the order of its menu. */
export const GROUP_COMMANDS: readonly GroupCommand[] = [
  {
    id: 'group-connect',
    title: 'Connect',
    titleFor: (group) => `Connect group ${group}`,
    icon: IconPlugConnected,
    section: 'connection',
    available: (group, { servers }) => {
      const items = servers.getState().items ?? [];
      return enabledIf(connectable(items, idsOf(items, group)).length > 0, 'Nothing to connect.');
    },
    run: ({ model, actions }, group) => actions.connectMany(idsOf(model.servers.getState().items, group)),
  },
  {
    id: 'group-disconnect',
    title: 'Disconnect',
    titleFor: (group) => `Disconnect group ${group}`,
    icon: IconPlugConnectedX,
    section: 'connection',
    available: (group, { servers }) => {
      const items = servers.getState().items ?? [];
      return enabledIf(affected(items, idsOf(items, group)).open.length > 0, 'Nothing is connected.');
    },
    run: ({ model, actions }, group) =>
      actions.switchServers({ disconnect: idsOf(model.servers.getState().items, group), connect: [] }),
  },
  {
    id: 'group-switch',
    title: 'Switch to this group',
    titleFor: (group) => `Switch to group ${group}`,
    icon: IconSwitchHorizontal,
    keywords: 'only set profile connect these disconnect others',
    section: 'connection',
    available: (group, { servers }) =>
      enabledIf(idsOf(servers.getState().items, group).length > 0, 'The group has no servers.'),
    run: ({ model, actions }, group) => {
      const connect = idsOf(model.servers.getState().items, group);
      const wanted = new Set(connect);
      const others = (model.servers.getState().items ?? []).filter(({ id }) => !wanted.has(id));
      actions.switchServers({ disconnect: others.map(({ id }) => id), connect });
    },
  },
  {
    id: 'group-edit',
    title: 'Edit…',
    titleFor: (group) => `Edit group ${group}`,
    icon: IconPencil,
    keywords: 'rename servers members set profile',
    section: 'settings',
    run: ({ model }, group) => model.workspace.setState({ dialog: { type: 'group', group } }),
  },
  {
    id: 'group-up',
    title: 'Move up',
    titleFor: (group) => `Move group ${group} up`,
    icon: IconArrowUp,
    section: 'settings',
    available: (group, { servers }) =>
      enabledIf(servers.getState().groups.at(0) !== group, 'It is the first group.'),
    run: ({ actions }, group) => void actions.moveGroup(group, -1),
  },
  {
    id: 'group-down',
    title: 'Move down',
    titleFor: (group) => `Move group ${group} down`,
    icon: IconArrowDown,
    section: 'settings',
    available: (group, { servers }) =>
      enabledIf(servers.getState().groups.at(-1) !== group, 'It is the last group.'),
    run: ({ actions }, group) => void actions.moveGroup(group, 1),
  },
  {
    id: 'group-remove',
    title: 'Remove group…',
    titleFor: (group) => `Remove group ${group}`,
    icon: IconTrash,
    keywords: 'delete ungroup',
    section: 'danger',
    run: ({ model }, group) => model.workspace.setState({ dialog: { type: 'removeGroup', group } }),
  },
];

function idsOf(items: readonly ServerItem[] | undefined, group: string): ServerId[] {
  return serversOf(items ?? [], group).map(({ id }) => id);
}

function enabledIf(isEnabled: boolean, disabledReason: string): Availability {
  return isEnabled ? true : { disabledReason };
}
