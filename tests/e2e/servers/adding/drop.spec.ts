import type { Page } from '@playwright/test';
import { scripted } from '../../commands.ts';
import { expect, test } from '../../patchbay.ts';
import { zip } from './zip.ts';

const [program = '', ...args] = scripted('legacy').split(' ');

const BUNDLE = zip({
  'manifest.json': JSON.stringify({
    manifest_version: '0.3',
    name: 'hello-world',
    version: '1.2.0',
    description: 'Says hello.',
    author: { name: 'Ada' },
    server: { type: 'node', entry_point: 'index.js', mcp_config: { command: 'node', args: ['${__dirname}/index.js'] } },
  }),
  'index.js': '',
});
const REGISTRY = JSON.stringify({
  name: 'io.github.ada/weather',
  version: '1.0.0',
  remotes: [{ type: 'streamable-http', url: 'https://example.com/mcp' }],
});
const CURSOR = JSON.stringify({ mcpServers: { ours: { command: program, args } } });
const CODEX = '[mcp_servers.codex-one]\ncommand = "x"\n';

type Files = Record<string, string | Buffer>;

/** Drags files over an element of the page, or drops them there. */
async function drag(page: Page, type: 'dragover' | 'drop', files: Files, place = 'body'): Promise<void> {
  const parts = Object.entries(files).map(([name, content]) => [name, Buffer.from(content).toString('base64')] as const);
  const data = await page.evaluateHandle((all) => {
    const transfer = new DataTransfer();
    for (const [name, base64] of all) {
      transfer.items.add(new File([Uint8Array.from(atob(base64), (c) => c.charCodeAt(0))], name));
    }
    return transfer;
  }, parts);
  await page.dispatchEvent(place, type, { dataTransfer: data });
}

/** Drags files over the page until it says `words`: a browser repeats the event while the files are there. */
async function dragOver(page: Page, files: Files, words: string): Promise<void> {
  await expect(async () => {
    await drag(page, 'dragover', files);
    await expect(page.getByText(words)).toBeVisible({ timeout: 1000 });
  }).toPass();
}

test('files that are dropped on the window open their reviews', async ({ app }) => {
  const { page } = app;
  await dragOver(page, { 'a.mcpb': BUNDLE }, 'Drop to review');
  await drag(page, 'drop', { 'hello.mcpb': BUNDLE });
  const bundle = page.getByRole('dialog', { name: 'Add a server from a bundle' });
  await expect(bundle.getByRole('heading', { name: 'hello-world 1.2.0' })).toBeVisible();
  await expect(page.getByText('Drop to review')).toBeHidden();
  await page.keyboard.press('Escape');
  await expect(bundle).toHaveCount(0);

  await drag(page, 'drop', { 'server.json': REGISTRY });
  const registry = page.getByRole('dialog', { name: 'Add a server from server.json' });
  await expect(registry.getByRole('heading', { name: 'weather 1.0.0' })).toBeVisible();
  // What may have been entered there is not lost for other files.
  await dragOver(page, { 'a.mcpb': BUNDLE }, 'Close the open dialog first');
  await drag(page, 'drop', { 'a.mcpb': BUNDLE });
  await expect(registry).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(registry).toHaveCount(0);

  await drag(page, 'drop', { 'claude_desktop_config.json': CURSOR, 'config.toml': CODEX });
  const imported = page.getByRole('dialog', { name: 'Import servers from 2 files' });
  await expect(imported.getByRole('region', { name: 'Claude Desktop' })).toBeVisible();
  await expect(imported.getByRole('region', { name: 'Codex' })).toContainText('codex-one');
  await imported.getByRole('checkbox', { name: /^codex-one/ }).uncheck();
  await imported.getByRole('button', { name: 'Add 1 server' }).click();
  await expect(app.rail.getByRole('treeitem', { name: /^ours/ })).toBeVisible();
});

test('several files are listed with their reviews, and what is none is named', async ({ app }) => {
  const { page } = app;
  await expect(app.welcome).toBeVisible();
  await drag(page, 'drop', {
    'hello.mcpb': BUNDLE,
    'server.json': REGISTRY,
    'photo.png': Buffer.from([0x89, 0x50, 0x4e, 0x47, 0xff]),
    'package.json': '{"name":"x"}',
  });
  const list = page.getByRole('dialog', { name: 'Review files' });
  await expect(list.getByText('photo.png is not a text file in UTF-8.')).toBeVisible();
  await expect(list.getByText('package.json: It has no MCP servers.')).toBeVisible();
  await expect(list.getByText('Accepted are MCP bundles')).toBeVisible();
  await list.getByRole('button', { name: 'Review hello.mcpb' }).click();
  await expect(page.getByRole('dialog', { name: 'Add a server from a bundle' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(list.getByText('Reviewed')).toHaveCount(1);
  await list.getByRole('button', { name: 'Review server.json' }).click();
  await expect(page.getByRole('dialog', { name: 'Add a server from server.json' })).toBeVisible();
  await page.keyboard.press('Escape');
  // Both were seen.
  await expect(page.getByRole('dialog')).toHaveCount(0);
});

test('files are chosen from the command palette too', async ({ app }) => {
  const { page } = app;
  await expect(app.welcome.getByRole('button', { name: 'Import…' })).toBeVisible();
  // Before it is needed: a browser that does not yet know that choosers are taken over cancels them.
  const chooser = page.waitForEvent('filechooser');
  await page.keyboard.press('ControlOrMeta+k');
  await page.getByRole('combobox').fill('servers from files');
  await page.keyboard.press('Enter');
  await (await chooser).setFiles({ name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('hello') });
  const refused = page.getByRole('dialog', { name: '1 file cannot be added' });
  await expect(refused.getByText('notes.txt: It is not a file with MCP servers.')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
});
