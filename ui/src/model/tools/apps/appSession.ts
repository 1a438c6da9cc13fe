import { AppBridge, type McpUiHostContext } from '@modelcontextprotocol/ext-apps/app-bridge';
import type { CallToolResult, JSONRPCMessage, ReadResourceResult } from '@modelcontextprotocol/client';
import { config } from 'zod';
import type { AppFrameOpenResponse, ExchangeOutcome, ServerId, ToolItem } from '../../../contract/generated';
import type { Host } from '../../../host/host';
import { mayDestroy } from '../consent';
import type { AppLogStore, NewAppMessage } from './appLog';
import { AppError, exchange, failureOf, resultOf } from './appRequests';
import { FrameTransport } from './frameTransport';

// Our content security policy forbids code from text, which zod would otherwise try to make.
config({ jitless: true });

/** What a person decides, and what the frame shows. */
export interface AppDelegate {
  /** The app has introduced itself. */
  onInitialized(): void;
  /** The app asks for this height, in px. */
  onHeight(height: number): void;
  /** The app asks for another display mode; returns the one it gets. */
  onDisplayMode(mode: 'inline' | 'fullscreen'): 'inline' | 'fullscreen';
  /** Asks the person whether to open the link, and opens it. */
  onLink(url: string): Promise<boolean>;
  /** Asks the person whether a text becomes part of the draft of a conversation. */
  onMessage(text: string): Promise<boolean>;
  /** Asks the person whether a tool may be called that may destroy something. */
  onDestructiveCall(tool: ToolItem, argumentsJson: string): Promise<boolean>;
  /** The app wants to be closed. */
  onRequestTeardown(): void;
  /** The app must be closed at once. */
  onFlood(why: string): void;
}

/** The call that an app shows. */
export interface AppCall {
  argumentsJson: string;
  /** Null while it runs. */
  outcome: ExchangeOutcome | null;
}

export interface AppSessionOptions {
  host: Host;
  log: AppLogStore;
  serverId: ServerId;
  /** The app. */
  uri: string;
  frame: AppFrameOpenResponse;
  /** The window of the frame. */
  target: Window;
  context: McpUiHostContext;
  /** The listed tool of this name. */
  findTool: (name: string) => ToolItem | undefined;
  delegate: AppDelegate;
}

/** The least and the greatest height of a frame, in px. */
export const HEIGHTS = { least: 60, most: 4_000 };
/** How many requests of an app may be in progress. */
const MOST_REQUESTS = 8;
/** The longest message to a conversation, in characters: a person has to read it first. */
const LONGEST_MESSAGE = 10_000;
/** How long an app may take to end, in ms. */
const TEARDOWN_MS = 1_000;

/**
 * One app in its frame, from `ui/initialize` to its end: the host's side of MCP Apps. The protocol and its checks are
 * `AppBridge`; here is what an app may ask for.
 */
export class AppSession {
  readonly #options: AppSessionOptions;
  readonly #bridge: AppBridge;
  readonly #transport: FrameTransport;
  readonly #initialized: Promise<void>;
  /** What is delivered to the app, in order. */
  #delivery: Promise<void>;
  #running = 0;
  #isInitialized = false;
  #hasInput = false;
  #hasResult = false;

