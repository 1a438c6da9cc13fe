// A server over stdio without tools: `node fragileServer.mjs FOLDER`. It ends at once if there is a file `down` in the folder, and
// whenever there is a file `dies`.
import { existsSync, watch } from 'node:fs';
import { chdir, exit, stdin, stdout } from 'node:process';
import { createInterface } from 'node:readline';

chdir(process.argv[2]);
const look = () => existsSync('dies') && exit(3);
if (existsSync('down')) exit(3);
watch('.', look);
look();
createInterface({ input: stdin }).on('line', (line) => {
  const { id, method } = JSON.parse(line);
  if (id === undefined) return;
  const handshake = { protocolVersion: '2025-11-25', capabilities: {}, serverInfo: { name: 'fragile', version: '1' } };
  const answer = method === 'initialize' ? { result: handshake } : { error: { code: -32601, message: 'Method not found' } };
  stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, ...answer })}\n`);
});
