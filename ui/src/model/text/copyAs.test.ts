import { expect, it } from 'vitest';
import { asCli, asJsonRpc, asMarkdown, callParams, shellQuote } from './copyAs';

it('quotes for a POSIX shell', () => {
  expect(shellQuote('get-sum')).toBe('get-sum');
  expect(shellQuote('')).toBe("''");
  expect(shellQuote(`it's $HOME`)).toBe(`'it'\\''s $HOME'`);
});

it('writes the command line of a call, numbers and spaces inside of texts untouched', () => {
  expect(asCli('my server', 'add', '{\n  "a": 9007199254740993,\n  "b": "x  \\" y"\n}')).toBe(
    `patchbay tools call --server 'my server' add '{"a":9007199254740993,"b":"x  \\" y"}'`,
  );
});

it('writes params exactly around the text of the arguments', () => {
  expect(callParams('a"b', '{ "x": 1.10 }', null)).toBe('{"name":"a\\"b","arguments":{ "x": 1.10 }}');
  expect(callParams('t', '{}', '{"k":1}')).toBe('{"name":"t","arguments":{},"_meta":{"k":1}}');
});

it('writes a JSON-RPC request with exact numbers', () => {
  expect(asJsonRpc('t', '{"a":1.10}', null)).toContain('"a": 1.10');
});

it('fences a report beyond the fences inside of it', () => {
  const report = asMarkdown({
    server: 's',
    tool: 't',
    argumentsJson: '{"a":"```"}',
    outcome: 'Result',
    duration: '4.2 ms',
    at: '2026-11-21 12:03:04.567',
    result: '{"content":[]}',
  });
  expect(report).toContain('````json\n{\n  "a": "```"\n}\n````');
  expect(report).toContain('- Outcome: Result in 4.2 ms');
});
