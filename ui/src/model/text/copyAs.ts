import type { Timeouts } from '../../contract/generated';
import {
  type CallOptions,
  type ExchangeRequest,
  type ToolRequest,
  argumentsOf,
  subjectOf,
} from '../exchange/request';
import { indentJson } from './json';

/** The formats in which a request can be copied. */

/** One word of a POSIX shell. */
export function shellQuote(word: string): string {
  if (/^[A-Za-z0-9_@%+=:,./-]+$/.test(word)) return word;
  return `'${word.replaceAll("'", `'\\''`)}'`;
}

/** JSON text without the line breaks of its indent; left alone if it is not JSON. */
function oneLine(text: string): string {
  let inString = false;
  let out = '';
  for (let at = 0; at < text.length; at += 1) {
    const char = text.charAt(at);
    if (inString) {
      out += char;
      if (char === '\\') {
        at += 1;
        out += text.charAt(at);
      } else if (char === '"') inString = false;
    } else if (char === '"') {
      inString = true;
      out += char;
    } else if (!/\s/.test(char)) out += char;
  }
  return out;
}

/** The `params` of `tools/call`, as they will be sent, without the `_meta` members the protocol adds. */
export function callParams(
  tool: string,
  argumentsJson: string,
  { metaJson, asTask }: Pick<CallOptions, 'metaJson' | 'asTask'>,
): string {
  const ttl = asTask?.ttlMs ?? null;
  const task = asTask === null ? '' : `,"task":{${ttl === null ? '' : `"ttl":${ttl}`}}`;
  const meta = metaJson === null ? '' : `,"_meta":${metaJson}`;
  return `{"name":${JSON.stringify(tool)},"arguments":${argumentsJson}${task}${meta}}`;
}

/** The method of a request and its `params` as JSON text; null sends none. */
export function messageOf(request: ExchangeRequest): { method: string; paramsJson: string | null } {
  switch (request.type) {
    case 'tool': {
      const { name, argumentsJson, options } = request;
      return { method: 'tools/call', paramsJson: callParams(name, argumentsJson, options) };
    }
    case 'prompt': {
      const { name, argumentsJson } = request;
      const given = argumentsJson === null ? '' : `,"arguments":${argumentsJson}`;
      return { method: 'prompts/get', paramsJson: `{"name":${JSON.stringify(name)}${given}}` };
    }
    case 'resource':
      return { method: 'resources/read', paramsJson: `{"uri":${JSON.stringify(request.uri)}}` };
    case 'task':
      return { method: 'tasks/result', paramsJson: `{"taskId":${JSON.stringify(request.taskId)}}` };
    case 'raw':
      return request;
  }
}

/** A request as JSON-RPC. */
export function asJsonRpc(request: ExchangeRequest): string {
  const { method, paramsJson } = messageOf(request);
  const params = paramsJson === null ? '' : `,"params":${paramsJson}`;
  return indentJson(`{"jsonrpc":"2.0","id":1,"method":${JSON.stringify(method)}${params}}`);
}

/** Words that are not options: a server may name a tool `--record=…`. */
function operands(...words: string[]): string[] {
  return words.some((word) => word.startsWith('-')) ? ['--', ...words] : words;
}

/** The longest timeout that the command takes, in s. */
const LONGEST_TIMEOUT = 600;

/** The timeout of a request that has one of its own: the command has one for all, without regard to progress. */
function timeoutWords(timeouts: Timeouts | null): string[] {
  if (timeouts === null) return [];
  const { requestMs, maxTotalMs, resetOnProgress } = timeouts;
  const ms = resetOnProgress ? maxTotalMs : Math.min(requestMs, maxTotalMs);
  return ['--timeout', String(Math.min(LONGEST_TIMEOUT, Math.ceil(ms / 1000)))];
}

/** The words of a tool call; undefined if no option of the command says what the call has besides arguments. */
function callWords({ name, argumentsJson, options }: ToolRequest, of: string[]): string[] | undefined {
  const { metaJson, asTask } = options;
  if (metaJson !== null || (asTask !== null && asTask.ttlMs !== null)) return undefined;
  const task = asTask === null ? [] : ['--task'];
  return [
    'tools',
    'call',
    ...of,
    ...timeoutWords(options.timeouts),
    ...task,
    ...operands(name, oneLine(argumentsJson)),
  ];
}

/** A request as a `patchbay` command line. `server` is the name that Patchbay has for it. */
export function asCli(server: string, request: ExchangeRequest): string {
  const of = server.startsWith('-') ? [`--server=${server}`] : ['--server', server];
  const asMessage = (): string[] => {
    const { method, paramsJson } = messageOf(request);
    const given = paramsJson === null ? [] : [oneLine(paramsJson)];
    return ['request', ...of, ...operands(method, ...given)];
  };
  const words = (): string[] => {
    switch (request.type) {
      case 'tool':
        return callWords(request, of) ?? asMessage();
      case 'prompt': {
        const { name, argumentsJson, timeouts } = request;
        const given = argumentsJson === null ? [] : [oneLine(argumentsJson)];
        return ['prompts', 'get', ...of, ...timeoutWords(timeouts), ...operands(name, ...given)];
      }
      case 'resource':
        return ['resources', 'read', ...of, ...operands(request.uri)];
      case 'task':
      case 'raw':
        return asMessage();
    }
  };
  return ['patchbay', ...words()].map(shellQuote).join(' ');
}

export interface Report {
  server: string;
  request: ExchangeRequest;
  outcome: string;
  duration: string | null;
  at: string;
  /** JSON text; null if nothing was received. */
  result: string | null;
}

/** A request and its outcome as Markdown. */
export function asMarkdown({ server, request, outcome, duration, at, result }: Report): string {
  const facts = [
    `- Server: ${server}`,
    `- When: ${at}`,
    `- Outcome: ${outcome}${duration === null ? '' : ` in ${duration}`}`,
  ];
  const parts = [`## \`${subjectOf(request)}\``, facts.join('\n')];
  const given = argumentsOf(request);
  if (given !== '') parts.push(`Arguments:\n\n${fence('json', indentJson(given))}`);
  if (result !== null) parts.push(`Result:\n\n${fence('json', indentJson(result))}`);
  return `${parts.join('\n\n')}\n`;
}

/** A fenced block of Markdown, with more ticks than any run inside of it. */
export function fence(language: string, text: string): string {
  let longest = 2;
  for (const [run] of text.matchAll(/`+/g)) longest = Math.max(longest, run.length);
  const ticks = '`'.repeat(longest + 1);
  return `${ticks}${language}\n${text}\n${ticks}`;
}
