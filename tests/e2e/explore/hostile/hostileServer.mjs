// A server over stdio that puts everything a page could stumble over into every text, schema and picture that is shown.
import { createInterface } from 'node:readline';

/** Zero-width, direction and tag characters. */
const HIDDEN = '\u200B\u202E\u2066\u{E0041}\u{E007F}';
/** A text with hidden characters, and with what would run as a script if it were read as HTML or as a link. */
const text = (name) => `${name}${HIDDEN} <img src=x onerror="window.ran=1"><script>window.ran=1</script>`;
const long = (name) => `${text(name)} ${'long '.repeat(60_000)}`;

const table = `${'|a'.repeat(1200)}|\n${'|-'.repeat(1200)}|\n${'|b|\n'.repeat(1200)}`;
const MARKDOWN = {
  table,
  nested: `${'- '.repeat(3000)}a`,
  quotes: `${'>'.repeat(3000)} a`,
  brackets: '[a]('.repeat(20_000),
  stars: '**a '.repeat(20_000),
  blanks: '- a\n\n\n'.repeat(15_000),
  links: `# ${text('t')}\n\n[run](javascript:window.ran=1) [m](mailto:a@example.org?attach=/etc/passwd) ![p](https://example.org/p.png) <iframe src="https://example.org"></iframe>`,
};

const object = (properties, more = {}) => ({ type: 'object', properties, ...more });
const twice = (combine, levels) => {
  const defs = Object.fromEntries(
    Array.from({ length: levels }, (_, at) => {
      const next = { $ref: `#/$defs/l${at + 1}` };
      return [`l${at}`, combine === 'properties' ? { type: 'object', properties: { a: next, b: next } } : { [combine]: [next, next] }];
    }),
  );
  return { type: 'object', properties: { x: { $ref: '#/$defs/l0' } }, $defs: { ...defs, [`l${levels}`]: { type: 'string' } } };
};
const many = (count, of) => Object.fromEntries(Array.from({ length: count }, (_, at) => [`p${at}`, of(at)]));

/** Fields whose words have no end, and no place where a line could break. */
const NAME = 'n'.repeat(100_000);
const WORDS = {
  [NAME]: { type: 'string', title: 'T'.repeat(100_000), description: 'D'.repeat(100_000) },
  choice: { title: 'T'.repeat(100_000), enum: ['c'.repeat(100_000), 'b'] },
};

const SCHEMAS = {
  texts: object(
    {
      [`name${HIDDEN}`]: { type: 'string', title: text('title'), description: text('description'), default: 'x' },
      choice: { enum: [`a${HIDDEN}`, 'b'], description: text('choice') },
      either: { oneOf: [{ title: text('one'), type: 'string' }, { title: 'two', type: 'number' }] },
    },
    { required: ['choice'] },
  ),
  words: object({ ...WORDS, pattern: { type: 'string', pattern: 'p'.repeat(100_000), default: 'd' } }),
  pattern: object({ x: { type: 'string', pattern: '^(a+)+$', default: `${'a'.repeat(60)}!` } }),
  url: object({ x: { type: 'string', format: 'url', default: `http://${'a'.repeat(60)}!` } }),
  alternatives: object({
    x: { anyOf: [{ type: 'string', pattern: '^(a+)+$' }, { type: 'number' }], default: `${'a'.repeat(60)}!` },
  }),
  all_of: twice('allOf', 40),
  any_of: twice('anyOf', 40),
  refs: twice('properties', 40),
  itself: object(many(40, () => ({ $ref: '#' }))),
  wide: object(many(4000, (at) => ({ type: 'string', description: `Property ${at}` }))),
  nested: object(many(60, () => object(many(60, () => ({ type: 'string' }))))),
  choices: object({ x: { enum: Array.from({ length: 20_000 }, (_, at) => `choice ${at}`) } }),
  large: object(many(15_000, (at) => ({ type: 'string', description: `Property ${at} ${'x'.repeat(40)}` }))),
  defaults: object({ x: { default: Array.from({ length: 100 }, () => Array.from({ length: 100 }, () => 0)) } }),
};

/** What is requested of the user, by the tool that asks for it. */
const REQUESTED = { elicit: SCHEMAS.pattern, ask_words: object(WORDS, { required: [NAME] }) };

