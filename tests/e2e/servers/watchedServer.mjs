// A server over stdio whose version is what its working directory says in `dist/version`: `node watchedServer.mjs`.
import { readFileSync } from 'node:fs';
import { stdin, stdout } from 'node:process';
import { createInterface } from 'node:readline';

const version = readFileSync('dist/version', 'utf8').trim();
createInterface({ input: stdin }).on('line', (line) => {
  const { id, method } = JSON.parse(line);
  if (id === undefined) return;
  const handshake = { protocolVersion: '2025-11-25', capabilities: {}, serverInfo: { name: 'watched', version } };
  const answer = method === 'initialize' ? { result: handshake } : { error: { code: -32601, message: 'Method not found' } };
  stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, ...answer })}\n`);
});
