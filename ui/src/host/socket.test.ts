// @vitest-environment jsdom
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { BodyId, TrafficDelta } from '../contract/generated';
import { CommandFailure } from './host';
import { openSocketHost } from './socket';

/** A WebSocket whose other end is the test. */
class FakeSocket extends EventTarget {
  static readonly OPEN = 1;
  static all: FakeSocket[] = [];
  readyState = 0;
  readonly sent: unknown[] = [];

  constructor(readonly url: string) {
    super();
    FakeSocket.all.push(this);
  }

  send(text: string): void {
    this.sent.push(JSON.parse(text));
  }

  open(): void {
    this.readyState = 1;
    this.dispatchEvent(new Event('open'));
  }

  receive(frame: unknown): void {
    this.dispatchEvent(new MessageEvent('message', { data: JSON.stringify(frame) }));
  }

  drop(code: number, reason = ''): void {
    this.readyState = 3;
    this.dispatchEvent(new CloseEvent('close', { code, reason }));
  }
}

const FILTER = '';
const DELTA: TrafficDelta = {
  reset: true,
  total: 3,
  added: [],
  changed: [],
  changedMissed: false,
  searching: false,
  storeProblem: null,
};

let answer: (path: string, init?: RequestInit) => Response;

beforeEach(() => {
  vi.useFakeTimers();
  FakeSocket.all = [];
  vi.stubGlobal('WebSocket', FakeSocket);
  answer = () => new Response('', { status: 404 });
  vi.stubGlobal('fetch', async (path: string, init?: RequestInit) => answer(path, init));
  sessionStorage.clear();
  history.replaceState(null, '', '/');
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** The newest socket, once the code under test has made it. */
async function socket(count = 1): Promise<FakeSocket> {
  await vi.waitFor(() => expect(FakeSocket.all.length).toBe(count), { timeout: 15_000 });
  return FakeSocket.all[count - 1]!;
}

/** A host with an open socket. */
async function connected() {
  sessionStorage.setItem('patchbay.page', 'p1');
  const opening = openSocketHost();
  const wire = await socket();
  wire.open();
  return { ...(await opening), wire };
}

async function errorOf(promise: Promise<unknown>): Promise<CommandFailure> {
  const thrown: unknown = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(thrown).toBeInstanceOf(CommandFailure);
  return thrown as CommandFailure;
}

async function all(parts: AsyncIterable<Uint8Array>): Promise<number[]> {
  const bytes: number[] = [];
  for await (const part of parts) for (const byte of part) bytes.push(byte);
  return bytes;
}

describe('opening', () => {
  it('trades the token, clears the address first, and keeps the key of the page', async () => {
    history.replaceState(null, '', '/#token=secret');
    let asked: unknown;
    answer = (path, init) => {
      asked = { path, body: init?.body, hash: location.hash };
      return Response.json({ page: 'p7' });
    };
    const opening = openSocketHost();
    const wire = await socket();
    wire.open();
    const { link } = await opening;
    expect(asked).toEqual({ path: '/session', body: '{"token":"secret"}', hash: '' });
    expect(location.href).not.toContain('secret');
    expect(sessionStorage.getItem('patchbay.page')).toBe('p7');
    expect(wire.url).toBe(`ws://${location.host}/ws`);
    expect(wire.sent).toEqual([{ page: 'p7' }]);
    expect(link.status).toBe('up');
  });

  it('opens again with the key it has, without a token', async () => {
    const { wire } = await connected();
    expect(wire.sent).toEqual([{ page: 'p1' }]);
  });

  it('is refused without token and key, and sends nothing', async () => {
    const { host, link } = await openSocketHost();
    expect(link.status).toBe('refused');
    expect(FakeSocket.all).toEqual([]);
    await errorOf(host.call('server_list', {}));
  });

  it('opens the link that is pasted into a page that is open', async () => {
    await openSocketHost();
    const reload = vi.fn();
    const goTo = (hash: string): void => {
      vi.stubGlobal('location', { hash, reload });
      window.dispatchEvent(new Event('hashchange'));
    };
    goTo('#heading');
    expect(reload).not.toHaveBeenCalled();
    goTo('#token=secret');
    expect(reload).toHaveBeenCalled();
  });

  it('is refused with a wrong token', async () => {
    history.replaceState(null, '', '/#token=wrong');
    answer = () => Response.json({ code: 'invalidParams', message: 'no' }, { status: 401 });
    const { link } = await openSocketHost();
    expect(link.status).toBe('refused');
  });

  it('takes a failed upgrade for a refusal when the engine answers 401', async () => {
    sessionStorage.setItem('patchbay.page', 'old');
    answer = () => new Response('', { status: 401 });
    const opening = openSocketHost();
    (await socket()).drop(1006);
    expect((await opening).link.status).toBe('refused');
    await vi.advanceTimersByTimeAsync(60_000);
    expect(FakeSocket.all.length).toBe(1);
  });
});

describe('speaking', () => {
  it('matches answers to calls in any order', async () => {
    const { host, wire } = await connected();
    const first = host.call('server_list', {});
    const second = host.call('ui_state_get', {});
    expect(wire.sent.slice(1)).toEqual([
      { id: 1, call: 'server_list', params: {} },
      { id: 2, call: 'ui_state_get', params: {} },
    ]);
    wire.receive({ id: 2, ok: { stateJson: '{}' } });
    wire.receive({ id: 1, ok: { items: [] } });
    expect(await first).toEqual({ items: [] });
    expect(await second).toEqual({ stateJson: '{}' });
  });

  it('rejects with the error that came', async () => {
    const { host, wire } = await connected();
    const call = errorOf(host.call('server_list', {}));
    wire.receive({ id: 1, error: { code: 'storage', message: 'full', detail: null } });
    expect((await call).error).toEqual({ code: 'storage', message: 'full', detail: null });
  });

  it('hands events of a stream on until it ends', async () => {
    const { host, wire } = await connected();
    const onEvent = vi.fn();
    const onEnd = vi.fn();
    host.openStream('traffic_tail', { filter: FILTER }, { onEvent, onEnd });
    expect(wire.sent[1]).toEqual({ id: 1, open: 'traffic_tail', params: { filter: FILTER } });
    wire.receive({ id: 1, event: DELTA });
    wire.receive({ id: 1, end: true });
    wire.receive({ id: 1, event: DELTA });
    expect(onEvent).toHaveBeenCalledExactlyOnceWith(DELTA);
    expect(onEnd).toHaveBeenCalledExactlyOnceWith(undefined);
  });

  it('ends a stream that could not be opened', async () => {
    const { host, wire } = await connected();
    const onEnd = vi.fn();
    host.openStream('traffic_tail', { filter: FILTER }, { onEvent: vi.fn(), onEnd });
    wire.receive({ id: 1, error: { code: 'invalidParams', message: 'no', detail: null } });
    expect(onEnd).toHaveBeenCalledExactlyOnceWith({ code: 'invalidParams', message: 'no', detail: null });
  });

  it('is silent after a stream was closed, and says so to the engine once', async () => {
    const { host, wire } = await connected();
    const onEvent = vi.fn();
    const handle = host.openStream('traffic_tail', { filter: FILTER }, { onEvent });
    handle.close();
    handle.close();
    wire.receive({ id: 1, event: DELTA });
    expect(onEvent).not.toHaveBeenCalled();
    expect(wire.sent.slice(2)).toEqual([{ id: 1, close: true }]);
  });

  it('pulls bodies, and says what the engine said when it cannot', async () => {
    const { host } = await connected();
    const keys: unknown[] = [];
    answer = (path, init) => {
      keys.push(new Headers(init?.headers).get('X-Patchbay-Page'));
      return path === '/body/a%2F1'
        ? new Response('abc')
        : Response.json({ code: 'notFound', message: 'gone', detail: null }, { status: 404 });
    };
    expect(String.fromCharCode(...(await all(host.bodyParts('a/1' as BodyId))))).toBe('abc');
    expect((await errorOf(all(host.bodyParts('b' as BodyId)))).error.code).toBe('notFound');
    expect(keys).toEqual(['p1', 'p1']);
  });
});

describe('losing the connection', () => {
  it('fails what waited, tries again with growing pauses, and says when it is back', async () => {
    const { host, link, wire } = await connected();
    const onEnd = vi.fn(() => link.status);
    host.openStream('traffic_tail', { filter: FILTER }, { onEvent: vi.fn(), onEnd });
    const call = errorOf(host.call('server_list', {}));
    wire.drop(1006);
    expect((await call).message).toContain('lost');
    expect(onEnd).toHaveBeenCalledOnce();
    expect(onEnd).toHaveReturnedWith('lost');
    await vi.advanceTimersByTimeAsync(0);
    expect(link.status).toBe('lost');

    await vi.advanceTimersByTimeAsync(250);
    (await socket(2)).drop(1006);
    await vi.advanceTimersByTimeAsync(499);
    expect(FakeSocket.all.length).toBe(2);
    await vi.advanceTimersByTimeAsync(1);
    const third = await socket(3);
    third.open();
    expect(link.status).toBe('up');
    expect(third.sent).toEqual([{ page: 'p1' }]);
    const again = host.call('server_list', {});
    third.receive({ id: 3, ok: { items: [] } });
    expect(await again).toEqual({ items: [] });
  });

  it('says the cause where the engine said it, and connects again', async () => {
    const { host, link, wire } = await connected();
    const onEnd = vi.fn();
    host.openStream('traffic_tail', { filter: FILTER }, { onEvent: vi.fn(), onEnd });
    const call = errorOf(host.call('server_list', {}));
    wire.drop(1011, 'An internal error: the reader died.');
    expect((await call).message).toBe(
      'The connection to Patchbay was lost: An internal error: the reader died.',
    );
    expect(JSON.stringify(onEnd.mock.calls)).toContain('the reader died');
    await vi.advanceTimersByTimeAsync(0);
    expect([link.status, link.cause]).toEqual(['lost', 'An internal error: the reader died.']);
    await vi.advanceTimersByTimeAsync(250);
    (await socket(2)).open();
    expect([link.status, link.cause]).toEqual(['up', '']);
  });

  it('gives up when the engine does not know the page', async () => {
    const { link, wire } = await connected();
    wire.drop(4401);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(link.status).toBe('refused');
    expect(FakeSocket.all.length).toBe(1);
  });

  it('fails calls and streams made meanwhile', async () => {
    const { host, wire } = await connected();
    wire.drop(1006);
    const onEnd = vi.fn();
    host.openStream('app_watch', {}, { onEvent: vi.fn(), onEnd });
    expect(onEnd).not.toHaveBeenCalled();
    await errorOf(host.call('server_list', {}));
    expect(onEnd).toHaveBeenCalledOnce();
  });
});
