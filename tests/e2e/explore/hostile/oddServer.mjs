// A server over stdio that offers what nobody should: odd names, schemas that are no schemas, icons of every kind, wrong types
// and broken bytes, and in each of its texts markup that would set `window.pwned` if anything executed it.
import { createInterface } from 'node:readline';

const EVIL = '<img src=x onerror="window.pwned=1"><script>window.pwned=1</script>[x](javascript:window.pwned=1)';
const PNG = 'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const LONG = `${'long_'.repeat(2_000)}end`;

const NAMES = ['a/b/../c', 'with spaces  in it', '😀 émoji', 'constructor', '__proto__', EVIL, LONG];
const icon = (src) => ({ src, mimeType: 'image/png', sizes: ['16x16'] });
const ICONS = [
  'javascript:window.pwned=1',
  'data:text/html,<script>window.pwned=1</script>',
  "data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' onload='window.pwned=1'/>",
  'http://127.0.0.1:1/i.png',
  'https://icons.invalid/i.png',
  'file:///etc/passwd',
  `data:image/png;base64,${'A'.repeat(70_000)}`,
  '',
  7,
  PNG,
].map(icon);

const SCHEMAS = {
  'schema-true': true,
  'schema-missing': undefined,
  'schema-string': 'object',
  'schema-array': { type: 'array', items: {} },
  'schema-circular': { $ref: '#' },
  'schema-recursive': { type: 'object', properties: { child: { $ref: '#' }, text: { type: 'string' } } },
  'schema-network': { type: 'object', properties: { a: { $ref: 'https://schemas.invalid/a.json' } } },
  'schema-dangling': { type: 'object', properties: { a: { $ref: '#/$defs/none' } } },
  'schema-5mb': {
    type: 'object',
    properties: Object.fromEntries(Array.from({ length: 20_000 }, (_, n) => [`p${n}`, { type: 'string', description: 'x'.repeat(200) }])),
  },
  'schema-evil': {
    type: 'object',
    properties: { [EVIL]: { type: 'string', title: EVIL, description: EVIL, default: EVIL, examples: [EVIL] }, pick: { enum: [EVIL, 'b'] } },
  },
};

/** Called without a question. */
const calm = { annotations: { readOnlyHint: true } };
const plain = { inputSchema: { type: 'object' }, ...calm };
const tools = [
  ...NAMES.map((name) => ({ name, title: EVIL, description: EVIL, ...plain })),
  { name: 'twice', description: 'first', ...plain },
  { name: 'twice', description: 'second', ...plain },
  ...Object.entries(SCHEMAS).map(([name, inputSchema]) => ({ name, description: EVIL, inputSchema, ...calm })),
  { name: 'icons', icons: ICONS, ...plain },
  { name: 'odd_results', ...plain },
];
const uriOf = (name) => `evil://${encodeURIComponent(name).slice(0, 2_000)}`;
const resources = [
  ...NAMES.map((name) => ({ uri: uriOf(name), name, title: EVIL, description: EVIL, mimeType: EVIL, icons: ICONS })),
  { uri: 'evil://not-an-image', name: 'not an image', mimeType: 'image/png' },
  { uri: 'evil://broken', name: 'broken base64', mimeType: 'image/png' },
  { uri: 'evil://html', name: 'html', mimeType: 'text/html' },
  { uri: 'evil://svg', name: 'svg', mimeType: 'image/svg+xml' },
  { uri: 'javascript:window.pwned=1', name: 'script uri' },
];
const CONTENTS = {
  'evil://not-an-image': { mimeType: 'image/png', text: EVIL },
  'evil://broken': { mimeType: 'image/png', text: undefined, blob: '%%% not base64 %%%' },
  'evil://html': { mimeType: 'text/html', text: EVIL },
  'evil://svg': { mimeType: 'image/svg+xml', text: `<svg xmlns="http://www.w3.org/2000/svg" onload="window.pwned=1">${EVIL}</svg>` },
};
const prompts = NAMES.map((name) => ({ name, title: EVIL, description: EVIL, icons: ICONS, arguments: [{ name: EVIL, description: EVIL }] }));

function answer(method, params) {
  switch (method) {
    case 'initialize':
      return {
        protocolVersion: '2025-11-25',
        capabilities: { tools: {}, resources: {}, prompts: {}, logging: {} },
        serverInfo: { name: EVIL, title: EVIL, version: EVIL, description: EVIL, websiteUrl: 'javascript:window.pwned=1', icons: ICONS },
        instructions: EVIL,
      };
    case 'tools/list':
      return { tools };
    case 'resources/list':
      return { resources };
    case 'resources/templates/list':
      return { resourceTemplates: [{ uriTemplate: `evil://{${'x'.repeat(40)}}/{+y}`, name: EVIL, description: EVIL }] };
    case 'prompts/list':
      return { prompts };
    case 'resources/read':
      return { contents: [{ uri: params.uri, mimeType: EVIL, text: EVIL, ...CONTENTS[params.uri] }] };
    case 'prompts/get':
      return { description: EVIL, messages: [{ role: 'user', content: { type: 'text', text: EVIL } }] };
    case 'tools/call':
      return {
        content: [
          { type: 'text', text: `called «${params.name}» ${EVIL}` },
          { type: 'image', mimeType: 'image/png', data: '%%% not base64 %%%' },
          { type: 'image', mimeType: 'text/html', data: Buffer.from(EVIL).toString('base64') },
          { type: 'audio', mimeType: 'audio/wav', data: '' },
          { type: 'resource_link', uri: 'javascript:window.pwned=1', name: EVIL },
          { type: 'resource', resource: { uri: 'evil://html', mimeType: 'text/html', text: EVIL } },
          { type: EVIL, text: EVIL },
        ],
        structuredContent: { [EVIL]: EVIL },
      };
    case 'ping':
    case 'logging/setLevel':
      return {};
    default:
      return undefined;
  }
}

for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined || method === undefined) continue;
  const result = answer(method, params);
  const ending = result === undefined ? { error: { code: -32601, message: EVIL, data: EVIL } } : { result };
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, ...ending })}\n`);
}
