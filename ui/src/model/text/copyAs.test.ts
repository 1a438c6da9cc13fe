import { expect, it } from 'vitest';
import { type CallOptions, DEFAULT_OPTIONS, type PromptRequest, type ToolRequest } from '../exchange/request';
import { asCli, asJsonRpc, asMarkdown, callParams, shellQuote } from './copyAs';

const aCall = (name: string, argumentsJson: string): ToolRequest => ({
  type: 'tool',
  name,
  argumentsJson,
  options: DEFAULT_OPTIONS,
});
const aPrompt = (argumentsJson: string | null): PromptRequest => ({
  type: 'prompt',
  name: 'review it',
  argumentsJson,
  timeouts: null,
});

it('quotes for a POSIX shell', () => {
  expect(shellQuote('get-sum')).toBe('get-sum');
  expect(shellQuote('')).toBe("''");
  expect(shellQuote(`it's $HOME`)).toBe(`'it'\\''s $HOME'`);
});

it('writes the command line of a call, numbers and spaces inside of texts untouched', () => {
  expect(asCli('my server', aCall('add', '{\n  "a": 9007199254740993,\n  "b": "x  \\" y"\n}'))).toBe(
    `patchbay tools call --server 'my server' add '{"a":9007199254740993,"b":"x  \\" y"}'`,
  );
});

it('writes the timeout of a call that has one of its own, as far as the command takes one', () => {
  const timed = (requestMs: number, maxTotalMs: number, resetOnProgress: boolean): string => {
    const timeouts = { requestMs, maxTotalMs, resetOnProgress };
    return asCli('s', { ...aCall('slow', '{}'), options: { ...DEFAULT_OPTIONS, timeouts } });
  };
  expect(timed(120_500, 600_000, false)).toBe("patchbay tools call --server s --timeout 121 slow '{}'");
  expect(timed(60_000, 300_000, true)).toBe("patchbay tools call --server s --timeout 300 slow '{}'");
  expect(timed(60_000, 7_200_000, true)).toBe("patchbay tools call --server s --timeout 600 slow '{}'");
  const timeouts = { requestMs: 5_000, maxTotalMs: 9_000, resetOnProgress: false };
  expect(asCli('s', { ...aPrompt(null), timeouts })).toBe(
    "patchbay prompts get --server s --timeout 5 'review it'",
  );
});

it('never writes the name of a tool or a server as an option', () => {
  expect(asCli('-s', aCall('--record=/etc/x', '{}'))).toBe(
    "patchbay tools call --server=-s -- --record=/etc/x '{}'",
  );
  expect(asCli('s', { type: 'resource', uri: '--help' })).toBe(
    'patchbay resources read --server s -- --help',
  );
});

it('writes params exactly around the text of the arguments', () => {
  expect(callParams('a"b', '{ "x": 1.10 }', DEFAULT_OPTIONS)).toBe(
    '{"name":"a\\"b","arguments":{ "x": 1.10 }}',
  );
  const metaJson = '{"k":1}';
  expect(callParams('t', '{}', { metaJson, asTask: null })).toBe(
    '{"name":"t","arguments":{},"_meta":{"k":1}}',
  );
  expect(callParams('t', '{}', { metaJson, asTask: { ttlMs: null } })).toBe(
    '{"name":"t","arguments":{},"task":{},"_meta":{"k":1}}',
  );
});

it('writes a call as a task as one, with its lifetime', () => {
  const call = (options: Partial<CallOptions>): ToolRequest => ({
    ...aCall('t', '{}'),
    options: { ...DEFAULT_OPTIONS, ...options },
  });
  expect(JSON.parse(asJsonRpc(call({ asTask: { ttlMs: 5_000 } })))).toMatchObject({
    params: { task: { ttl: 5_000 } },
  });
  expect(asCli('s', call({ asTask: { ttlMs: null } }))).toBe("patchbay tools call --server s --task t '{}'");
  expect(asCli('s', call({ asTask: { ttlMs: 5_000 } }))).toBe(
    `patchbay request --server s tools/call '{"name":"t","arguments":{},"task":{"ttl":5000}}'`,
  );
  expect(asCli('s', call({ metaJson: '{ "k": 1 }' }))).toBe(
    `patchbay request --server s tools/call '{"name":"t","arguments":{},"_meta":{"k":1}}'`,
  );
});

it('writes a JSON-RPC request with exact numbers', () => {
  expect(asJsonRpc(aCall('t', '{"a":1.10}'))).toContain('"a": 1.10');
});

it('fences a report beyond the fences inside of it', () => {
  const report = asMarkdown({
    server: 's',
    request: aCall('t', '{"a":"```"}'),
    outcome: 'Result',
    duration: '4.2 ms',
    at: '2026-11-21 12:03:04.567',
    result: '{"content":[]}',
  });
  expect(report).toContain('````json\n{\n  "a": "```"\n}\n````');
  expect(report).toContain('- Outcome: Result in 4.2 ms');
});

it('writes every kind of request as JSON-RPC and as a command line', () => {
  expect(JSON.parse(asJsonRpc(aPrompt(null)))).toEqual({
    jsonrpc: '2.0',
    id: 1,
    method: 'prompts/get',
    params: { name: 'review it' },
  });
  expect(JSON.parse(asJsonRpc(aPrompt('{"code":"a\\nb"}')))).toMatchObject({
    params: { name: 'review it', arguments: { code: 'a\nb' } },
  });
  expect(asCli('s', aPrompt(null))).toBe(`patchbay prompts get --server s 'review it'`);
  expect(asCli('s', aPrompt('{"code":"a b"}'))).toBe(
    `patchbay prompts get --server s 'review it' '{"code":"a b"}'`,
  );
  expect(asCli('s', { type: 'resource', uri: 'file:///a b' })).toBe(
    `patchbay resources read --server s 'file:///a b'`,
  );
  expect(asCli('s', { type: 'raw', method: 'ping', paramsJson: null, repeats: null })).toBe(
    'patchbay request --server s ping',
  );
  expect(asCli('s', { type: 'task', taskId: 't' })).toBe(
    `patchbay request --server s tasks/result '{"taskId":"t"}'`,
  );
});
