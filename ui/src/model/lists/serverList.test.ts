import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { AppEvent, ConnectionId, ServerId, ToolListResponse } from '../../contract/generated';
import { CommandFailure } from '../../host/host';
import { Link } from '../../host/link';
import { ScriptedHost } from '../../host/scripted';
import { aTool, toolPage } from '../tools/tools.fixture';
import { aResource } from './resources/resources.fixture';
import { createAppEvents } from '../workspace/appEvents';
import { createLists } from './lists';
import { emptyList, filterRows, isCounted } from './serverList';

const SERVER = 's' as ServerId;

function page(names: string[], change: Partial<ToolListResponse> = {}): ToolListResponse {
  return toolPage(
    names.map((name, index) => aTool(index, name)),
    change,
  );
}

function events() {
  const host = new ScriptedHost({});
  return {
    ...createAppEvents(host, new Link()),
    emit: (event: AppEvent) => host.stream('app_watch').emit(event),
  };
}

describe('filterRows', () => {
  const rows = [
    aTool(0, 'read_file', { description: 'Reads a file' }),
    aTool(1, 'list', { description: 'Lists every FILE of a folder' }),
    aTool(2, 'add'),
  ].map((item) => ({
    item,
    text: `${item.name}\n${item.title ?? ''}\n${item.description ?? ''}`.toLowerCase(),
  }));
  const names = (query: string) => filterRows(rows, query).map(({ item }) => item.name);

  it('requires every word, at any position and in any case', () => {
    expect(names('')).toEqual(['read_file', 'list', 'add']);
    expect(names('FOLDER list')).toEqual(['list']);
    expect(names('nothing')).toEqual([]);
  });

  it('puts names before descriptions', () => {
    expect(names('file')).toEqual(['read_file', 'list']);
    expect(filterRows(rows.toReversed(), 'file').map(({ item }) => item.name)).toEqual(['read_file', 'list']);
  });
});

it('isCounted is false for a list that was not loaded, which is not empty', async () => {
  let fails = true;
  const host = new ScriptedHost({
    resource_template_list: () =>
      fails
        ? new CommandFailure({ code: 'serverError', message: 'cancelled', detail: null })
        : { ...page([]), items: [] },
  });
  const { resourceTemplates } = createLists(host, events());
  const counted = () => isCounted(resourceTemplates.getState()[SERVER] ?? emptyList());
  expect(counted()).toBe(false);
  await resourceTemplates.load(SERVER, true);
  expect(counted()).toBe(false);
  fails = false;
  await resourceTemplates.load(SERVER, true);
  expect(counted()).toBe(true);
});

