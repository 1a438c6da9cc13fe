// @vitest-environment jsdom
import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { FLOOD, FrameTransport, MOST_PER_SECOND, MOST_UNREADABLE } from './frameTransport';
import { LARGEST } from './messageText';

let frame: HTMLIFrameElement;
let now: number;
let transport: FrameTransport;
const listener = {
  onReceived: vi.fn<(message: JSONRPCMessage, json: string) => void>(),
  onSent: vi.fn<() => void>(),
  onConsole: vi.fn<() => void>(),
  onDropped: vi.fn<(why: string) => void>(),
  onFlood: vi.fn<(why: string) => void>(),
};
const PING = { jsonrpc: '2.0', id: 1, method: 'ping' };

beforeEach(async () => {
  vi.clearAllMocks();
  frame = document.createElement('iframe');
  document.body.append(frame);
  now = 0;
  transport = new FrameTransport(frame.contentWindow as Window, listener, () => now);
  await transport.start();
});
afterEach(async () => {
  await transport.close();
  frame.remove();
});

function arrives(data: unknown, source: Window | null = frame.contentWindow): void {
  window.dispatchEvent(new MessageEvent('message', { data, source }));
}

test('only messages of its frame are read', () => {
  const read = vi.fn<(message: JSONRPCMessage) => void>();
  Object.assign(transport, { onmessage: read });
  arrives(PING, window);
  arrives(PING, null);
  expect(read).not.toHaveBeenCalled();
  arrives(PING);
  expect(read).toHaveBeenCalledExactlyOnceWith(PING);
  expect(listener.onReceived).toHaveBeenCalledWith(PING, JSON.stringify(PING));
});

test('lines of the console are told apart from messages, whatever is in them', () => {
  arrives({ patchbay: { level: 'warn', text: 'careful' } });
  expect(listener.onConsole).toHaveBeenLastCalledWith({ level: 'warn', text: 'careful' });
  arrives({ patchbay: { level: {}, text: 7 } });
  arrives({ patchbay: null });
  expect(listener.onConsole).toHaveBeenLastCalledWith({ level: '', text: '' });
  expect(listener.onReceived).not.toHaveBeenCalled();
});

test('what is not a message is dropped and reported', () => {
  const cycle: Record<string, unknown> = { jsonrpc: '2.0' };
  cycle.self = cycle;
  for (const data of ['text', 7, null, { method: 'x' }, cycle, undefined]) arrives(data);
  arrives({ jsonrpc: '2.0', method: 'x', params: { text: 'x'.repeat(LARGEST) } });
  expect(listener.onDropped).toHaveBeenCalledTimes(7);
  expect(listener.onReceived).not.toHaveBeenCalled();
});

/** What is small as a structured clone, and more as JSON than a page can hold. */
const BOMBS: [name: string, of: () => unknown, why: string][] = [
  [
    'references to the same array',
    () => Array.from({ length: 30 }).reduce<unknown[]>((inner) => [inner, inner], []),
    'more than 1,000,000 values',
  ],
  ['an array without elements', () => Object.assign([], { length: 4e9 }), 'more than 1,000,000 values'],
  [
    'the same array without elements, often',
    () => Array.from<unknown>({ length: 5_000 }).fill(Object.assign([], { length: 900_000 })),
    'more than 1,000,000 values',
  ],
  ['bytes', () => new Uint8Array(2e8), 'binary data'],
  ['a buffer', () => new ArrayBuffer(8), 'binary data'],
  [
    'a string that is an object',
    () => Object('x'.repeat(LARGEST)) as unknown,
    'more than 4,000,000 characters',
  ],
  ['the same name, often', () => named('x'.repeat(100_000), 50), 'more than 4,000,000 characters'],
];

function named(name: string, times: number): unknown {
  const one = { [name]: 1 };
  return Array.from({ length: times }, () => one);
}

test.each(BOMBS)('what is large only as JSON is dropped before it is written: %s', (_, of, why) => {
  const written = vi.spyOn(JSON, 'stringify');
  arrives({ ...PING, params: of() });
  expect(listener.onDropped).toHaveBeenCalledExactlyOnceWith(expect.stringContaining(why));
  expect(written.mock.results.map(({ type }) => type)).toEqual(['throw']);
  written.mockRestore();
  arrives({ ...PING, params: Array.from({ length: 50_000 }, () => 1) });
  expect(listener.onReceived).toHaveBeenCalledTimes(1);
});

test('too many messages within a minute that are too large close the app', () => {
  const large = (): void => arrives({ ...PING, params: 'x'.repeat(LARGEST + 1) });
  for (let i = 0; i < 60; i += 1) {
    now += 7_000;
    arrives(undefined);
    large();
  }
  expect(listener.onFlood).not.toHaveBeenCalled();
  now += 60_000;
  for (let i = 0; i < MOST_UNREADABLE; i += 1) large();
  expect(listener.onFlood).toHaveBeenCalledExactlyOnceWith(expect.stringContaining('too large'));
});

test('more messages a second than allowed are dropped, and said', () => {
  for (let i = 0; i < MOST_PER_SECOND + 5; i += 1) arrives(PING);
  expect(listener.onReceived).toHaveBeenCalledTimes(MOST_PER_SECOND);
  now = 1000;
  arrives(PING);
  expect(listener.onReceived).toHaveBeenCalledTimes(MOST_PER_SECOND + 1);
  expect(listener.onDropped).toHaveBeenCalledExactlyOnceWith(expect.stringContaining('dropped: 5.'));
  expect(listener.onFlood).not.toHaveBeenCalled();
});

test('a flood is reported: within a second, and over several', () => {
  for (let i = 0; i <= FLOOD; i += 1) arrives(PING);
  expect(listener.onFlood).toHaveBeenCalledTimes(1);
  listener.onFlood.mockClear();
  for (let second = 1; second <= 6; second += 1) {
    now = second * 1000;
    for (let i = 0; i < MOST_PER_SECOND + 1; i += 1) arrives(PING);
  }
  expect(listener.onFlood).toHaveBeenCalled();
});

test('a closed transport neither reads nor sends', async () => {
  const sent = vi.spyOn(frame.contentWindow as Window, 'postMessage');
  await transport.send(PING as JSONRPCMessage);
  expect(sent).toHaveBeenCalledTimes(1);
  await transport.close();
  await transport.send(PING as JSONRPCMessage);
  arrives(PING);
  expect(sent).toHaveBeenCalledTimes(1);
  expect(listener.onReceived).not.toHaveBeenCalled();
});
