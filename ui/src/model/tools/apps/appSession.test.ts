// @vitest-environment jsdom
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { AppFrameId, ExchangeOutcome, ServerId, ToolItem } from '../../../contract/generated';
import { ScriptedHost } from '../../../host/scripted';
import { aTool } from '../tools.fixture';
import { createAppLog } from './appLog';
import { type AppDelegate, AppSession, HEIGHTS } from './appSession';

/** An app in a frame: what the host sends to it, and what it sends. */
class ScriptedApp {
  readonly element = document.createElement('iframe');
  readonly received: Record<string, unknown>[] = [];
  #id = 0;

  constructor() {
    document.body.append(this.element);
    vi.spyOn(this.window, 'postMessage').mockImplementation((message: unknown) => {
      this.received.push(message as Record<string, unknown>);
    });
  }

  get window(): Window {
    return this.element.contentWindow as Window;
  }

  sends(message: object): void {
    const data = { jsonrpc: '2.0', ...message };
    window.dispatchEvent(new MessageEvent('message', { data, source: this.window }));
  }

  /** Sends a request and returns its answer. */
  async asks(method: string, params: object): Promise<Record<string, unknown>> {
    this.#id += 1;
    const id = this.#id;
    this.sends({ id, method, params });
    return vi.waitFor(() => {
      const answer = this.received.find((message) => message.id === id && !('method' in message));
      if (answer === undefined) throw new Error(`no answer to ${method}`);
      return answer;
    });
  }

  async initializes(availableDisplayModes?: string[]): Promise<Record<string, unknown>> {
    const answer = await this.asks('ui/initialize', {
      protocolVersion: '2026-01-26',
      appInfo: { name: 'app', version: '1' },
      appCapabilities: availableDisplayModes === undefined ? {} : { availableDisplayModes },
    });
    this.sends({ method: 'ui/notifications/initialized' });
    await vi.waitFor(() => {
      if (!session.isInitialized) throw new Error('not initialized');
    });
    return answer;
  }

  methods(): unknown[] {
    return this.received.map(({ method }) => method).filter((method) => method !== undefined);
  }
}

const SERVER = 's' as ServerId;
const FRAME = {
  frameId: 'f' as AppFrameId,
  size: 10,
  policy: "default-src 'none'",
  origins: { connect: ['https://a.example'], resource: [], frame: [], baseUri: [] },
  permissions: ['clipboard-write'],
  refused: [],
  domain: null,
  prefersBorder: null,
};

let app: ScriptedApp;
let host: ScriptedHost;
let session: AppSession;
let tools: ToolItem[];
const log = createAppLog(() => 0);
const delegate = {
  onInitialized: vi.fn<() => void>(),
  onHeight: vi.fn<(height: number) => void>(),
  onDisplayMode: vi.fn<AppDelegate['onDisplayMode']>((mode) => mode),
  onLink: vi.fn<AppDelegate['onLink']>(),
  onMessage: vi.fn<AppDelegate['onMessage']>(),
  onDestructiveCall: vi.fn<AppDelegate['onDestructiveCall']>(),
  onRequestTeardown: vi.fn<() => void>(),
  onFlood: vi.fn<(why: string) => void>(),
};

beforeEach(async () => {
  vi.clearAllMocks();
  log.clear();
  app = new ScriptedApp();
  host = new ScriptedHost();
  tools = [aTool(0, 'add')];
  session = new AppSession({
    host,
    log,
    serverId: SERVER,
    uri: 'ui://a',
    frame: FRAME,
    target: app.window,
    context: { theme: 'dark', displayMode: 'inline' },
    findTool: (name) => tools.find((tool) => tool.name === name),
    delegate,
  });
  await session.start();
});
afterEach(() => {
  session.stop();
  app.element.remove();
});

function result(json: string): ExchangeOutcome {
  return {
    type: 'result',
    raw: { inline: json, body: host.setBody('r', json), size: json.length, pretty: null },
    view: { type: 'any' },
    freshness: null,
  };
}

/** Ends the newest request to the server. */
function finish(name: 'tool_call' | 'resource_read', outcome: ExchangeOutcome): void {
  host.stream(name).emit({
    type: 'finished',
    outcome,
    durationMs: 1,
    humanWaitMs: 0,
    requestSeq: null,
    responseSeq: null,
  });
}

