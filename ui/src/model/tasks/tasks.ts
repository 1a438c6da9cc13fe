import { createStore, type StoreApi } from 'zustand/vanilla';
import type { CommandError, ExchangeOutcome, ServerId, TaskItem } from '../../contract/generated/contract';
import type { Host, StreamHandle } from '../../host/host';
import type { AppEvents } from '../workspace/appEvents';
import { commandError } from '../store/errors';

/** Tasks of servers, as last heard of, and the results that were fetched. */

/** Waiting for a task's result, and what came. */
export interface TaskResult {
  /** None while it is waited for. */
  outcome: ExchangeOutcome | null;
  durationMs: number | null;
}

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
  /** By task id. */
  results: Record<string, TaskResult>;
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
  results: {},
};

export type TasksStore = StoreApi<Record<ServerId, TaskList>> & {
  /** Lists them; `more`: goes on where the last page ended. */
  load(serverId: ServerId, more?: boolean): Promise<void>;
  /** Asks how one stands. */
  poll(serverId: ServerId, taskId: string): Promise<void>;
  /** Asks the server to cancel one. */
  cancel(serverId: ServerId, taskId: string): Promise<void>;
  /** Waits for the result of one; it comes into the store. */
  fetchResult(serverId: ServerId, taskId: string): void;
  /** Waits no longer. */
  stopWaiting(serverId: ServerId, taskId: string): void;
};

export function createTasks(host: Host, events: AppEvents): TasksStore {
  const store = createStore<Record<ServerId, TaskList>>(() => ({}));
  const waiting = new Map<string, StreamHandle>();

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

  function setResult(serverId: ServerId, taskId: string, result: TaskResult | undefined): void {
    const { [taskId]: _, ...others } = of(serverId).results;
    set(serverId, { results: result === undefined ? others : { ...others, [taskId]: result } });
  }

  function fetchResult(serverId: ServerId, taskId: string): void {
    const key = `${serverId}\n${taskId}`;
    waiting.get(key)?.close();
    setResult(serverId, taskId, { outcome: null, durationMs: null });
    const handle = host.openStream(
      'task_result',
      { serverId, taskId },
      {
        onEvent: (event) => {
          if (event.type === 'task') put(serverId, event.task);
          else if (event.type === 'finished') {
            setResult(serverId, taskId, { outcome: event.outcome, durationMs: event.durationMs });
          }
        },
        onEnd: (error) => {
          waiting.delete(key);
          if (of(serverId).results[taskId]?.outcome !== null) return;
          const message = error?.message ?? 'The engine ended it without saying how.';
          setResult(serverId, taskId, { outcome: { type: 'notSent', message }, durationMs: null });
        },
      },
    );
    waiting.set(key, handle);
  }

  function stopWaiting(serverId: ServerId, taskId: string): void {
    const key = `${serverId}\n${taskId}`;
    waiting.get(key)?.close();
    waiting.delete(key);
    setResult(serverId, taskId, undefined);
  }

  events.subscribe((event) => {
    if (event.type !== 'tasksChanged' || store.getState()[event.serverId] === undefined) return;
    // Those made here are known without asking anybody; a server is not asked by itself.
    if (of(event.serverId).asked) set(event.serverId, { changed: true });
    else void load(event.serverId);
  });

  return Object.assign(store, { load, poll, cancel, fetchResult, stopWaiting });
}
