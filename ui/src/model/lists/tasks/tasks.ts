import type { ServerId, TaskItem } from '../../../contract/generated';
import type { Host } from '../../../host/host';
import { type ServerListStore, createServerList } from '../serverList';
import { commandError } from '../../store/errors';
import type { AppEvents } from '../../workspace/appEvents';

/** The tasks of all servers as last reported. Their results are exchanges (model/exchange). */
export type TasksStore = ServerListStore<TaskItem> & {
  /** Asks the server for the status of a task. */
  poll(serverId: ServerId, taskId: string): Promise<void>;
  /** Asks the server to cancel a task. */
  cancel(serverId: ServerId, taskId: string): Promise<void>;
};

export function createTasks(host: Host, events: AppEvents): TasksStore {
  const list = createServerList<TaskItem>(
    {
      pull: (params) => host.call('task_list', params),
      requestMore: (serverId, all) => host.call('list_more', { serverId, list: 'tasks', all }),
      cancel: (serverId) => host.call('list_cancel', { serverId, list: 'tasks' }),
      topic: 'tasks',
      idOf: ({ taskId }) => taskId,
      textOf: ({ taskId, tool, status, statusMessage }) =>
        [taskId, tool ?? '', status, statusMessage ?? ''].join('\n'),
    },
    events,
  );

  async function update(serverId: ServerId, taskId: string, before?: () => Promise<unknown>): Promise<void> {
    list.patch(serverId, { error: null });
    try {
      await before?.();
      list.put(serverId, await host.call('task_get', { serverId, taskId }));
    } catch (thrown) {
      list.patch(serverId, { error: commandError(thrown) });
    }
    list.patch(serverId, { known: true });
  }

  return Object.assign(list, {
    poll: (serverId: ServerId, taskId: string) => update(serverId, taskId),
    cancel: (serverId: ServerId, taskId: string) =>
      update(serverId, taskId, () => host.call('task_cancel', { serverId, taskId })),
  });
}

/** The shortest and the usual pause between two polls, in ms. */
const MIN_POLL_MS = 500;
const USUAL_POLL_MS = 2_000;
/** The longest pause, in ms: timers cannot count further than 24 days. */
const MAX_POLL_MS = 3_600_000;

/** The pause before the next poll of a task, in ms: the interval the server suggests, within limits. */
export function pollPause({ pollIntervalMs }: Pick<TaskItem, 'pollIntervalMs'>): number {
  if (pollIntervalMs === null || !Number.isFinite(pollIntervalMs)) return USUAL_POLL_MS;
  return Math.min(Math.max(pollIntervalMs, MIN_POLL_MS), MAX_POLL_MS);
}

/** When the server may delete a task, in ms since the Unix epoch; null if it does not say. */
export function expiresAt({ createdAt, ttlMs }: Pick<TaskItem, 'createdAt' | 'ttlMs'>): number | null {
  const created = createdAt === null ? Number.NaN : Date.parse(createdAt);
  const at = ttlMs === null ? Number.NaN : created + ttlMs;
  return Number.isFinite(at) ? at : null;
}
