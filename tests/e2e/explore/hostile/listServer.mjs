// A server over stdio whose lists do not hold still: the cursors of its tools lead in a circle, its resources change each time
// one of their pages is read, and its prompts, resources and templates have the same name twice. One template has each operator.
import { createInterface } from 'node:readline';

const NEXT = { start: 'a', a: 'b', b: 'a' };
let reads = 0;

const write = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);

function tools(cursor = 'start') {
  return { tools: [{ name: `tool-${cursor}`, inputSchema: { type: 'object' } }], nextCursor: NEXT[cursor] };
}

function resources(cursor) {
  if (cursor === undefined) return { resources: [{ uri: 'odd://first', name: 'first' }], nextCursor: 'more' };
  reads += 1;
  write({ method: 'notifications/resources/list_changed' });
  return {
    resources: [
      { uri: `odd://read-${reads}`, name: `read ${reads}` },
      { uri: 'odd://twice', name: 'twice', description: 'first' },
      { uri: 'odd://twice', name: 'twice', description: 'second' },
    ],
  };
}

const OPERATORS = ['', '+', '#', '.', '/', ';', '?', '&'];

function answer(method, params) {
  switch (method) {
    case 'initialize':
      return {
        protocolVersion: '2025-11-25',
        capabilities: { tools: {}, resources: { listChanged: true }, prompts: {} },
        serverInfo: { name: 'restless', version: '1' },
      };
    case 'tools/list':
      return tools(params?.cursor);
    case 'tools/call':
      return { content: [{ type: 'text', text: `called ${params.name}` }] };
    case 'resources/list':
      return resources(params?.cursor);
    case 'resources/templates/list':
      return {
        resourceTemplates: [
          ...OPERATORS.map((operator) => ({ uriTemplate: `odd://t/x{${operator}v}`, name: `operator ${operator}` })),
          { uriTemplate: 'odd://t/twice/{v}', name: 'twice', description: 'first' },
          { uriTemplate: 'odd://t/twice/{v}', name: 'twice', description: 'second' },
        ],
      };
    case 'resources/read':
      return { contents: [{ uri: params.uri, mimeType: 'text/plain', text: `contents of ${params.uri}` }] };
    case 'prompts/list':
      return {
        prompts: [
          { name: 'twice', description: 'first' },
          { name: 'twice', description: 'second' },
        ],
      };
    case 'prompts/get':
      return { messages: [{ role: 'user', content: { type: 'text', text: `got ${params.name}` } }] };
    default:
      return undefined;
  }
}

for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined || method === undefined) continue;
  const result = answer(method, params);
  write({ id, ...(result === undefined ? { error: { code: -32601, message: 'Method not found' } } : { result }) });
}