  constructor(options: AppSessionOptions) {
    this.#options = options;
    const { frame, context } = options;
    this.#bridge = new AppBridge(
      null,
      { name: 'patchbay', title: 'Patchbay', version: '0.0.0' },
      {
        openLinks: {},
        serverTools: {},
        serverResources: {},
        logging: {},
        sandbox: { permissions: permissionsOf(frame), csp: cspOf(frame) },
      },
      { hostContext: context },
    );
    this.#transport = new FrameTransport(options.target, {
      onReceived: (message, json) => this.#log({ kind: 'toHost', subject: subjectOf(message), text: json }),
      onSent: (message, json) => this.#log({ kind: 'toApp', subject: subjectOf(message), text: json }),
      onConsole: ({ level, text }) =>
        this.#log({ kind: 'console', subject: level, text, tone: toneOf(level) }),
      onDropped: (text) => this.#log({ kind: 'host', text, tone: 'warn' }),
      onFlood: (why) => options.delegate.onFlood(why),
    });
    this.#initialized = new Promise((resolve) => {
      this.#bridge.oninitialized = () => {
        this.#isInitialized = true;
        options.delegate.onInitialized();
        resolve();
      };
    });
    this.#delivery = this.#initialized;
    this.#answer();
  }

  /** Begins to listen. The frame is loaded only afterwards. */
  async start(): Promise<void> {
    await this.#bridge.connect(this.#transport);
  }

  get isInitialized(): boolean {
    return this.#isInitialized;
  }

  /** The display modes that the app supports; without a declaration, only where it is. */
  get supportsFullscreen(): boolean {
    return this.#bridge.getAppCapabilities()?.availableDisplayModes?.includes('fullscreen') ?? false;
  }

  /** The arguments of the call that the app shows; once. */
  input(argumentsJson: string): void {
    if (this.#hasInput) return;
    this.#hasInput = true;
    this.#deliver(async () => {
      const given = JSON.parse(argumentsJson) as Record<string, unknown>;
      await this.#bridge.sendToolInput({ arguments: given });
    });
  }

  /** How that call ended; once. */
  ended(outcome: ExchangeOutcome): void {
    // The result of a task comes later, and not to the app.
    if (this.#hasResult || outcome.type === 'task') return;
    this.#hasResult = true;
    this.#deliver(async () => {
      if (outcome.type === 'result') {
        await this.#bridge.sendToolResult(await resultOf<CallToolResult>(this.#options.host, outcome));
      } else {
        await this.#bridge.sendToolCancelled({ reason: failureOf(outcome).message });
      }
    });
  }

  /** The theme, the size or the display mode has changed. */
  setContext(context: McpUiHostContext): void {
    this.#deliver(async () => this.#bridge.setHostContext(context));
  }

  /** Lets the app end, and waits for that for a moment; it gets no message afterwards. */
  async close(reason: string): Promise<void> {
    if (this.#isInitialized) {
      try {
        await this.#bridge.teardownResource({ reason }, { timeout: TEARDOWN_MS });
      } catch {
        this.#log({ kind: 'host', text: 'The app did not confirm its teardown.', tone: 'warn' });
      }
    }
    this.stop();
  }

  /** Ends it at once: its frame is gone already, or must not be heard any more. */
  stop(): void {
    void this.#bridge.close();
  }

  #deliver(send: () => Promise<void>): void {
    this.#delivery = this.#delivery.then(send).catch((thrown: unknown) => {
      const text = thrown instanceof Error ? thrown.message : String(thrown);
      this.#log({ kind: 'host', text: `Not delivered to the app: ${text}`, tone: 'error' });
    });
  }

  #log(message: Omit<NewAppMessage, 'serverId' | 'uri' | 'subject' | 'tone'> & Partial<NewAppMessage>): void {
    const { log, serverId, uri } = this.#options;
    log.add({ subject: '', tone: null, ...message, serverId, uri });
  }

  /** What an app may ask for. Anything else is answered with “Method not found”. */
  #answer(): void {
    const bridge = this.#bridge;
    const { delegate, host, serverId, uri } = this.#options;
    bridge.oncalltool = (params, { mcpReq }) =>
      this.#limited(async () => {
        const argumentsJson = JSON.stringify(params.arguments ?? {});
        await this.#checkTool(params.name, argumentsJson);
        const { outcome } = await exchange(
          host,
          'tool_call',
          { serverId, name: params.name, argumentsJson, metaJson: null, timeouts: null, byApp: uri },
          mcpReq.signal,
        );
        return resultOf<CallToolResult>(host, outcome);
      });
    bridge.onreadresource = (params, { mcpReq }) =>
      this.#limited(async () => {
        const request = { serverId, uri: params.uri, timeouts: null, byApp: uri };
        const { outcome } = await exchange(host, 'resource_read', request, mcpReq.signal);
        return resultOf<ReadResourceResult>(host, outcome);
      });
    bridge.onopenlink = async ({ url }) => ((await delegate.onLink(url)) ? {} : { isError: true });
    // Answers requests; there are no events of this name.
    // oxlint-disable-next-line unicorn/prefer-add-event-listener
    bridge.onmessage = async ({ content }) =>
      (await delegate.onMessage(messageOf(content))) ? {} : { isError: true };
    bridge.onrequestdisplaymode = async ({ mode }) => ({
      mode: delegate.onDisplayMode(mode === 'fullscreen' && this.supportsFullscreen ? mode : 'inline'),
    });
    bridge.onsizechange = ({ height }) => {
      if (height === undefined || !Number.isFinite(height)) return;
      delegate.onHeight(Math.min(HEIGHTS.most, Math.max(HEIGHTS.least, Math.ceil(height))));
    };
    // Received like every other message, and thus in the log already.
    bridge.onloggingmessage = () => {};
    bridge.onrequestteardown = () => delegate.onRequestTeardown();
  }

  /** Refuses a tool that is not for apps; asks before one that may destroy something. The engine refuses too. */
  async #checkTool(name: string, argumentsJson: string): Promise<void> {
    const { findTool, delegate } = this.#options;
    const tool = findTool(name);
    if (tool === undefined) throw new AppError(`The server does not list the tool ${name}.`, -32602);
    if (tool.app?.forApps === false) throw new AppError(`The tool ${name} is not for apps.`, -32602);
    if (mayDestroy(tool.hints) && !(await delegate.onDestructiveCall(tool, argumentsJson)))
      throw new AppError(`The user did not allow the call to ${name}.`);
  }

  async #limited<T>(run: () => Promise<T>): Promise<T> {
    if (this.#running >= MOST_REQUESTS)
      throw new AppError(`At most ${MOST_REQUESTS} requests may be in progress.`);
    this.#running += 1;
    try {
      return await run();
    } finally {
      this.#running -= 1;
    }
  }
}

