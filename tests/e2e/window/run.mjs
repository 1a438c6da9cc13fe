// The entry point: `PATCHBAY_APP=… PATCHBAY_BIN=… node run.mjs [spec …]` runs the specs against the real window.
// PATCHBAY_SHOTS=DIR keeps screenshots there.
import { spawn } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { onVirtualDisplay } from './desktop/display.mjs';

const here = dirname(fileURLToPath(import.meta.url));

function specs() {
  const named = process.argv.slice(2).map((name) => resolve(name));
  const found = readdirSync(here).filter((name) => name.endsWith('.test.mjs'));
  const files = named.length > 0 ? named : found.map((name) => join(here, name));
  // One after the other: they share the screen, and its focus.
  const words = ['--test', '--test-concurrency=1', '--test-reporter=spec', ...files];
  const tests = spawn(process.execPath, words, { stdio: 'inherit' });
  return new Promise((done) => tests.once('exit', (code) => done(code ?? 1)));
}

for (const name of ['PATCHBAY_APP', 'PATCHBAY_BIN']) {
  if (process.env[name]) continue;
  console.error(`${name} must name a program: ${name === 'PATCHBAY_APP' ? 'patchbay-app' : 'patchbay'}`);
  process.exit(2);
}
await onVirtualDisplay(specs);
