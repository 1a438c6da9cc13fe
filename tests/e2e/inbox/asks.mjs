// A server over stdio with one tool, `ask`: it sends the client any request, and its result is the answer. “HUGE” in the params
// becomes 1.2 million letters, `fields` is the number of fields of a form, `messages` that of the messages of a conversation, `count`
// requests are sent at once, and `then` withdraws them or ends the server. Another tool, `withdraw`, withdraws those that wait.
import { createInterface } from 'node:readline';

const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
const answers = new Map();
let lastId = 0;

function ask(method, params) {
  const id = `q${++lastId}`;
  send({ id, method, params });
  return { id, answer: new Promise((resolve) => answers.set(id, resolve)) };
}

const INPUT = {
  type: 'object',
  properties: {
    method: { type: 'string' },
    params: { type: 'object' },
    fields: { type: 'integer' },
    messages: { type: 'integer' },
    count: { type: 'integer' },
    then: { type: 'string', enum: ['wait', 'cancel', 'exit'] },
  },
};

/** The fields of a large form: of every kind that an elicitation may have. */
const FIELDS = [
  () => ({ type: 'string' }),
  (at) => ({ type: 'string', title: `Field ${at}`, description: `Say something about ${at}.` }),
  () => ({ type: 'integer', minimum: 0 }),
  () => ({ type: 'boolean' }),
  () => ({ type: 'string', enum: ['red', 'green'] }),
];

async function call(id, { method = 'elicitation/create', params = {}, fields = 0, messages = 0, count = 1, then = 'wait' }) {
  if (fields > 0) {
    const many = Array.from({ length: fields }, (_, at) => [`f${at}`, FIELDS[at % FIELDS.length](at)]);
    params.requestedSchema = { type: 'object', properties: Object.fromEntries(many), required: [`f${fields - 1}`] };
  }
  if (messages > 0) {
    const text = (at) => ({ type: 'text', text: `Message ${at}: say "something" to it.` });
    params.messages = Array.from({ length: messages }, (_, at) => ({ role: at % 2 === 0 ? 'user' : 'assistant', content: text(at) }));
  }
  const grown = JSON.parse(JSON.stringify(params).replaceAll('HUGE', 'A'.repeat(1_200_000)));
  const asked = Array.from({ length: count }, () => ask(method, grown));
  if (then === 'exit') {
    // After the questions have left the pipe.
    process.stdout.write('', () => process.exit(0));
    return;
  }
  if (then === 'cancel') {
    for (const { id: requestId } of asked) send({ method: 'notifications/cancelled', params: { requestId, reason: 'no longer needed' } });
  }
  const all = then === 'cancel' ? ['withdrawn'] : await Promise.all(asked.map(({ answer }) => answer));
  send({ id, result: { content: [{ type: 'text', text: all.map((each) => JSON.stringify(each)).join('\n') }] } });
}

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params, result, error } = JSON.parse(line);
  if (method === undefined) {
    answers.get(id)?.(result ?? { error });
    answers.delete(id);
  } else if (method === 'initialize') {
    const { protocolVersion } = params;
    send({ id, result: { protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'asks', version: '1' } } });
  } else if (method === 'tools/list') {
    const tools = [
      { name: 'ask', description: 'Asks the client.', inputSchema: INPUT },
      { name: 'withdraw', description: 'Withdraws what waits.', inputSchema: { type: 'object', properties: { reason: { type: 'string' } } } },
    ];
    send({ id, result: { tools } });
  } else if (method === 'tools/call' && params.name === 'withdraw') {
    const { reason } = params.arguments ?? {};
    for (const requestId of answers.keys()) send({ method: 'notifications/cancelled', params: { requestId, reason } });
    send({ id, result: { content: [{ type: 'text', text: `${answers.size} withdrawn` }] } });
  } else if (method === 'tools/call') {
    void call(id, params.arguments);
  } else if (id !== undefined) {
    send({ id, error: { code: -32601, message: `Method not found: ${method}` } });
  }
});
