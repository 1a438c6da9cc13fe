import { expect, it, vi } from 'vitest';
import type { AppEvent, AppTopic, ServerId, ToolDefinitionsGetResponse } from '../../contract/generated';
import { ScriptedHost } from '../../host/scripted';
import { CommandFailure } from '../../host/host';
import { changesInWords, createDefinitions } from './definitions';

const SERVER = 's' as ServerId;
const REMEMBERED = { type: 'remembered', tools: 3, firstAtMs: 0, acceptedAtMs: 1 } as const;

function events() {
  const listeners = new Map<AppTopic, (event: AppEvent) => void>();
  return {
    subscribe: (topic: AppTopic, listener: (event: AppEvent) => void) => {
      listeners.set(topic, listener);
      return () => {};
    },
    onResync: () => () => {},
    send: (serverId: ServerId) =>
      listeners.get('toolDefinitions')?.({ topic: 'toolDefinitions', serverId, revision: 1 }),
  };
}

function page(names: string[], nextCursor: string | null = null): ToolDefinitionsGetResponse {
  return {
    memory: REMEMBERED,
    changed: names.length,
    added: 0,
    removed: 0,
    refused: names.length,
    tools: names.map((name) => ({ name, change: 'changed', refused: true })),
    nextCursor,
    listing: 'l',
  };
}

it('pulls all pages, and again when the engine reports a change', async () => {
  const get = vi.fn(({ cursor }: { cursor: string | null }) =>
    cursor === null ? page(['a'], '2000') : page(['b']),
  );
  const nudges = events();
  const store = createDefinitions(new ScriptedHost({ tool_definitions_get: get }), nudges);
  nudges.send(SERVER);
  expect(get).not.toHaveBeenCalled();
  await store.load(SERVER);
  expect([...(store.getState()[SERVER]?.byName.keys() ?? [])]).toEqual(['a', 'b']);
  get.mockImplementation(() => page([]));
  nudges.send(SERVER);
  await vi.waitFor(() => expect(store.getState()[SERVER]?.tools).toEqual([]));
});

it('has accepted only when what the engine reports meanwhile is known too', async () => {
  const answers: ((found: ToolDefinitionsGetResponse) => void)[] = [];
  const nudges = events();
  const host = new ScriptedHost({
    tool_definitions_get: () => new Promise<ToolDefinitionsGetResponse>((resolve) => answers.push(resolve)),
    tool_definitions_accept: () => ({}),
  });
  const store = createDefinitions(host, nudges);
  const first = store.load(SERVER);
  answers[0]?.(page(['a']));
  await first;
  let isAccepted = false;
  const accepting = store.accept(SERVER, null, 'l').then(() => (isAccepted = true));
  await vi.waitFor(() => expect(answers).toHaveLength(2));
  nudges.send(SERVER);
  await vi.waitFor(() => expect(answers).toHaveLength(3));
  answers[1]?.(page([]));
  await new Promise((resolve) => setTimeout(resolve));
  expect(isAccepted).toBe(false);
  answers[2]?.(page([]));
  await accepting;
  expect(store.getState()[SERVER]?.tools).toEqual([]);
});

it('keeps what is known when accepting fails', async () => {
  const error = { code: 'invalidParams', message: 'Review them again.', detail: null } as const;
  const host = new ScriptedHost({
    tool_definitions_get: () => page(['a']),
    tool_definitions_accept: () => {
      throw new CommandFailure(error);
    },
  });
  const store = createDefinitions(host, events());
  await store.load(SERVER);
  expect(await store.accept(SERVER, ['a'], 'l')).toBe(false);
  expect(store.getState()[SERVER]).toMatchObject({ error, changed: 1 });
});

it('says what changed', () => {
  const none = { memory: REMEMBERED, changed: 0, added: 0, removed: 0 };
  expect(changesInWords(none)).toBeNull();
  expect(changesInWords({ ...none, changed: 3, added: 1, removed: 1 })).toBe(
    '3 tools changed, 1 added, 1 removed since you accepted them.',
  );
  const first = { ...REMEMBERED, acceptedAtMs: null };
  expect(changesInWords({ ...none, memory: first, added: 1 })).toBe(
    '1 tool added since they were first listed.',
  );
  expect(changesInWords({ ...none, memory: { type: 'damaged', message: '' } })).toContain('cannot be read');
});
