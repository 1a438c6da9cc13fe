// A server over stdio with one resource template whose variables have the names of members that every object inherits.
import { createInterface } from 'node:readline';

const ANSWERS = {
  initialize: {
    protocolVersion: '2025-11-25',
    capabilities: { resources: {} },
    serverInfo: { name: 'odd-templates', version: '1' },
  },
  'resources/list': { resources: [] },
  'resources/templates/list': {
    resourceTemplates: [{ uriTemplate: 'test://{constructor}/{__proto__}', name: 'odd' }],
  },
};

for await (const line of createInterface({ input: process.stdin })) {
  const { id, method } = JSON.parse(line);
  if (id === undefined || method === undefined) continue;
  const result = ANSWERS[method];
  const outcome = result === undefined ? { error: { code: -32601, message: 'Method not found' } } : { result };
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, ...outcome })}\n`);
}