/** A picture of 30,000 × 30,000 pixels in a few bytes: only its head is looked at. */
function hugePng() {
  const bytes = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGNgYGD4DwABBAEAfbLI3wAAAABJRU5ErkJggg==',
    'base64',
  );
  bytes.writeUInt32BE(30_000, 16);
  bytes.writeUInt32BE(30_000, 20);
  return bytes.toString('base64');
}
const uses = Array.from(
  { length: 40 },
  (_, at) => `<g id="g${at + 1}"><use href="#g${at}"/><use href="#g${at}"/></g>`,
).join('');
const svgBomb = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><g id="g0"><rect width="9" height="9"/></g>${uses}</svg>`;

const block = (value) => ({ type: 'text', text: value });
const page = (name, value) => ({ type: 'resource', resource: { uri: `test://${name}.md`, mimeType: 'text/markdown', text: value } });
const pages = Object.entries(MARKDOWN).map(([name, value]) => page(name, value));
const RESULTS = {
  // Once as text that may be Markdown, once as what is said to be.
  ...Object.fromEntries(Object.entries(MARKDOWN).map(([name, value]) => [`markdown_${name}`, () => [block(value), page(name, value)]])),
  // Each name is compared with all before it.
  frontmatter: () => [page('frontmatter', `---\n${Array.from({ length: 9000 }, (_, at) => `${at}:`).join('\n')}\n---\n\nbody`)],
  texts_result: () => [
    block(text('result')),
    { type: 'resource_link', uri: `test://r${HIDDEN}`, name: text('link'), title: text('title'), description: long('about') },
    { type: 'resource', resource: { uri: `test://e${HIDDEN}`, mimeType: 'text/plain', text: text('embedded') } },
    { type: `odd${HIDDEN}`, value: text('odd') },
  ],
  one_line: () => [block('x'.repeat(2_000_000))],
  json_line: () => [block(JSON.stringify(Array.from({ length: 100_000 }, (_, at) => ({ at }))))],
  json_deep: () => [block(`${'['.repeat(20_000)}${']'.repeat(20_000)}`)],
  yaml: () => [{ type: 'resource', resource: { uri: 'test://t.yaml', mimeType: 'application/yaml', text: `a: b\n${' '.repeat(2000)}\n` } }],
  python: () => [{ type: 'resource', resource: { uri: 'test://t.py', mimeType: 'text/x-python', text: `def a(): 0\n${'0'.repeat(250_000)}` } }],
  csv: () => [{ type: 'resource', resource: { uri: 'test://t.csv', mimeType: 'text/csv', text: `${'a,'.repeat(2000)}\n`.repeat(400) } }],
  pictures: () => [
    { type: 'image', mimeType: 'image/png', data: hugePng() },
    { type: 'image', mimeType: 'image/svg+xml', data: Buffer.from(svgBomb).toString('base64') },
    { type: 'image', mimeType: 'image/x-unknown', data: 'AAAA' },
  ],
  many_blocks: () => Array.from({ length: 5000 }, (_, at) => block(`block ${at}`)),
};

const tools = [
  ...Object.entries(SCHEMAS).map(([name, inputSchema]) => ({ name, inputSchema, annotations: { readOnlyHint: true } })),
  ...Object.keys(RESULTS).map((name) => ({
    name,
    inputSchema: object({}),
    annotations: { readOnlyHint: true },
    icons: [{ src: `data:image/png;base64,${hugePng()}`, mimeType: 'image/png' }],
  })),
  ...Object.entries(MARKDOWN).map(([name, description]) => ({
    name: `about_${name}`,
    description,
    inputSchema: object({}),
    annotations: { readOnlyHint: true },
  })),
  {
    name: `hidden${HIDDEN}`,
    title: text('title'),
    description: long('description'),
    inputSchema: object({}),
    annotations: { title: text('annotated') },
  },
  ...['elicit', 'ask_words'].map((name) => ({ name, inputSchema: object({}), annotations: { readOnlyHint: true } })),
  { name: 'log', inputSchema: object({}), annotations: { readOnlyHint: true } },
];

const resources = Array.from({ length: 20 }, (_, at) => ({
  uri: `test://${at}/path${HIDDEN}`,
  name: text(`resource ${at}`),
  title: at % 2 === 0 ? long(`title ${at}`) : undefined,
  description: long('description'),
  mimeType: `text/plain${HIDDEN}`,
}));
const prompts = [
  {
    name: `prompt${HIDDEN}`,
    title: long('title'),
    description: long('description'),
    arguments: [{ name: `argument${HIDDEN}`, description: long('argument') }],
  },
];

/** The calls that wait for an answer of the user, by the ids of what was asked. */
const asked = new Map();
function answer({ method, params }) {
  switch (method) {
    case 'initialize':
      return {
        protocolVersion: params.protocolVersion,
        capabilities: { tools: {}, resources: {}, prompts: {}, logging: {} },
        serverInfo: { name: text('server'), title: text('server title'), version: text('1') },
        instructions: `${table}\n\n${text('instructions')}`,
      };
    case 'tools/list':
      return { tools };
    case 'resources/list':
      return { resources };
    case 'resources/templates/list':
      return { resourceTemplates: [{ uriTemplate: `test://${HIDDEN}{a}`, name: text('template'), description: long('template') }] };
    case 'prompts/list':
      return { prompts };
    case 'prompts/get':
      return { description: text('got'), messages: [{ role: 'user', content: block(`${table}\n\n${text('message')}`) }, ...pages.map((content) => ({ role: 'assistant', content }))] };
    case 'resources/read':
      return { contents: [{ uri: params.uri, mimeType: 'text/markdown', text: `${table}\n\n${text('contents')}` }, ...pages.map(({ resource }) => resource)] };
    case 'tools/call':
      return { content: RESULTS[params.name]?.() ?? [block(text('done'))] };
    case 'ping':
    case 'logging/setLevel':
      return {};
    default:
      return undefined;
  }
}

const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
process.stderr.write(`${text('stderr')}\n`);

createInterface({ input: process.stdin }).on('line', (line) => {
  const message = JSON.parse(line);
  if (message.id === undefined) return;
  if (message.method === undefined) {
    send({ id: asked.get(message.id), result: { content: [block(text(`answered with ${message.result.action}`))] } });
    return;
  }
  const result = answer(message);
  if (result === undefined) {
    send({ id: message.id, error: { code: -32601, message: text('no such method') } });
    return;
  }
  const requestedSchema = message.method === 'tools/call' ? REQUESTED[message.params.name] : undefined;
  if (requestedSchema !== undefined) {
    const id = `ask-${asked.size}`;
    asked.set(id, message.id);
    send({
      id,
      method: 'elicitation/create',
      params: { message: long('message'), requestedSchema },
    });
    return;
  }
  if (message.method === 'tools/call' && message.params.name === 'log') {
    send({ method: 'notifications/message', params: { level: 'error', logger: `db${HIDDEN}`, data: text('log') } });
  }
  send({ id: message.id, result });
});
