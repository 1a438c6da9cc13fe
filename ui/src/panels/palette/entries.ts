import {
  IconBook2,
  IconFile,
  IconMessage2,
  IconMessageQuestion,
  IconServer,
  IconTemplate,
  IconTool,
  type Icon,
} from '@tabler/icons-react';
import type { ServerId, ServerItem } from '../../contract/generated';
import { requestInWords } from '../../model/inbox/inputRequest';
import { initialView } from '../../model/lists/resources/resourceViews';
import type { ListRow } from '../../model/lists/serverList';
import { addressBeside, shownName } from '../../model/connection/serverName';
import { isAppOnly } from '../../model/tools/tools';
import type { Command, CommandContext, ServerCommand } from '../../model/workspace/commands';
import type { Model } from '../../model/workspace/context';
import type { GroupCommand } from '../../model/workspace/commands';
import { ownTitle } from '../../model/lists/titles';
import { serverWord } from '../../widgets/status/ConnectionStatus';
import { type PaletteEntry, type Source, sourceOf } from './search';

/** What the palette offers, made from the commands, the servers and their lists. */

/** The longest text that is searched and shown, in characters: names may have thousands. */
const MAX_TEXT = 200;
/** The most pending requests that are offered. */
const MAX_INPUTS = 20;

export function commandEntries(context: CommandContext, commands: readonly Command[]): PaletteEntry[] {
  return commands
    .filter(({ available }) => available?.(context.model) ?? true)
    .map(({ id, title, icon, keywords, kind, focus, run }) => ({
      id: `command ${id}`,
      label: typeof title === 'string' ? title : title(context.model),
      keywords: keywords ?? '',
      group: kind === undefined ? 'Actions' : `${kind}s`,
      kind: kind ?? 'Action',
      icon,
      more: null,
      owner: null,
      shortcut: { id },
      focus:
        focus === undefined
          ? null
          : { place: focus, serverId: focus === 'dock' ? null : context.model.ui.getState().selectedServer },
      run: () => void run(context, 0),
    }));
}

export function serverEntries(context: CommandContext, servers: readonly ServerItem[]): PaletteEntry[] {
  return servers.map((server, index) => ({
    id: `server ${server.id}`,
    label: shownName(server).slice(0, MAX_TEXT),
    keywords: `server ${addressBeside(server) ?? ''} ${serverWord(server)}`,
    group: 'Servers',
    kind: 'Server',
    icon: IconServer,
    more: serverWord(server),
    owner: null,
    shortcut: index < 9 ? { id: 'server', index } : null,
    focus: { place: 'rail', serverId: null },
    run: () => context.actions.select(server.id),
  }));
}

/** What can be done with a server. */
export function serverCommandEntries(
  context: CommandContext,
  server: ServerItem,
  commands: readonly ServerCommand[],
): PaletteEntry[] {
  return commands
    .filter(({ available }) => (available?.(server, context.model) ?? true) === true)
    .map(({ id, titleFor, icon, keywords, run }) => ({
      id: `${id} ${server.id}`,
      label: titleFor(shownName(server).slice(0, MAX_TEXT)),
      keywords: keywords ?? '',
      group: 'Actions',
      kind: 'Action',
      icon,
      more: null,
      owner: null,
      shortcut: { id },
      focus: null,
      run: () => run(context, server),
    }));
}

/** What can be done with groups of servers. */
export function groupEntries(
  context: CommandContext,
  groups: readonly string[],
  commands: readonly GroupCommand[],
): PaletteEntry[] {
  return groups.flatMap((group) =>
    commands
      .filter(({ available }) => (available?.(group, context.model) ?? true) === true)
      .map(({ id, titleFor, icon, keywords, run }) => ({
        id: `${id} ${group}`,
        label: titleFor(group.slice(0, MAX_TEXT)),
        keywords: keywords ?? '',
        group: 'Actions',
        kind: 'Action',
        icon,
        more: null,
        owner: null,
        shortcut: null,
        focus: null,
        run: () => run(context, group),
      })),
  );
}

/** Pending requests of servers. */
export function inputEntries({ inputs, workspace }: Model): PaletteEntry[] {
  return inputs
    .getState()
    .items.slice(0, MAX_INPUTS)
    .map((item, i) => ({
      id: `input ${item.id}`,
      label: `Answer: ${requestInWords(item)}`,
      keywords: `${item.method} inbox`,
      group: 'Inbox',
      kind: 'Request',
      icon: IconMessageQuestion,
      more: null,
      owner: null,
      shortcut: i === 0 ? { id: 'inbox' } : null,
      focus: null,
      run: () => workspace.setState({ openInput: item.id }),
    }));
}

