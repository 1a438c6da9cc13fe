// A stdio server that logs to stdout, writes colours to stderr, and has a tool with a wrong schema.
import { createInterface } from 'node:readline';

process.stderr.write('\u001b[32mINFO\u001b[0m ready on \u001b[36mport 1\u001b[39m\n');
process.stdout.write('Server starting up\n');
createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method } = JSON.parse(line);
  const send = (part) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, ...part })}\n`);
  if (id === undefined) return;
  if (method === 'initialize') {
    const serverInfo = { name: 'odd', version: '1' };
    send({ result: { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo } });
  } else if (method === 'tools/list') {
    send({ result: { tools: [{ name: 'two words', inputSchema: { type: 'object' } }] } });
  } else send({ error: { code: -32601, message: 'Method not found' } });
});