test('the app is told what the host can do and where it is shown', async () => {
  const { result: answer } = await app.initializes();
  expect(answer).toMatchObject({
    hostInfo: { name: 'patchbay' },
    hostCapabilities: {
      openLinks: {},
      serverTools: {},
      sandbox: {
        permissions: { clipboardWrite: {} },
        csp: { connectDomains: ['https://a.example'], frameDomains: [] },
      },
    },
    hostContext: { theme: 'dark' },
  });
  expect(answer).not.toHaveProperty('hostCapabilities.message');
  await vi.waitFor(() => expect(delegate.onInitialized).toHaveBeenCalledOnce());
});

test('input comes before the result, once each, and only after the app is initialized', async () => {
  session.input('{"step":2}');
  session.ended(result('{"content":[],"structuredContent":{"count":3}}'));
  session.ended(result('{"content":[]}'));
  session.input('{"step":9}');
  expect(app.received).toEqual([]);
  await app.initializes();
  await vi.waitFor(() =>
    expect(app.methods()).toEqual(['ui/notifications/tool-input', 'ui/notifications/tool-result']),
  );
  expect(app.received.at(-2)).toMatchObject({ params: { arguments: { step: 2 } } });
  expect(app.received.at(-1)).toMatchObject({ params: { structuredContent: { count: 3 } } });
});

test('a call without a result is cancelled for the app, with the reason', async () => {
  await app.initializes();
  session.input('{}');
  session.ended({ type: 'cancelled' });
  await vi.waitFor(() => expect(app.methods()).toContain('ui/notifications/tool-cancelled'));
  expect(app.received.at(-1)).toMatchObject({ params: { reason: 'Cancelled by the user.' } });
});

test('a call of the app goes to its server, named as the call of the app', async () => {
  await app.initializes();
  const answer = app.asks('tools/call', { name: 'add', arguments: { step: 1 } });
  await vi.waitFor(() => host.stream('tool_call'));
  expect(host.stream('tool_call').params).toMatchObject({
    serverId: SERVER,
    name: 'add',
    argumentsJson: '{"step":1}',
    byApp: 'ui://a',
  });
  finish('tool_call', result('{"content":[{"type":"text","text":"1"}]}'));
  expect(await answer).toMatchObject({ result: { content: [{ type: 'text', text: '1' }] } });
});

test('tools that are unknown or not for apps are refused, and nothing is sent', async () => {
  tools = [aTool(0, 'model_only', { app: { resourceUri: null, forModels: true, forApps: false } })];
  await app.initializes();
  for (const name of ['model_only', 'unknown']) {
    // oxlint-disable-next-line no-await-in-loop
    expect(await app.asks('tools/call', { name })).toMatchObject({ error: { code: -32602 } });
  }
  expect(host.streams('tool_call')).toEqual([]);
});

test('a destructive tool is called only if the person allows it', async () => {
  tools = [
    aTool(0, 'drop', { hints: { readOnly: null, destructive: true, idempotent: null, openWorld: null } }),
  ];
  await app.initializes();
  delegate.onDestructiveCall.mockResolvedValueOnce(false);
  const refused = await app.asks('tools/call', { name: 'drop', arguments: { all: true } });
  expect(refused).toMatchObject({ error: { message: expect.stringContaining('did not allow') as string } });
  expect(delegate.onDestructiveCall).toHaveBeenCalledWith(
    expect.objectContaining({ name: 'drop' }),
    '{"all":true}',
  );
  expect(host.streams('tool_call')).toEqual([]);
  delegate.onDestructiveCall.mockResolvedValueOnce(true);
  app.sends({ id: 99, method: 'tools/call', params: { name: 'drop' } });
  await vi.waitFor(() => expect(host.streams('tool_call')).toHaveLength(1));
});

test('an error of the server reaches the app with its code', async () => {
  await app.initializes();
  const answer = app.asks('resources/read', { uri: 'demo://x' });
  await vi.waitFor(() => host.stream('resource_read'));
  finish('resource_read', {
    type: 'rpcError',
    raw: { inline: '{}', body: host.setBody('e', '{}'), size: 2, pretty: null },
    code: '-32050',
    message: 'No such resource',
    meaning: null,
    advice: null,
    dataJson: null,
  });
  expect(await answer).toMatchObject({ error: { code: -32050, message: 'No such resource' } });
});

