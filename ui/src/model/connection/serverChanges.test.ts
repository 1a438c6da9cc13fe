import { expect, it, vi } from 'vitest';
import type { AppEvent, AppTopic, ServerChangesGetResponse, ServerId } from '../../contract/generated';
import { CommandFailure } from '../../host/host';
import { ScriptedHost } from '../../host/scripted';
import { NO_CHANGES, createServerChanges, serverChangesInWords } from './serverChanges';

const SERVER = 's' as ServerId;

function events() {
  const listeners = new Map<AppTopic, (event: AppEvent) => void>();
  return {
    subscribe: (topic: AppTopic, listener: (event: AppEvent) => void) => {
      listeners.set(topic, listener);
      return () => {};
    },
    onResync: () => () => {},
    send: (serverId: ServerId) =>
      listeners.get('serverChanges')?.({ topic: 'serverChanges', serverId, revision: 1 }),
  };
}

function page(ids: string[], nextCursor: string | null = null, token = '1'): ServerChangesGetResponse {
  return {
    sinceAtMs: 0,
    facts: [],
    lists: [{ list: 'tools', added: 0, changed: ids.length, removed: 0, complete: true }],
    items: ids.map((id) => ({ list: 'tools', id, change: 'changed' })),
    nextCursor,
    token,
  };
}

it('pulls all pages, and again when the engine reports a change', async () => {
  const get = vi.fn(({ cursor }: { cursor: string | null }) =>
    cursor === null ? page(['a'], '2000') : page(['b']),
  );
  const nudges = events();
  const store = createServerChanges(new ScriptedHost({ server_changes_get: get }), nudges);
  nudges.send(SERVER);
  expect(get).not.toHaveBeenCalled();
  await store.load(SERVER);
  expect(store.getState()[SERVER]?.items.map(({ id }) => id)).toEqual(['a', 'b']);
  get.mockImplementation(() => page([]));
  nudges.send(SERVER);
  await vi.waitFor(() => expect(store.getState()[SERVER]?.items).toEqual([]));
});

it('shows the changes again if more has changed than was marked as seen', async () => {
  const error = { code: 'invalidParams', message: 'More has changed.', detail: null } as const;
  let isFirst = true;
  const host = new ScriptedHost({
    server_changes_get: () => (isFirst ? page(['a']) : page(['a', 'b'], null, '2')),
    server_changes_seen: () => {
      isFirst = false;
      throw new CommandFailure(error);
    },
  });
  const store = createServerChanges(host, events());
  await store.load(SERVER);
  expect(await store.markSeen(SERVER, '1')).toBe(false);
  expect(store.getState()[SERVER]).toMatchObject({ token: '2', items: [{ id: 'a' }, { id: 'b' }] });
});

it('says what changed in one sentence', () => {
  const now = new Date(2026, 10, 26, 14, 0).getTime();
  const sinceAtMs = new Date(2026, 10, 24, 9, 30).getTime();
  const words = serverChangesInWords({
    sinceAtMs,
    atMs: now,
    facts: [
      { fact: 'version', before: '1.2', after: '1.3' },
      { fact: 'instructions', before: null, after: 'Be kind.' },
      { fact: 'title', before: null, after: 'Notes' },
    ],
    lists: [
      { list: 'tools', added: 1, changed: 3, removed: 0, complete: true },
      { list: 'prompts', added: 0, changed: 0, removed: 1200, complete: true },
    ],
  });
  expect(words).toMatch(/^Since 2026-11-24: version 1\.2 → 1\.3, instructions changed, title changed, /);
  expect(words).toContain('3 tools changed, 1 added, 1,200 prompts removed.');
});

it('says nothing if nothing changed, or only what is told about elsewhere', () => {
  expect(serverChangesInWords(NO_CHANGES)).toBeNull();
  const lists = [{ list: 'tools', added: 0, changed: 1, removed: 0, complete: true } as const];
  expect(serverChangesInWords({ sinceAtMs: 0, atMs: 0, facts: [], lists }, 'tools')).toBeNull();
});
