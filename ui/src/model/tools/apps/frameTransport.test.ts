// @vitest-environment jsdom
import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { FLOOD, FrameTransport, LARGEST, MOST_PER_SECOND } from './frameTransport';

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
