// A server over stdio with 400 tools, resources and prompts in pages of 50. With every `ping` a new item is added to the
// front of each list, an old one is removed, and all lists are announced as changed.
import { createInterface } from 'node:readline';

const COUNT = 400;
const PAGE = 50;
/** The numbers of the items, in the order of the lists. */
let items = Array.from({ length: COUNT }, (_, at) => at);

const ITEMS = {
  'tools/list': ['tools', (number) => ({
    name: `item-${number}`,
    inputSchema: { type: 'object', properties: { text: { type: 'string' }, count: { type: 'integer' } } },
  })],
  'resources/list': ['resources', (number) => ({ uri: `test://items/item-${number}`, name: `item-${number}` })],
  'prompts/list': ['prompts', (number) => ({ name: `item-${number}`, arguments: [{ name: 'text' }] })],
};

function listed(method, cursor = '0') {
  const [member, make] = ITEMS[method];
  const start = Number(cursor);
  const page = items.slice(start, start + PAGE).map(make);
  return { [member]: page, ...(start + PAGE < items.length ? { nextCursor: String(start + PAGE) } : {}) };
}

function answer(method, params) {
  switch (method) {
    case 'initialize': {
      const list = { listChanged: true };
      return {
        protocolVersion: '2025-11-25',
        capabilities: { tools: list, resources: list, prompts: list },
        serverInfo: { name: 'changing-lists', version: '1' },
      };
    }
    case 'ping':
      items = [Math.max(...items) + 1, ...items.filter((number) => number !== 300)];
      return {};
    case 'resources/read':
      return { contents: [{ uri: params.uri, mimeType: 'text/plain', text: `contents of ${params.uri}` }] };
    default:
      return method in ITEMS ? listed(method, params?.cursor) : undefined;
  }
}

const write = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);

for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined || method === undefined) continue;
  const result = answer(method, params);
  write({ id, ...(result === undefined ? { error: { code: -32601, message: 'Method not found' } } : { result }) });
  if (method === 'ping') {
    for (const kind of ['tools', 'resources', 'prompts']) write({ method: `notifications/${kind}/list_changed` });
  }
}