/** A list of a server the palette searches. */
interface ListKind<T> {
  tab: 'tools' | 'resources' | 'prompts' | 'skills';
  kind: string;
  icon: Icon;
  /** Whether the palette offers it; without one, always. */
  isOffered?: (item: T) => boolean;
  /** What else it is found by. */
  wordsOf: (item: T) => (string | null)[];
  /** Selects it in its tab. */
  select: (model: Model, serverId: ServerId, item: T) => void;
}

interface Named {
  index: number;
  name: string;
}

/** The sources made of lists: those of a list are made once, and again when the list or the server's name changes. */
const made = new WeakMap<readonly unknown[], { serverName: string; source: Source }>();

function listSource<T extends Named>(
  context: CommandContext,
  server: ServerItem,
  rows: readonly ListRow<T>[],
  { tab, kind, icon, isOffered, wordsOf, select }: ListKind<T>,
): Source {
  const serverName = shownName(server).slice(0, MAX_TEXT);
  const known = made.get(rows);
  if (known !== undefined && known.serverName === serverName) return known.source;
  const source = sourceOf(
    rows
      .filter(({ item }) => isOffered?.(item) ?? true)
      .filter(({ item }) => item.name !== '' || wordsOf(item).some((word) => word !== null && word !== ''))
      .map(({ item }) => ({
        id: `${kind} ${server.id} ${item.name.slice(0, MAX_TEXT)}`,
        label: (item.name === '' ? (wordsOf(item)[0] ?? '') : item.name).slice(0, MAX_TEXT),
        keywords: [kind, ...wordsOf(item), serverName]
          .filter(Boolean)
          .map((word) => (word ?? '').slice(0, MAX_TEXT))
          .join(' '),
        group: `${kind}s of ${serverName}`,
        kind,
        icon,
        more:
          wordsOf(item)
            .find((word) => word !== null && word !== '')
            ?.slice(0, MAX_TEXT) ?? null,
        owner: serverName,
        shortcut: null,
        focus: { place: tab, serverId: server.id },
        run: () => {
          context.actions.show(server.id, 'explore');
          context.model.ui.setState({ exploreTab: tab });
          select(context.model, server.id, item);
        },
      })),
  );
  made.set(rows, { serverName, source });
  return source;
}

/** Everything the lists of a server contain that have been pulled. */
export function listSources(context: CommandContext, server: ServerItem): Source[] {
  const { tools, prompts, resources, resourceTemplates, skills } = context.model;
  const { id } = server;
  return [
    listSource(context, server, tools.getState()[id]?.rows ?? NONE, {
      tab: 'tools',
      kind: 'Tool',
      icon: IconTool,
      isOffered: (item) => !isAppOnly(item),
      wordsOf: ({ name, title }) => [ownTitle(name, title)],
      select: ({ ui }, serverId, { index, name }) =>
        ui.setState(({ selectedTools }) => ({
          selectedTools: { ...selectedTools, [serverId]: `${index}:${name}` },
        })),
    }),
    listSource(context, server, prompts.getState()[id]?.rows ?? NONE, {
      tab: 'prompts',
      kind: 'Prompt',
      icon: IconMessage2,
      wordsOf: ({ name, title }) => [ownTitle(name, title)],
      select: ({ promptViews }, serverId, { index, name }) =>
        promptViews.change(serverId, { selection: { name, index } }),
    }),
    listSource(context, server, resources.getState()[id]?.rows ?? NONE, {
      tab: 'resources',
      kind: 'Resource',
      icon: IconFile,
      wordsOf: ({ uri, title }) => [uri, title],
      select: ({ resourceViews }, serverId, { uri, index }) => {
        const { layout } = resourceViews.getState()[serverId] ?? initialView;
        if (layout === 'templates') resourceViews.change(serverId, { layout: 'tree' });
        resourceViews.select(serverId, { type: 'resource', uri, index });
      },
    }),
    listSource(context, server, resourceTemplates.getState()[id]?.rows ?? NONE, {
      tab: 'resources',
      kind: 'Template',
      icon: IconTemplate,
      wordsOf: ({ uriTemplate, title }) => [uriTemplate, title],
      select: ({ resourceViews }, serverId, { uriTemplate, index }) => {
        resourceViews.change(serverId, { layout: 'templates' });
        resourceViews.select(serverId, { type: 'template', uriTemplate, index });
      },
    }),
    listSource(context, server, skills.getState()[id]?.rows ?? NONE, {
      tab: 'skills',
      kind: 'Skill',
      icon: IconBook2,
      wordsOf: ({ description, uri }) => [description, uri],
      select: ({ skillViews }, serverId, { uri, index }) =>
        skillViews.change(serverId, { selection: { uri, index } }),
    }),
  ];
}

const NONE: never[] = [];
