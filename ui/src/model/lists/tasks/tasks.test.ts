import { describe, expect, it } from 'vitest';
import type { ServerId, TaskItem, TaskListResponse, ViolationItem } from '../../../contract/generated';
import { CommandFailure } from '../../../host/host';
import { Link } from '../../../host/link';
import { ScriptedHost } from '../../../host/scripted';
import { createAppEvents } from '../../workspace/appEvents';
import { createTasks, expiresAt, pollPause } from './tasks';

const SERVER = 's' as ServerId;
const task = (taskId: string, status = 'working'): TaskItem => ({
  taskId,
  status,
  isFinal: status === 'completed',
  progress: null,
  statusMessage: null,
  createdAt: null,
  lastUpdatedAt: null,
  ttlMs: null,
  pollIntervalMs: null,
  tool: null,
  seq: null,
  violations: [],
});

function setUp(change: Partial<TaskListResponse> = {}) {
  const host = new ScriptedHost({
    task_list: ({ cursor }) => ({
      items: cursor === null ? [task('a'), task('b')] : [task('c')],
      nextCursor: cursor === null ? 'next' : null,
      total: 3,
      pages: 1,
      hasMore: false,
      supported: true,
      stale: null,
      freshness: null,
      violations: [],
      revision: 0,
      ...change,
    }),
    list_more: () => ({ total: 3, hasMore: false }),
    task_get: ({ taskId }) => task(taskId, 'completed'),
    task_cancel: () => new CommandFailure({ code: 'serverError', message: 'Not allowed.', detail: null }),
  });
  const tasks = createTasks(host, createAppEvents(host, new Link()));
  const count = (name: string): number => host.calls.filter((call) => call.name === name).length;
  return { host, tasks, count, list: () => tasks.getState()[SERVER]! };
}

describe('createTasks', () => {
  it('lists page by page and puts what it hears in its place', async () => {
    const { tasks, list } = setUp();
    await tasks.load(SERVER, true);
    expect(list().rows.map(({ item }) => item.taskId)).toEqual(['a', 'b', 'c']);
    expect(list().nextCursor).toBeNull();
    await tasks.poll(SERVER, 'b');
    expect(list().rows.map(({ item }) => item.status)).toEqual(['working', 'completed', 'working']);
  });

  it('pulls what is known, without asking the server, when it reports a change', async () => {
    const { host, tasks, list } = setUp();
    await tasks.load(SERVER, true);
    host.stream('app_watch').emit({ topic: 'tasks', serverId: SERVER, revision: 1 });
    const refreshed = (): boolean[] =>
      host.calls.flatMap((call) =>
        call.name === 'task_list' ? [(call.params as { refresh: boolean }).refresh] : [],
      );
    // Each time two pages, of which only the first is requested from the server.
    await expect.poll(refreshed).toEqual([true, false, false, false]);
    expect(list().stale).toBeNull();
  });

  it('says what the engine says about the list, and requests its further pages', async () => {
    const violations: ViolationItem[] = [
      { rule: 'list-endless', severity: 'warning', message: 'There are more pages.', pointer: null },
    ];
    const { host, tasks, list } = setUp({ violations, hasMore: true, revision: 4 });
    await tasks.load(SERVER, true);
    expect(list()).toMatchObject({ total: 3, pages: 1, hasMore: true, violations, revision: 4 });
    await tasks.requestMore(SERVER, true);
    const more = host.calls.filter(({ name }) => name === 'list_more').map(({ params }) => params);
    expect(more).toEqual([{ serverId: SERVER, list: 'tasks', all: true }]);
  });

  it('keeps the list when something about a task fails, and says what', async () => {
    const { tasks, list } = setUp();
    await tasks.load(SERVER, false);
    await tasks.cancel(SERVER, 'a');
    expect(list()).toMatchObject({ error: { message: 'Not allowed.' }, loading: false });
    expect(list().rows.length).toBe(3);
  });
});

describe('the times of a task', () => {
  it('are polled as often as the server wants, within limits', () => {
    const pauses = [null, 0, 3_000, 1e15, Number.NaN].map((pollIntervalMs) => pollPause({ pollIntervalMs }));
    expect(pauses).toEqual([2_000, 500, 3_000, 3_600_000, 2_000]);
  });

  it('say when the server may delete it', () => {
    const createdAt = '2026-01-02T03:04:05Z';
    expect(expiresAt({ createdAt, ttlMs: 1_000 })).toBe(Date.UTC(2026, 0, 2, 3, 4, 6));
    expect(expiresAt({ createdAt, ttlMs: null })).toBeNull();
    expect(expiresAt({ createdAt: 'soon', ttlMs: 1_000 })).toBeNull();
    expect(expiresAt({ createdAt: null, ttlMs: 1_000 })).toBeNull();
  });
});