describe('createServerList', () => {
  it('follows the pages', async () => {
    const host = new ScriptedHost({
      tool_list: ({ cursor }) =>
        cursor === null ? page(['a'], { nextCursor: 'n', total: 2 }) : page(['b'], { total: 2 }),
    });
    const tools = createLists(host, events()).tools;
    await tools.load(SERVER, true);
    expect(tools.getState()[SERVER]?.rows.map(({ item }) => item.name)).toEqual(['a', 'b']);
    expect(host.calls.map(({ params }) => params)).toEqual([
      { serverId: SERVER, refresh: true, cursor: null },
      { serverId: SERVER, refresh: false, cursor: 'n' },
    ]);
  });

  it('shows the first page until the others are there, but only in place of nothing', async () => {
    const host = new ScriptedHost({
      tool_list: ({ cursor }) =>
        cursor === null ? page(['a'], { nextCursor: 'n', total: 2 }) : page(['b'], { total: 2 }),
    });
    const tools = createLists(host, events()).tools;
    const shown: string[] = [];
    tools.subscribe((lists) => {
      const { rows, total, known, loading } = lists[SERVER]!;
      const names = rows.map(({ item }) => item.name).join();
      shown.push(`${names} of ${total}${known ? '' : ', the first'}${loading ? ', loading' : ''}`);
    });
    await tools.load(SERVER, false);
    expect(shown).toEqual([' of 0, the first, loading', 'a of 2, the first, loading', 'a,b of 2']);
    shown.length = 0;
    await tools.load(SERVER, true);
    expect(shown).toEqual(['a,b of 2, loading', 'a,b of 2']);
  });

  it('keeps the rows when pulling them again fails', async () => {
    let fail = false;
    const host = new ScriptedHost({
      tool_list: () =>
        fail ? new CommandFailure({ code: 'timedOut', message: 'No answer', detail: null }) : page(['a']),
    });
    const tools = createLists(host, events()).tools;
    await tools.load(SERVER, false);
    fail = true;
    await tools.load(SERVER, true);
    expect(tools.getState()[SERVER]).toMatchObject({
      loading: false,
      error: { code: 'timedOut' },
      rows: [{ text: 'a\n\n\n' }],
    });
  });

  it('requests further pages of the server, and keeps the rows if that fails', async () => {
    let fetched = 1;
    const host = new ScriptedHost({
      tool_list: () => page(['a', 'b'].slice(0, fetched), { pages: fetched, hasMore: fetched < 2 }),
      list_more: ({ all }) => {
        if (!all) return new CommandFailure({ code: 'timedOut', message: 'No answer', detail: null });
        fetched = 2;
        return { total: 2, hasMore: false };
      },
    });
    const tools = createLists(host, events()).tools;
    await tools.load(SERVER, false);
    expect(tools.getState()[SERVER]).toMatchObject({ hasMore: true, pages: 1 });
    await tools.requestMore(SERVER, false);
    expect(tools.getState()[SERVER]).toMatchObject({
      error: { code: 'timedOut' },
      hasMore: true,
      loading: false,
    });
    await tools.requestMore(SERVER, true);
    const { rows, error, hasMore } = tools.getState()[SERVER]!;
    expect(rows.map(({ item }) => item.name)).toEqual(['a', 'b']);
    expect({ error, hasMore }).toEqual({ error: null, hasMore: false });
  });

  it.each([
    { shown: 2, requested: [false] },
    { shown: 4, requested: [true] },
  ])(
    'requests the $shown pages that were shown of 4 again for a new connection',
    async ({ shown, requested }) => {
      let fetched = 1;
      let fails = false;
      const names = ['a', 'b', 'c', 'd'];
      const host = new ScriptedHost({
        resource_list: () => {
          const { items, ...list } = page(names.slice(0, fetched), { pages: fetched, hasMore: fetched < 4 });
          return { ...list, items: items.map(({ index, name }) => aResource(index, name)) };
        },
        list_more: ({ all }) => {
          if (fails) return new CommandFailure({ code: 'timedOut', message: 'No answer', detail: null });
          fetched = all ? 4 : fetched + 1;
          return { total: fetched, hasMore: fetched < 4 };
        },
      });
      const { resources } = createLists(host, events());
      const rows = () => resources.getState()[SERVER]?.rows.map(({ item }) => item.name);
      resources.ensure(SERVER, '1' as ConnectionId);
      await expect.poll(rows).toEqual(['a']);
      await resources.requestMore(SERVER, shown === 4);
      expect(rows()).toEqual(names.slice(0, shown));

      const seen: unknown[] = [];
      resources.subscribe(() => seen.push(rows()));
      fetched = 1;
      const before = host.calls.length;
      resources.ensure(SERVER, '2' as ConnectionId);
      await expect.poll(() => resources.getState()[SERVER]?.loading).toBe(false);
      expect(rows()).toEqual(names.slice(0, shown));
      // It never shrinks in between.
      expect(seen.every((each) => (each as string[]).length === shown)).toBe(true);
      const more = host.calls.slice(before).filter(({ name }) => name === 'list_more');
      expect(more.map(({ params }) => (params as { all: boolean }).all)).toEqual(requested);

      // What cannot be requested again is said, and the first page is there.
      fetched = 1;
      fails = true;
      resources.ensure(SERVER, '3' as ConnectionId);
      await expect.poll(() => resources.getState()[SERVER]?.error?.code).toBe('timedOut');
      expect(rows()).toEqual(['a']);
    },
  );

  it('cancels what is being requested, and shows why that was not possible', async () => {
    let lost = false;
    let finish: ((page: ToolListResponse) => void) | undefined;
    const host = new ScriptedHost({
      tool_list: () => new Promise<ToolListResponse>((resolve) => (finish = resolve)),
      list_cancel: () => {
        if (lost) return new CommandFailure({ code: 'internal', message: 'No backend', detail: null });
        finish?.(page(['a'], { hasMore: true }));
        return {};
      },
    });
    const { tools } = createLists(host, events());
    const loaded = tools.load(SERVER, true);
    await tools.cancelLoad(SERVER);
    await loaded;
    expect(host.calls.at(-1)).toEqual({ name: 'list_cancel', params: { serverId: SERVER, list: 'tools' } });
    expect(tools.getState()[SERVER]).toMatchObject({ loading: false, hasMore: true, error: null });
    lost = true;
    await tools.cancelLoad(SERVER);
    expect(tools.getState()[SERVER]?.error?.message).toBe('No backend');
  });

  it('lists again by itself what changed before the user began, but not without end', async () => {
    let changes = 1;
    const host = new ScriptedHost({
      tool_list: ({ refresh }) => {
        if (refresh) changes -= 1;
        return page(['a'], { stale: changes > 0 ? 'changed' : null });
      },
    });
    const refreshes = () =>
      host.calls.filter(({ params }) => (params as { refresh: boolean }).refresh).length;
    const tools = createLists(host, events()).tools;
    const seen: unknown[] = [];
    tools.subscribe((lists) => void seen.push(lists[SERVER]?.stale));
    // How often it had been refreshed whenever it was said to be pulled.
    const pulledAfter: number[] = [];
    tools.subscribe((lists) => {
      if (lists[SERVER]?.loading === false) pulledAfter.push(refreshes());
    });
    await tools.load(SERVER, false);
    expect(refreshes()).toBe(1);
    expect(pulledAfter).toEqual([1]);
    expect(seen).not.toContain('changed');
    changes = Infinity;
    tools.ensure(SERVER, '1' as ConnectionId);
    await expect.poll(() => tools.getState()[SERVER]?.stale).toBe('changed');
    expect(refreshes()).toBe(4);
  });

  it('only marks a changed list that the user works with', async () => {
    const host = new ScriptedHost({ tool_list: () => page(['a'], { stale: 'changed' }) });
    const tools = createLists(host, events()).tools;
    tools.setInUse(SERVER);
    await tools.load(SERVER, false);
    expect(host.calls.map(({ params }) => (params as { refresh: boolean }).refresh)).toEqual([false]);
    expect(tools.getState()[SERVER]?.stale).toBe('changed');
  });

  it('pulls on a nudge only what somebody looks at', async () => {
    const nudges = events();
    const host = new ScriptedHost({ tool_list: () => page(['a']) });
    const tools = createLists(host, nudges).tools;
    nudges.emit({ topic: 'tools', serverId: SERVER, revision: 1 });
    expect(host.calls).toHaveLength(0);
    await tools.load(SERVER, false);
    nudges.emit({ topic: 'tools', serverId: SERVER, revision: 2 });
    expect(host.calls).toHaveLength(2);
  });

  it('does not pull a list again whose own nudge comes after it', async () => {
    const nudges = events();
    const host = new ScriptedHost({ tool_list: () => page(['a'], { revision: 5 }) });
    const tools = createLists(host, nudges).tools;
    await tools.load(SERVER, false);
    nudges.emit({ topic: 'tools', serverId: SERVER, revision: 5 });
    expect(host.calls).toHaveLength(1);
    nudges.emit({ topic: 'tools', serverId: SERVER, revision: 6 });
    expect(host.calls).toHaveLength(2);
  });

  it('loses no change that comes while a list is being pulled', async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const nudges = events();
    const answers: ((list: ToolListResponse) => void)[] = [];
    const host = new ScriptedHost({ tool_list: () => new Promise((resolve) => answers.push(resolve)) });
    const tools = createLists(host, nudges).tools;
    const loaded = tools.load(SERVER, false);
    // The first is that of the list under way, the second comes after it.
    for (const revision of [5, 7]) nudges.emit({ topic: 'tools', serverId: SERVER, revision });
    answers[0]?.(page(['a'], { revision: 5 }));
    await loaded;
    expect(host.calls).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(host.calls).toHaveLength(2);
  });

  it('takes pages of two lists for the older one', async () => {
    const nudges = events();
    const host = new ScriptedHost({
      tool_list: ({ cursor }) =>
        cursor === null ? page(['a'], { nextCursor: 'n', revision: 3 }) : page(['b'], { revision: 4 }),
    });
    const tools = createLists(host, nudges).tools;
    await tools.load(SERVER, false);
    nudges.emit({ topic: 'tools', serverId: SERVER, revision: 4 });
    expect(host.calls).toHaveLength(3);
  });

  it('pulls a list once for each connection', async () => {
    const host = new ScriptedHost({ tool_list: () => page(['a']) });
    const tools = createLists(host, events()).tools;
    tools.ensure(SERVER, '1' as ConnectionId);
    tools.ensure(SERVER, '1' as ConnectionId);
    expect(host.calls).toHaveLength(1);
    tools.ensure(SERVER, '2' as ConnectionId);
    expect(host.calls).toHaveLength(2);
  });

  it('looks again at a list that its server does not want kept so long', async () => {
    let list = page(['a'], { freshness: { ttlMs: 1000, scope: null, sinceAtMs: Date.now() - 2000 } });
    const host = new ScriptedHost({ tool_list: () => list });
    const tools = createLists(host, events()).tools;
    await tools.load(SERVER, false);
    tools.ensure(SERVER, '1' as ConnectionId);
    expect(host.calls).toHaveLength(2);
    list = { ...list, stale: 'expired' };
    tools.ensure(SERVER, '1' as ConnectionId);
    await expect.poll(() => tools.getState()[SERVER]?.stale).toBe('expired');
    expect(host.calls).toHaveLength(3);
    tools.ensure(SERVER, '1' as ConnectionId);
    expect(host.calls).toHaveLength(3);
  });
});

