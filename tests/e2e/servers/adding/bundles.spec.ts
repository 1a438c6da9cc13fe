import { access, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from '../../patchbay.ts';
import { zip } from './zip.ts';

/** A server of the legacy era in a few lines, with one tool that says what the server was given. */
const SERVER = `
const { createInterface } = require('node:readline');
const reply = (id, result) => console.log(JSON.stringify({ jsonrpc: '2.0', id, result }));
createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method } = JSON.parse(line);
  if (method === 'initialize') {
    reply(id, { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: { name: 'hello', version: '1.2.0' } });
  } else if (method === 'tools/list') {
    reply(id, { tools: [{ name: 'greet', description: 'Greets ' + process.argv.slice(2).join('+'), inputSchema: { type: 'object' } }] });
  } else if (method === 'tools/call') {
    reply(id, { content: [{ type: 'text', text: process.env.SECRET_LENGTH + ' characters' }] });
  } else if (id !== undefined) {
    console.log(JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32601, message: 'Method not found' } }));
  }
});
`;

const MANIFEST = {
  manifest_version: '0.3',
  name: 'hello-world',
  display_name: 'Hello World',
  version: '1.2.0',
  description: 'Says hello in any language.',
  long_description: '# Hello\n\nA **longer** text.',
  author: { name: 'Ada' },
  license: 'MIT',
  homepage: 'https://example.com/hello',
  server: {
    type: 'node',
    entry_point: 'server/index.js',
    mcp_config: {
      command: 'node',
      args: ['${__dirname}/server/index.js', '${user_config.folders}'],
      env: { SECRET_LENGTH: '${user_config.key}' },
    },
  },
  tools: [{ name: 'greet', description: 'Greets somebody' }],
  compatibility: { platforms: ['linux', 'darwin', 'win32'], runtimes: { node: '>=18' } },
  user_config: {
    folders: { type: 'directory', title: 'Folders', description: 'Where names are', multiple: true, required: true, default: ['/tmp'] },
    key: { type: 'string', title: 'API key', description: 'Of the service', sensitive: true, required: true },
    polite: { type: 'boolean', title: 'Polite', description: 'Says please', default: true },
    volume: { type: 'number', title: 'Volume', description: 'How loud', default: 3, min: 1, max: 11 },
  },
};

/** A bundle whose manifest has other members. */
function bundle(part: object = {}, more: Record<string, string> = {}): Buffer {
  return zip({ 'manifest.json': JSON.stringify({ ...MANIFEST, ...part }), 'server/index.js': SERVER, ...more });
}

const file = (buffer: Buffer, name = 'hello.mcpb') => ({ name, mimeType: 'application/octet-stream', buffer });

test('a bundle is reviewed, filled in, added, run, and deleted with its server', async ({ app, patchbay }) => {
  await app.page.getByRole('button', { name: 'Add server' }).first().click();
  const add = app.page.getByRole('dialog', { name: 'Add a server' });
  await add.getByLabel('Configuration or bundle').setInputFiles(file(bundle()));
  const dialog = app.page.getByRole('dialog', { name: 'Add a server from a bundle' });
  await expect(dialog.getByRole('heading', { name: 'Hello World 1.2.0' })).toBeVisible();
  await expect(dialog.getByText('node ${__dirname}/server/index.js ${user_config.folders}')).toBeVisible();
  await expect(dialog.getByText('Greets somebody')).toBeVisible();
  await expect(dialog.getByText('Not signed')).toBeVisible();
  // Nothing was unpacked: only what was received is there.
  expect((await readdir(join(patchbay.folder, 'bundles'))).filter((name) => !name.startsWith('.'))).toEqual([]);

  // What is required is asked for before anything happens.
  await dialog.getByRole('button', { name: 'Add and connect' }).click();
  await expect(dialog.getByText('is required')).toBeVisible();
  await dialog.getByLabel(/^key/).fill('12');
  await dialog.getByRole('button', { name: 'Add and connect' }).click();
  // No keychain here: the vault asks how secrets are to be stored, and adding goes on by itself.
  await app.keepSecretsInMemory();
  await expect(app.server('Hello World', 'Ready')).toBeVisible();
  await expect(app.toolRows.first()).toContainText('Greets /tmp');

  const [name = ''] = (await readdir(join(patchbay.folder, 'bundles'))).filter((each) => !each.startsWith('.'));
  expect(name).toMatch(/^hello-world-1-2-0-/);
  await access(join(patchbay.folder, 'bundles', name, 'server', 'index.js'));

  await app.serverMenu('Hello World', 'Remove…');
  const remove = app.page.getByRole('dialog', { name: 'Remove Hello World?' });
  await expect(remove).toContainText('and the files of its bundle');
  await remove.getByRole('button', { name: 'Remove' }).click();
  await expect(app.rail.getByRole('treeitem')).toHaveCount(0);
  await expect.poll(() => readdir(join(patchbay.folder, 'bundles'))).toEqual([]);
});

test('what cannot be used says why, and leaves nothing', async ({ app, patchbay }) => {
  await expect(app.welcome).toBeVisible();
  await app.page.keyboard.press('ControlOrMeta+k');
  const palette = app.page.getByLabel('Command palette');
  await expect(palette).toBeFocused();
  await palette.fill('from a bundle');
  await app.page.keyboard.press('Enter');
  const dialog = app.page.getByRole('dialog', { name: 'Add a server from a bundle' });
  await expect(dialog.getByText('Choose a bundle')).toBeVisible();
  const choose = (buffer: Buffer) => dialog.getByLabel('Bundle').setInputFiles(file(buffer));
  for (const [buffer, why] of [
    [Buffer.from('no zip'), 'It is not a zip archive'],
    [bundle({}, { '../../evil': 'x' }), 'leads out of the bundle'],
    [bundle({ manifest_version: '9.9' }), 'It is of version 9.9'],
    [bundle({ name: 'hello\u202eevil' }), 'which hide what it says'],
    [zip({ 'other.json': '{}' }), 'It has no manifest.json at its top'],
  ] as const) {
    await choose(buffer);
    await expect(dialog.getByRole('alert')).toContainText(why);
  }
  await choose(bundle({ compatibility: { platforms: ['plan9'] } }));
  await expect(dialog.getByRole('alert')).toContainText('The bundle is for plan9, not for this system');
  await expect(dialog.getByRole('button', { name: 'Add', exact: true })).toBeDisabled();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(dialog).toHaveCount(0);
  await expect.poll(() => readdir(join(patchbay.folder, 'bundles'))).toEqual([]);
});

test('a configuration in a file is read like a pasted one', async ({ app, patchbay }) => {
  await app.page.getByRole('button', { name: 'Add server' }).first().click();
  const dialog = app.page.getByRole('dialog', { name: 'Add a server' });
  const path = join(patchbay.folder, 'mcp.json');
  await writeFile(path, JSON.stringify({ mcpServers: { weather: { command: 'uvx', args: ['weather'] } } }));
  await dialog.getByLabel('Configuration or bundle').setInputFiles(path);
  await expect(dialog.getByLabel('Name')).toHaveValue('weather');
  await expect(dialog.getByLabel('Command', { exact: true })).toHaveValue('uvx');
});
