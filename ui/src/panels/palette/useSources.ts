import { useEffect, useMemo } from 'react';
import { useStore } from 'zustand';
import type { ServerItem } from '../../contract/generated';
import { shownName } from '../../model/connection/serverName';
import { useActions } from '../../model/workspace/actions';
import type { Command, CommandContext, ServerCommand } from '../../model/workspace/commands';
import { type Model, useModel, useServers, useUi } from '../../model/workspace/context';
import type { GroupCommand } from '../../model/workspace/commands';
import {
  commandEntries,
  groupEntries,
  inputEntries,
  listSources,
  serverCommandEntries,
  serverEntries,
} from './entries';
import { type Source, sourceOf } from './search';

interface Sources {
  sources: readonly Source[];
  /** What is still being listed, or is not whole, in a sentence; null if the lists are complete. */
  listing: string | null;
  /** Whether more may be found soon. */
  isListing: boolean;
}

const KINDS = ['tools', 'prompts', 'resources', 'resourceTemplates', 'skills'] as const;

/**
 * Everything the palette can find. `isSearching`: the user searches, which covers what connected servers offer: lists that
 * have not been requested yet are requested now.
 */
export function useSources(
  commands: readonly Command[],
  serverCommands: readonly ServerCommand[],
  groupCommands: readonly GroupCommand[],
  isSearching: boolean,
): Sources {
  const model = useModel();
  const actions = useActions();
  const context = useMemo<CommandContext>(() => ({ model, actions }), [model, actions]);
  // A text: a busy connection changes twenty times a second, its name and state hardly ever.
  const state = useServers(({ items }) =>
    JSON.stringify(
      items?.map((server) => [
        server.id,
        shownName(server),
        server.draft.disabled,
        server.draft.groups,
        server.connection.state,
        server.connection.connectionId,
      ]),
    ),
  );
  const selected = useUi(({ selectedServer }) => selectedServer);
  const groups = useServers((all) => all.groups);
  const lists = useLists(model);
  const servers = useMemo(() => inOrder(model, selected, state), [model, selected, state]);

  useEffect(() => {
    if (!isSearching) return;
    for (const { id, connection } of servers) {
      if (connection.state !== 'ready' || connection.connectionId === null) continue;
      for (const kind of KINDS) model[kind].ensure(id, connection.connectionId);
    }
  }, [model, servers, isSearching]);

  const actionSources = useMemo(() => {
    const [first] = servers;
    const ofSelected = first?.id === selected ? serverCommandEntries(context, first, serverCommands) : [];
    const ofOthers = servers
      .filter(({ id }) => id !== selected)
      .flatMap((server) => serverCommandEntries(context, server, serverCommands));
    const all = model.servers.getState().items ?? [];
    return {
      before: sourceOf([
        ...inputEntries(model),
        ...serverEntries(context, all),
        ...commandEntries(context, commands),
        ...ofSelected,
        ...groupEntries(context, groups, groupCommands),
      ]),
      // Last: of the servers that are not selected, what can be done with them is wanted least.
      after: sourceOf(ofOthers),
    };
  }, [context, model, servers, selected, groups, commands, serverCommands, groupCommands]);

  return useMemo(() => {
    const ready = servers.filter(({ connection }) => connection.state === 'ready');
    const sources = [
      actionSources.before,
      ...ready.flatMap((server) => listSources(context, server)),
      actionSources.after,
    ];
    return { sources, ...(isSearching ? listingOf(lists, ready) : NOTHING_LISTED) };
  }, [actionSources, context, servers, lists, isSearching]);
}

type Lists = ReturnType<typeof useLists>;

/** The lists of all servers, once more whenever one changes. */
function useLists({ tools, prompts, resources, resourceTemplates, skills }: Model) {
  const all = {
    tools: useStore(tools),
    prompts: useStore(prompts),
    resources: useStore(resources),
    resourceTemplates: useStore(resourceTemplates),
    skills: useStore(skills),
  };
  const { tools: a, prompts: b, resources: c, resourceTemplates: d, skills: e } = all;
  return useMemo(
    () => ({ tools: a, prompts: b, resources: c, resourceTemplates: d, skills: e }),
    [a, b, c, d, e],
  );
}

/** The servers, the selected one first. `_state` is what tells that they have changed. */
function inOrder({ servers }: Model, selected: string | null, _state: string): ServerItem[] {
  const items = servers.getState().items ?? [];
  return [...items.filter(({ id }) => id === selected), ...items.filter(({ id }) => id !== selected)];
}

type Listing = Pick<Sources, 'listing' | 'isListing'>;

const NOTHING_LISTED: Listing = { listing: null, isListing: false };

function listingOf(lists: Lists, ready: readonly ServerItem[]): Listing {
  const namesOf = (is: (list: Lists['tools'][ServerItem['id']] | undefined) => boolean): string[] =>
    ready
      .filter(({ id }) =>
        KINDS.some((kind) => is(lists[kind][id] as Lists['tools'][ServerItem['id']] | undefined)),
      )
      .map((server) => shownName(server).slice(0, 60));
  const loading = namesOf((list) => list === undefined || !list.known);
  if (loading.length > 0) return { listing: `Listing ${inShort(loading)}…`, isListing: true };
  // Lists that could not be pulled, and those of which pages were not requested.
  const inPart = namesOf((list) => list?.error !== null || list.hasMore);
  return inPart.length > 0 ? { listing: `Incomplete: ${inShort(inPart)}`, isListing: false } : NOTHING_LISTED;
}

function inShort(names: readonly string[]): string {
  const [first = ''] = names;
  return names.length === 1 ? first : `${first} and ${names.length - 1} more`;
}