const KINDS = [
  ['tools', 'tool_list'],
  ['resources', 'resource_list'],
  ['resourceTemplates', 'resource_template_list'],
  ['prompts', 'prompt_list'],
] as const;

describe.each(KINDS)('the list of %s', (kind, command) => {
  it('is pulled by its own command, page by page, and again after its own nudge', async () => {
    const nudges = events();
    let revision = 1;
    const answer = ({ cursor }: { cursor: string | null }) =>
      page(cursor === null ? ['a'] : ['b'], { nextCursor: cursor === null ? 'n' : null, revision });
    const host = new ScriptedHost({ [command]: answer });
    const list = createLists(host, nudges)[kind];
    await list.load(SERVER, false);
    expect(list.getState()[SERVER]?.rows.map(({ item }) => item.name)).toEqual(['a', 'b']);
    expect(host.calls.map(({ name }) => name)).toEqual([command, command]);
    revision = 2;
    const other = kind === 'tools' ? 'prompts' : 'tools';
    nudges.emit({ topic: other, serverId: SERVER, revision: 2 });
    expect(host.calls).toHaveLength(2);
    nudges.emit({ topic: kind, serverId: SERVER, revision: 2 });
    await expect.poll(() => host.calls.length).toBe(4);
  });

  it('keeps its rows when the server refuses to list again', async () => {
    let fail = false;
    const refused = new CommandFailure({ code: 'serverError', message: 'No.', detail: null });
    const host = new ScriptedHost({ [command]: () => (fail ? refused : page(['a'])) });
    const list = createLists(host, events())[kind];
    await list.load(SERVER, false);
    fail = true;
    await list.load(SERVER, true);
    expect(list.getState()[SERVER]).toMatchObject({ error: { message: 'No.' }, known: true });
    expect(list.getState()[SERVER]?.rows).toHaveLength(1);
  });
});