test('only so many requests are in progress at once', async () => {
  await app.initializes();
  for (let i = 0; i < 8; i += 1) app.sends({ id: 100 + i, method: 'tools/call', params: { name: 'add' } });
  await vi.waitFor(() => expect(host.streams('tool_call')).toHaveLength(8));
  expect(await app.asks('tools/call', { name: 'add' })).toMatchObject({
    error: { message: expect.stringContaining('At most 8') as string },
  });
});

test('links are opened and messages are added to a draft only by the person', async () => {
  await app.initializes();
  delegate.onLink.mockResolvedValueOnce(true).mockResolvedValueOnce(false);
  expect(await app.asks('ui/open-link', { url: 'https://a.example' })).toMatchObject({ result: {} });
  expect(await app.asks('ui/open-link', { url: 'https://b.example' })).toMatchObject({
    result: { isError: true },
  });
  const says = async (...content: object[]) => app.asks('ui/message', { role: 'user', content });
  delegate.onMessage.mockResolvedValueOnce(true).mockResolvedValueOnce(false);
  const [one, two] = [
    { type: 'text', text: 'one' },
    { type: 'text', text: 'two' },
  ];
  expect(await says(one, two)).toMatchObject({ result: {} });
  expect(delegate.onMessage).toHaveBeenCalledWith('one\n\ntwo');
  expect(await says(one)).toMatchObject({ result: { isError: true } });
  for (const [content, why] of [
    [[{ type: 'image', mimeType: 'image/png', data: 'aaaa' }], 'only text'],
    [[{ type: 'text', text: ' ' }], 'empty'],
    [[{ type: 'text', text: 'x'.repeat(10_001) }], 'more than 10000'],
  ] as const) {
    expect(await says(...content)).toMatchObject({
      error: { message: expect.stringContaining(why) as string },
    });
  }
  expect(delegate.onMessage).toHaveBeenCalledTimes(2);
  expect(await app.asks('ui/update-model-context', {})).toMatchObject({ error: { code: -32601 } });
});

test('fullscreen is only for apps that declare it, and the height has bounds', async () => {
  await app.initializes(['inline', 'fullscreen']);
  const asks = async (mode: string) => app.asks('ui/request-display-mode', { mode });
  expect(await asks('fullscreen')).toMatchObject({ result: { mode: 'fullscreen' } });
  expect(await asks('pip')).toMatchObject({ result: { mode: 'inline' } });
  for (const height of [1e9, -5]) app.sends({ method: 'ui/notifications/size-changed', params: { height } });
  await vi.waitFor(() => expect(delegate.onHeight).toHaveBeenCalledTimes(2));
  expect(delegate.onHeight.mock.calls).toEqual([[HEIGHTS.most], [HEIGHTS.least]]);
  await app.initializes();
  expect(await asks('fullscreen')).toMatchObject({ result: { mode: 'inline' } });
});

test('the theme is told again when it changes', async () => {
  await app.initializes();
  session.setContext({ theme: 'light', displayMode: 'inline' });
  await vi.waitFor(() => expect(app.methods()).toContain('ui/notifications/host-context-changed'));
  expect(app.received.at(-1)).toMatchObject({ params: { theme: 'light' } });
});

test('an app is asked to end, and ends also if it does not answer', async () => {
  await app.initializes();
  const closed = session.close('The tab was closed');
  await vi.waitFor(() => expect(app.methods()).toContain('ui/resource-teardown'));
  await closed;
  expect(log.getState().messages.at(-1)?.text).toBe('The app did not confirm its teardown.');
  app.sends({ id: 7, method: 'ping' });
  expect(app.received.some(({ id, result: answer }) => id === 7 && answer !== undefined)).toBe(false);
});

test('messages, the console and what was dropped are in the log', async () => {
  await app.initializes();
  window.dispatchEvent(
    new MessageEvent('message', { data: { patchbay: { level: 'error', text: 'oops' } }, source: app.window }),
  );
  app.sends({ method: { toString: () => 'x' } });
  const lines = log.getState().messages.map(({ kind, subject, tone }) => [kind, subject, tone]);
  expect(lines).toContainEqual(['toHost', 'ui/initialize', null]);
  expect(lines).toContainEqual(['toApp', 'result', null]);
  expect(lines).toContainEqual(['console', 'error', 'error']);
});