/** The text of a message for the conversation. */
function messageOf(content: readonly { type: string; text?: unknown }[]): string {
  const texts = content.flatMap(({ type, text }) =>
    type === 'text' && typeof text === 'string' ? [text] : [],
  );
  const text = texts.join('\n\n');
  if (texts.length < content.length) {
    throw new AppError('Messages to a conversation may contain only text.', -32602);
  }
  if (text.trim() === '') throw new AppError('The message is empty.', -32602);
  if (text.length > LONGEST_MESSAGE) {
    throw new AppError(`The message has more than ${LONGEST_MESSAGE} characters.`, -32602);
  }
  return text;
}

/** The method of a message; for an answer, whether it is an error. */
function subjectOf(message: JSONRPCMessage): string {
  // Not checked yet: an app may send anything.
  const method: unknown = 'method' in message ? message.method : undefined;
  if (typeof method === 'string') return method.slice(0, 200);
  return 'error' in message ? 'error' : 'result';
}

function toneOf(level: string): 'error' | 'warn' | null {
  if (level === 'error' || level === 'blocked') return 'error';
  return level === 'warn' ? 'warn' : null;
}

function permissionsOf({ permissions }: AppFrameOpenResponse): Record<string, object> {
  const names: Record<string, string> = { 'clipboard-write': 'clipboardWrite' };
  return Object.fromEntries(permissions.map((feature) => [names[feature] ?? feature, {}]));
}

function cspOf({ origins }: AppFrameOpenResponse): Record<string, string[]> {
  return {
    connectDomains: origins.connect,
    resourceDomains: origins.resource,
    frameDomains: origins.frame,
    baseUriDomains: origins.baseUri,
  };
}
