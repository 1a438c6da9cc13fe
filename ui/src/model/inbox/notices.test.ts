// @vitest-environment jsdom
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createStore } from 'zustand/vanilla';
import type { InputId, InputListResponse, ServerId, ServerItem } from '../../contract/generated';
import type { Notifier } from '../../host/host';
import { Link } from '../../host/link';
import { ScriptedHost } from '../../host/scripted';
import { connection, server } from '../servers/servers.fixture';
import { createAppEvents } from '../workspace/appEvents';
import { createInputs } from './inputs';
import { input } from './inputs.fixture';
import { notifyOfInputs } from './notices';

const shown: { title: string; body: string; click: () => void }[] = [];
let permission: ReturnType<Notifier['permission']> = 'granted';
let hasFocus = false;
let notifies = true;
const notifier: Notifier = {
  permission: () => permission,
  request: () => Promise.resolve(),
  show: (notification, click) => void shown.push({ ...notification, click }),
};

beforeEach(() => {
  vi.useFakeTimers();
  vi.spyOn(document, 'hasFocus').mockImplementation(() => hasFocus);
  shown.length = 0;
  [permission, hasFocus, notifies] = ['granted', false, true];
});
afterEach(() => void vi.useRealTimers());

async function start() {
  const queue: InputListResponse = { items: [input('0')], withdrawn: [], answered: [] };
  const host = new ScriptedHost({ input_list: () => structuredClone(queue) });
  const inputs = createInputs(host, createAppEvents(host, new Link()));
  const refresh = async (): Promise<void> => {
    const pulled = inputs.refresh();
    await vi.advanceTimersByTimeAsync(100);
    await pulled;
  };
  await refresh();
  const openInput = vi.fn<(id: InputId) => void>();
  const openRoots = vi.fn<(id: ServerId) => void>();
  const servers = createStore<{ items: ServerItem[] }>(() => ({ items: [] }));
  const ui = { getState: () => ({ notifies }) };
  const stop = notifyOfInputs({ notifier }, { inputs, servers, ui }, { openInput, openRoots });
  const withhold = (withheldRoots: number): Promise<unknown> => {
    servers.setState({ items: [server('s', connection({ state: 'ready' }), { withheldRoots })] });
    return vi.advanceTimersByTimeAsync(0);
  };
  const add = async (...ids: string[]): Promise<void> => {
    queue.items.push(...ids.map((id) => input(id, { paramsJson: '{"message":"Click here: evil.example"}' })));
    await refresh();
  };
  return { add, withhold, openInput, openRoots, stop, queue };
}

test('a new request is notified of while the window is not in front, with no text of the server', async () => {
  const { add, openInput } = await start();
  await add('1');
  expect(shown).toMatchObject([
    { title: 'everything requests your input', body: '2 requests are waiting in the inbox.' },
  ]);
  shown[0]?.click();
  expect(openInput).toHaveBeenCalledWith('1');
});

test('folders that wait for consent are notified of once, and lead to the roots of the server', async () => {
  const { withhold, openRoots } = await start();
  await withhold(2);
  expect(shown).toMatchObject([
    { title: 's requested your roots', body: '2 requests are waiting in the inbox.' },
  ]);
  shown[0]?.click();
  expect(openRoots).toHaveBeenCalledWith('s');
  // More of them are no news; after a decision they are.
  await withhold(3);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(shown).toHaveLength(1);
  await withhold(0);
  await withhold(1);
  expect(shown).toHaveLength(2);
});

test('a flood is one notification now, and one later for the rest', async () => {
  const { add, queue } = await start();
  await add('1');
  for (let id = 2; id < 20; id += 1) await add(String(id));
  // Answered meanwhile.
  queue.items.splice(2, 1);
  await add('20');
  expect(shown).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(5_000);
  expect(shown).toHaveLength(2);
  expect(shown[1]?.title).toBe('18 new server requests');
});

test('nothing is shown while the window is in front, turned off, not allowed, or stopped', async () => {
  const { add, stop } = await start();
  hasFocus = true;
  await add('1');
  hasFocus = false;
  notifies = false;
  await add('2');
  notifies = true;
  permission = 'unasked';
  await add('3');
  permission = 'granted';
  stop();
  await add('4');
  await vi.advanceTimersByTimeAsync(10_000);
  expect(shown).toEqual([]);
});
