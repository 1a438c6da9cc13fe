import type { AsTask, CommandError, ExchangeEvent, Seq, ServerId, Timeouts } from '../../contract/generated';
import type { Host, StreamHandle } from '../../host/host';

/** The requests a user can send, and the stream that sends each of them. */

/** The options of a tool call in addition to its arguments. */
export interface CallOptions {
  /** JSON text of an object, or null for none. */
  metaJson: string | null;
  /** Replaces the server's setting. */
  timeouts: Timeouts | null;
  /** Runs the call as a task of 2025-11-25; null waits for the result. */
  asTask: AsTask | null;
}

/** The server's settings, with nothing added. */
export const DEFAULT_OPTIONS: CallOptions = { metaJson: null, timeouts: null, asTask: null };

/** Whether the options are those nobody has changed. */
export function isDefault({ metaJson, timeouts, asTask }: CallOptions): boolean {
  return metaJson === null && timeouts === null && asTask === null;
}

export interface ToolRequest {
  type: 'tool';
  name: string;
  argumentsJson: string;
  options: CallOptions;
}

/** Waits for the result of a task. */
export interface TaskRequest {
  type: 'task';
  taskId: string;
}

/** Any method with any params. */
export interface RawRequest {
  type: 'raw';
  method: string;
  paramsJson: string | null;
  /** The record of the request that is sent again, if it is one. */
  repeats: Seq | null;
}

export interface ResourceRequest {
  type: 'resource';
  uri: string;
}

export interface PromptRequest {
  type: 'prompt';
  name: string;
  /** JSON text of an object of strings; null sends no arguments. */
  argumentsJson: string | null;
  /** Replaces the server's setting. */
  timeouts: Timeouts | null;
}

export type ExchangeRequest = ToolRequest | ResourceRequest | PromptRequest | TaskRequest | RawRequest;

/** Names the exchanges that belong together: those about one tool, resource, prompt, task or method of one server. */
export type ExchangeKey<R extends ExchangeRequest = ExchangeRequest> = string & { readonly __request: R };

export function exchangeKey<R extends ExchangeRequest>(
  serverId: ServerId,
  type: R['type'],
  subject: string,
): ExchangeKey<R> {
  return `${serverId}\n${type}\n${subject}` as ExchangeKey<R>;
}

export function toolKey(serverId: ServerId, name: string): ExchangeKey<ToolRequest> {
  return exchangeKey(serverId, 'tool', name);
}

export function resourceKey(serverId: ServerId, uri: string): ExchangeKey<ResourceRequest> {
  return exchangeKey(serverId, 'resource', uri);
}

export function promptKey(serverId: ServerId, name: string): ExchangeKey<PromptRequest> {
  return exchangeKey(serverId, 'prompt', name);
}

export function rawKey(serverId: ServerId, method: string): ExchangeKey<RawRequest> {
  return exchangeKey(serverId, 'raw', method);
}

export function taskKey(serverId: ServerId, taskId: string): ExchangeKey<TaskRequest> {
  return exchangeKey(serverId, 'task', taskId);
}

export function keyOf<R extends ExchangeRequest>(serverId: ServerId, request: R): ExchangeKey<R> {
  return exchangeKey(serverId, request.type, subjectOf(request));
}

/** What a request is about: the name of a tool or prompt, a URI, the id of a task, a method. */
export function subjectOf(request: ExchangeRequest): string {
  switch (request.type) {
    case 'tool':
    case 'prompt':
      return request.name;
    case 'resource':
      return request.uri;
    case 'task':
      return request.taskId;
    case 'raw':
      return request.method;
  }
}

/** The arguments of a request, its params if it has no arguments: JSON text, empty if there is none. */
export function argumentsOf(request: ExchangeRequest): string {
  switch (request.type) {
    case 'tool':
      return request.argumentsJson;
    case 'prompt':
      return request.argumentsJson ?? '';
    case 'raw':
      return request.paramsJson ?? '';
    case 'resource':
    case 'task':
      return '';
  }
}

interface Handlers {
  onEvent: (event: ExchangeEvent) => void;
  onEnd: (error?: CommandError) => void;
}

/** Sends a request. Closing the handle does not cancel it, but stops waiting for the result of a task. */
export function send(
  host: Host,
  serverId: ServerId,
  request: ExchangeRequest,
  handlers: Handlers,
): StreamHandle {
  switch (request.type) {
    case 'tool': {
      const { name, argumentsJson, options } = request;
      const { metaJson, timeouts, asTask } = options;
      const task = asTask === null ? {} : { asTask };
      return host.openStream(
        'tool_call',
        { serverId, name, argumentsJson, metaJson, timeouts, ...task },
        handlers,
      );
    }
    case 'resource':
      return host.openStream('resource_read', { serverId, uri: request.uri, timeouts: null }, handlers);
    case 'prompt': {
      const { name, argumentsJson, timeouts } = request;
      return host.openStream('prompt_get', { serverId, name, argumentsJson, timeouts }, handlers);
    }
    case 'task':
      return host.openStream('task_result', { serverId, taskId: request.taskId }, handlers);
    case 'raw': {
      const { method, paramsJson, repeats } = request;
      return host.openStream(
        'request_send',
        { serverId, method, paramsJson, timeouts: null, repeats },
        handlers,
      );
    }
  }
}
