import { createStore, type StoreApi } from 'zustand/vanilla';
import type { CommandError, ServerId, TaskItem } from '../../contract/generated';
import type { Host } from '../../host/host';
import type { AppEvents } from '../workspace/appEvents';
import { commandError } from '../store/errors';

/** The tasks of servers as last reported. Their results are exchanges (model/exchange). */

export interface TaskList {
  items: TaskItem[];
  nextCursor: string | null;
  supported: boolean;
  /** Whether the server lists its tasks; else these are those made here. */
  asked: boolean;
  /** The server told of a change since; it is asked again only when somebody wants it. */
  changed: boolean;
  loading: boolean;
  known: boolean;
  error: CommandError | null;
}

export const noTasks: TaskList = {
  items: [],
  nextCursor: null,
  supported: true,
  asked: false,
  changed: false,
  loading: false,
  known: false,
  error: null,
};

export type TasksStore = StoreApi<Record<ServerId, TaskList>> & {
  /** Lists them; `more`: goes on where the last page ended. */
  load(serverId: ServerId, more?: boolean): Promise<void>;
  /** Replaces a task of the list, or adds it. */
  put(serverId: ServerId, task: TaskItem): void;
  /** Asks the server for the status of a task. */
  poll(serverId: ServerId, taskId: string): Promise<void>;
  /** Asks the server to cancel one. */
  cancel(serverId: ServerId, taskId: string): Promise<void>;
};

export function createTasks(host: Host, events: AppEvents): TasksStore {
  const store = createStore<Record<ServerId, TaskList>>(() => ({}));

  function of(serverId: ServerId): TaskList {
    return store.getState()[serverId] ?? noTasks;
  }

  function set(serverId: ServerId, change: Partial<TaskList>): void {
    store.setState({ [serverId]: { ...of(serverId), ...change } });
  }

  function put(serverId: ServerId, task: TaskItem): void {
    const { items } = of(serverId);
    const known = items.some(({ taskId }) => taskId === task.taskId);
    set(serverId, {
      items: known ? items.map((each) => (each.taskId === task.taskId ? task : each)) : [...items, task],
    });
  }

  async function attempt(serverId: ServerId, command: () => Promise<void>): Promise<void> {
    set(serverId, { loading: true, error: null });
    try {
      await command();
    } catch (thrown) {
      set(serverId, { error: commandError(thrown) });
    }
    set(serverId, { loading: false, known: true });
  }

  const load = (serverId: ServerId, more = false): Promise<void> =>
    attempt(serverId, async () => {
      const before = of(serverId);
      const cursor = more ? before.nextCursor : null;
      const { items, ...page } = await host.call('task_list', { serverId, cursor });
      set(serverId, { ...page, items: more ? [...before.items, ...items] : items, changed: false });
    });

  const poll = (serverId: ServerId, taskId: string): Promise<void> =>
    attempt(serverId, async () => put(serverId, await host.call('task_get', { serverId, taskId })));

  const cancel = (serverId: ServerId, taskId: string): Promise<void> =>
    attempt(serverId, async () => {
      await host.call('task_cancel', { serverId, taskId });
      put(serverId, await host.call('task_get', { serverId, taskId }));
    });

  events.subscribe((event) => {
    if (event.type !== 'tasksChanged' || store.getState()[event.serverId] === undefined) return;
    // Those made here are known without asking anybody; a server is not asked by itself.
    if (of(event.serverId).asked) set(event.serverId, { changed: true });
    else void load(event.serverId);
  });

  return Object.assign(store, { load, put, poll, cancel });
}
