import { type StoreApi, createStore } from 'zustand/vanilla';
import type {
  ChangedToolItem,
  CommandError,
  DefinitionMemory,
  ServerId,
  ToolDefinitionsGetResponse,
} from '../../contract/generated';
import type { Host } from '../../host/host';
import { commandError } from '../store/errors';
import { serverLoads } from '../store/serverLoads';
import type { AppEvents } from '../workspace/appEvents';

/** The most pages of changed tools that are pulled; a page holds 2,000. */
const MAX_PAGES = 50;

/** The tools of one server whose definitions differ from the remembered ones. */
export interface Definitions {
  memory: DefinitionMemory;
  changed: number;
  added: number;
  removed: number;
  /** In the order of the list, the removed ones last. */
  tools: readonly ChangedToolItem[];
  byName: ReadonlyMap<string, ChangedToolItem>;
  /** Names what was listed; null before the first listing. */
  listing: string | null;
  /** Why the last command failed. */
  error: CommandError | null;
}

export const NO_DEFINITIONS: Definitions = {
  memory: { type: 'nothing' },
  changed: 0,
  added: 0,
  removed: 0,
  tools: [],
  byName: new Map(),
  listing: null,
  error: null,
};

export type DefinitionsStore = StoreApi<Record<ServerId, Definitions>> & {
  /** Pulls what changed, now and whenever the engine reports it. */
  load(serverId: ServerId): Promise<void>;
  /** Accepts these tools, or all, as `listing` names them. Resolves to whether that succeeded. */
  accept(serverId: ServerId, names: string[] | null, listing: string): Promise<boolean>;
};

export function createDefinitions(host: Host, events: AppEvents): DefinitionsStore {
  const store = createStore<Record<ServerId, Definitions>>(() => ({}));
  const patch = (serverId: ServerId, part: Partial<Definitions>): void =>
    store.setState((all) => ({ [serverId]: { ...(all[serverId] ?? NO_DEFINITIONS), ...part } }));

  async function pull(serverId: ServerId): Promise<Partial<Definitions>> {
    const tools: ChangedToolItem[] = [];
    let cursor: string | null = null;
    for (let page = 1; ; page += 1) {
      // Each page names the next one.
      // oxlint-disable-next-line no-await-in-loop
      const found: ToolDefinitionsGetResponse = await host.call('tool_definitions_get', { serverId, cursor });
      tools.push(...found.tools);
      cursor = found.nextCursor;
      if (cursor !== null && page < MAX_PAGES) continue;
      const { memory, changed, added, removed, listing } = found;
      const byName = new Map(tools.map((tool) => [tool.name, tool]));
      return { memory, changed, added, removed, listing, tools, byName, error: null };
    }
  }

  const load = serverLoads(events, 'toolDefinitions', pull, patch);

  return Object.assign(store, {
    load,
    async accept(serverId: ServerId, names: string[] | null, listing: string): Promise<boolean> {
      try {
        await host.call('tool_definitions_accept', { serverId, names, listing });
      } catch (thrown) {
        patch(serverId, { error: commandError(thrown) });
        return false;
      }
      await load(serverId);
      return true;
    },
  });
}

/** What changed, as a sentence; null if nothing did. */
export function changesInWords({
  memory,
  changed,
  added,
  removed,
}: Pick<Definitions, 'memory' | 'changed' | 'added' | 'removed'>): string | null {
  if (memory.type === 'damaged') return 'The remembered tool definitions cannot be read.';
  const counts = [
    { count: changed, verb: 'changed' },
    { count: added, verb: 'added' },
    { count: removed, verb: 'removed' },
  ].filter(({ count }) => count > 0);
  if (counts.length === 0) return null;
  const words = counts.map(({ count, verb }, at) =>
    at === 0 ? `${count} ${count === 1 ? 'tool' : 'tools'} ${verb}` : `${count} ${verb}`,
  );
  const since =
    memory.type === 'remembered' && memory.acceptedAtMs === null
      ? 'since they were first listed'
      : 'since you accepted them';
  return `${words.join(', ')} ${since}.`;
}
