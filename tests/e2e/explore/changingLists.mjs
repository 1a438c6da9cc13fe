// A server over stdio with 400 tools, resources, templates, prompts, tasks and skills in pages of 50. With every `ping` or `test/change`
// a new item is added to the front of each list, an old one is removed, and all lists are announced as changed. `modern`: it speaks
// 2026-07-28 only, and its lists may be kept for 2 s. Skills are known to that revision only,
// tasks to the other only.
import { createInterface } from 'node:readline';

const COUNT = 400;
const PAGE = 50;
const TTL_MS = 5000;
const isModern = process.argv[2] === 'modern';
/** The numbers of the items, in the order of the lists. */
let items = Array.from({ length: COUNT }, (_, at) => at);

const ITEMS = {
  'tools/list': ['tools', (number) => ({
    name: `item-${number}`,
    inputSchema: { type: 'object', properties: { text: { type: 'string' }, count: { type: 'integer' } } },
  })],
  'resources/list': ['resources', (number) => ({ uri: `test://items/item-${number}`, name: `item-${number}` })],
  'resources/templates/list': ['resourceTemplates', (number) => ({
    uriTemplate: `test://items/item-${number}/{text}`,
    name: `item-${number}`,
  })],
  'prompts/list': ['prompts', (number) => ({ name: `item-${number}`, arguments: [{ name: 'text' }] })],
  'tasks/list': ['tasks', (number) => ({
    taskId: `item-${number}`,
    status: 'working',
    createdAt: '2025-11-25T10:30:00Z',
    lastUpdatedAt: '2025-11-25T10:30:00Z',
    ttl: null,
  })],
  'skills/list': ['skills', (number) => ({
    uri: `skill://item-${number}/SKILL.md`,
    frontmatter: { name: `item-${number}`, description: `Skill ${number}` },
    resources: [{ uri: `skill://item-${number}/SKILL.md` }, { uri: `skill://item-${number}/notes.md` }],
  })],
};
const SERVER_INFO = { name: 'changing-lists', version: '1' };

function listed(method, cursor = '0') {
  const [member, make] = ITEMS[method];
  const start = Number(cursor);
  const page = items.slice(start, start + PAGE).map(make);
  return { [member]: page, ...(start + PAGE < items.length ? { nextCursor: String(start + PAGE) } : {}), ...cacheable() };
}

const cacheable = () => (isModern ? { ttlMs: TTL_MS, cacheScope: 'private' } : {});

function capabilities() {
  const list = { listChanged: true };
  const extensions = { 'io.modelcontextprotocol/skills': {} };
  return { tools: list, resources: list, prompts: list, ...(isModern ? { extensions } : { tasks: { list: {} } }) };
}

function answer(method, params) {
  switch (method) {
    case 'initialize':
      return isModern ? undefined : { protocolVersion: '2025-11-25', capabilities: capabilities(), serverInfo: SERVER_INFO };
    case 'server/discover':
      return isModern ? { supportedVersions: ['2026-07-28'], capabilities: capabilities(), ...cacheable() } : undefined;
    case 'ping':
    case 'test/change':
      items = [Math.max(...items) + 1, ...items.filter((number) => number !== 300)];
      return {};
    case 'resources/read':
      return { contents: [{ uri: params.uri, mimeType: 'text/plain', text: `contents of ${params.uri}` }], ...cacheable() };
    default:
      return method in ITEMS ? listed(method, params?.cursor) : undefined;
  }
}

const write = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);

const ended = (result) =>
  isModern ? { resultType: 'complete', ...result, _meta: { 'io.modelcontextprotocol/serverInfo': SERVER_INFO } } : result;

for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined || method === undefined) continue;
  const result = answer(method, params);
  write({ id, ...(result === undefined ? { error: { code: -32601, message: 'Method not found' } } : { result: ended(result) }) });
  if (method === 'ping') {
    for (const kind of ['tools', 'resources', 'prompts']) write({ method: `notifications/${kind}/list_changed` });
  }
}
