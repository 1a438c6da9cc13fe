import { type StoreApi, createStore } from 'zustand/vanilla';
import type {
  ChangedItem,
  CommandError,
  FactChangeItem,
  ListChanges,
  ListKind,
  ServerChangesGetResponse,
  ServerFact,
  ServerId,
} from '../../contract/generated';
import type { Host } from '../../host/host';
import { commandError } from '../store/errors';
import { serverLoads } from '../store/serverLoads';
import { formatCount, formatDateTime } from '../text/format';
import type { AppEvents } from '../workspace/appEvents';

/** The most pages of changed items that are pulled; a page holds 2,000. */
const MAX_PAGES = 50;

/** What changed on a server since it was last connected, or since its changes were marked as seen. */
export interface ServerChanges {
  sinceAtMs: number | null;
  /** When this was pulled. */
  atMs: number;
  facts: readonly FactChangeItem[];
  lists: readonly ListChanges[];
  items: readonly ChangedItem[];
  /** Names these changes. */
  token: string;
  /** Why the last command failed. */
  error: CommandError | null;
}

export const NO_CHANGES: ServerChanges = {
  sinceAtMs: null,
  atMs: 0,
  facts: [],
  lists: [],
  items: [],
  token: '',
  error: null,
};

export type ServerChangesStore = StoreApi<Record<ServerId, ServerChanges>> & {
  /** Pulls what changed, now and whenever the engine reports it. */
  load(serverId: ServerId): Promise<void>;
  /** Marks the changes with this token as seen. Resolves to whether that succeeded. */
  markSeen(serverId: ServerId, token: string): Promise<boolean>;
};

export function createServerChanges(host: Host, events: AppEvents): ServerChangesStore {
  const store = createStore<Record<ServerId, ServerChanges>>(() => ({}));
  const patch = (serverId: ServerId, part: Partial<ServerChanges>): void =>
    store.setState((all) => ({ [serverId]: { ...(all[serverId] ?? NO_CHANGES), ...part } }));

  async function pull(serverId: ServerId): Promise<ServerChanges> {
    const items: ChangedItem[] = [];
    let cursor: string | null = null;
    for (let page = 1; ; page += 1) {
      // Each page names the next one.
      // oxlint-disable-next-line no-await-in-loop
      const found: ServerChangesGetResponse = await host.call('server_changes_get', { serverId, cursor });
      items.push(...found.items);
      cursor = found.nextCursor;
      if (cursor !== null && page < MAX_PAGES) continue;
      const { sinceAtMs, facts, lists, token } = found;
      return { sinceAtMs, atMs: Date.now(), facts, lists, items, token, error: null };
    }
  }

  const load = serverLoads(events, 'serverChanges', pull, patch);

  return Object.assign(store, {
    load,
    async markSeen(serverId: ServerId, token: string): Promise<boolean> {
      try {
        await host.call('server_changes_seen', { serverId, token });
      } catch (thrown) {
        patch(serverId, { error: commandError(thrown) });
        await load(serverId);
        return false;
      }
      await load(serverId);
      return true;
    },
  });
}

/** The parts of a server's description of itself, for people. */
export const FACTS: Record<ServerFact, string> = {
  name: 'Name',
  title: 'Title',
  version: 'Version',
  revision: 'Protocol revision',
  capabilities: 'Capabilities',
  instructions: 'Instructions',
};

/** The lists of a server: one item and several. */
export const LISTS: Record<ListKind, { one: string; many: string }> = {
  tools: { one: 'tool', many: 'tools' },
  resources: { one: 'resource', many: 'resources' },
  resourceTemplates: { one: 'resource template', many: 'resource templates' },
  prompts: { one: 'prompt', many: 'prompts' },
  skills: { one: 'skill', many: 'skills' },
  tasks: { one: 'task', many: 'tasks' },
};

/** The longest value that is shown in the sentence. */
const MAX_VALUE = 24;

/** What changed, as a sentence; null if nothing did. `without`: a list that is told about elsewhere. */
export function serverChangesInWords(
  { sinceAtMs, atMs, facts, lists }: Pick<ServerChanges, 'sinceAtMs' | 'atMs' | 'facts' | 'lists'>,
  without: ListKind | null = null,
): string | null {
  const counted = lists.filter(({ list }) => list !== without).flatMap(countedList);
  const parts = [...facts.map(factInWords), ...counted];
  if (parts.length === 0) return null;
  const since = sinceAtMs === null ? 'the last connection' : dateInWords(sinceAtMs, atMs);
  return `Since ${since}: ${parts.join(', ')}.`;
}

function factInWords({ fact, before, after }: FactChangeItem): string {
  const name = FACTS[fact].toLowerCase();
  const isShort = (value: string | null): value is string => value !== null && value.length <= MAX_VALUE;
  const says = fact !== 'capabilities' && fact !== 'instructions';
  if (says && isShort(before) && isShort(after)) return `${name} ${before} → ${after}`;
  return `${name} changed`;
}

function countedList({ list, changed, added, removed }: ListChanges): string[] {
  const { one, many } = LISTS[list];
  return [
    { count: changed, verb: 'changed' },
    { count: added, verb: 'added' },
    { count: removed, verb: 'removed' },
  ]
    .filter(({ count }) => count > 0)
    .map(({ count, verb }, at) =>
      at === 0 ? `${formatCount(count, one, many)} ${verb}` : `${formatCount(count)} ${verb}`,
    );
}

/** A time of today, or a date. */
function dateInWords(atMs: number, nowMs: number): string {
  const [day = '', time = ''] = formatDateTime(atMs).split(' ');
  return formatDateTime(nowMs).startsWith(day) ? time.slice(0, 5) : day;
}
