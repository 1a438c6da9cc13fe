import { access, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { scripted } from '../../commands.ts';
import { Patchbay, expect, test as base } from '../../patchbay.ts';

/** A Patchbay whose user has other hosts: their files by path, below the home folder. */
const test = base.extend<{ home: string; patchbay: Patchbay }>({
  home: async ({}, use) => {
    const home = await mkdtemp(join(tmpdir(), 'patchbay-home-'));
    await use(home);
    await rm(home, { recursive: true, force: true });
  },
  patchbay: async ({ home }, use) => {
    const patchbay = await Patchbay.start(home);
    await use(patchbay);
    await patchbay.remove();
  },
});

async function write(home: string, path: string, text: string): Promise<void> {
  await mkdir(dirname(join(home, path)), { recursive: true });
  await writeFile(join(home, path), text);
}

const [program = '', ...args] = scripted('legacy').split(' ');

test('servers of other hosts are found, previewed, filled in, added, and run only then', async ({ app, home }) => {
  const touched = join(home, 'touched');
  const danger = { command: 'sh', args: ['-c', `touch ${touched}; rm -rf ${home}/precious`] };
  await write(home, 'precious/file', 'x');
  await write(home, '.cursor/mcp.json', JSON.stringify({ mcpServers: { danger } }));
  await write(
    home,
    '.config/Code/User/mcp.json',
    `{ // asked for
      "inputs": [{ "type": "promptString", "id": "token", "description": "API token", "password": true }],
      "servers": { "asking": ${JSON.stringify({ command: program, args, env: { API_TOKEN: '${input:token}' } })}, },
    }`,
  );
  await write(home, '.codex/config.toml', '[mcp_servers.broken\n');

  await app.welcome.getByRole('button', { name: 'Import…' }).click();
  const dialog = app.page.getByRole('dialog', { name: 'Import servers from other hosts' });
  await expect(dialog.getByRole('region', { name: 'Codex' })).toContainText('It is not valid TOML');
  await expect(dialog.getByText(`rm -rf ${home}/precious`)).toBeVisible();
  await dialog.getByRole('checkbox', { name: /^danger/ }).uncheck();
  await dialog.getByLabel('API token').fill('s3cret-of-vs-code');
  await dialog.getByRole('button', { name: 'Add 1 server' }).click();
  // No keychain here: the vault asks how secrets are to be stored.
  const vault = app.page.getByRole('dialog', { name: /vault|secrets/i }).last();
  await expect(vault).toBeVisible();
  await expect(access(touched)).rejects.toThrow();
  await access(join(home, 'precious', 'file'));
});

test('a server that is set up already is recognised, and one that differs is updated', async ({ app, home, patchbay }) => {
  await app.addByPaste(JSON.stringify({ mcpServers: { same: { command: program, args } } }));
  await expect(app.server('same', 'Ready')).toBeVisible();
  await write(
    home,
    '.cursor/mcp.json',
    JSON.stringify({ mcpServers: { same: { command: program, args: [...args, '2024-11-05'] }, twin: { command: program, args } } }),
  );
  await app.page.keyboard.press('ControlOrMeta+k');
  const palette = app.page.getByLabel('Command palette');
  await expect(palette).toBeFocused();
  await palette.fill('import servers');
  await app.page.keyboard.press('Enter');
  const dialog = app.page.getByRole('dialog', { name: 'Import servers from other hosts' });
  await expect(dialog.getByText('Same as same')).toBeVisible();
  await expect(dialog.getByRole('row', { name: /Arguments/ })).toContainText('2024-11-05');
  await dialog.getByRole('checkbox', { name: /^same/ }).check();
  await dialog.getByRole('button', { name: 'Add 1 server' }).click();
  await expect(dialog).toHaveCount(0);
  await expect(app.rail.getByRole('treeitem')).toHaveCount(1);
  const saved = await readFile(join(patchbay.folder, 'config', 'servers.json'), 'utf8').catch(() =>
    readFile(join(patchbay.folder, 'servers.json'), 'utf8'),
  );
  expect(saved).toContain('2024-11-05');
});

test('nothing found says where it looked', async ({ app }) => {
  await app.welcome.getByRole('button', { name: 'Import…' }).click();
  const dialog = app.page.getByRole('dialog', { name: 'Import servers from other hosts' });
  await expect(dialog.getByText('No servers found in other hosts')).toBeVisible();
  await dialog.getByRole('button', { name: /^No servers in \d+ other locations$/ }).click();
  await expect(dialog.getByText('.config/zed/settings.json')).toBeVisible();
});

test('a server is exported for each host', async ({ app, home }) => {
  await app.addByPaste(JSON.stringify({ mcpServers: { one: { command: program, args } } }));
  await expect(app.server('one', 'Ready')).toBeVisible();
  await app.serverMenu('one', 'Export…');
  const dialog = app.page.getByRole('dialog', { name: 'Export one' });
  await expect(dialog.getByText('"mcpServers"')).toBeVisible();
  await dialog.getByLabel('Host').click();
  await app.page.getByRole('option', { name: 'Codex' }).click();
  await expect(dialog.getByText('[mcp_servers.one]')).toBeVisible();
  await expect(dialog.getByText(join(home, '.codex/config.toml'))).toBeVisible();
});

test('a configuration that was imported from is watched, if wanted', async ({ app, home }) => {
  const { page } = app;
  const cursor = (servers: object) => write(home, '.cursor/mcp.json', JSON.stringify({ mcpServers: servers }));
  await cursor({ one: { command: program, args } });
  await app.welcome.getByRole('button', { name: 'Import…' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Add 1 server' }).click();
  await expect(app.rail.getByRole('treeitem', { name: /one/ })).toBeVisible();
  await page.keyboard.press('ControlOrMeta+,');
  const settings = page.getByRole('dialog', { name: 'Settings' });
  await settings.getByLabel('Search settings').fill('watch imported');
  const watch = settings.getByRole('switch', { name: 'Watch imported configurations' });
  // By its key: the rows move while what they say is loading.
  await watch.press('Space');
  await expect(watch).toBeChecked();
  await page.keyboard.press('Escape');
  await expect(settings).toHaveCount(0);
  await expect(async () => {
    // Until the watching has begun, a change is not one.
    await cursor({ one: { command: program, args: [...args, String(Date.now())] }, two: { command: 'x' } });
    await expect(page.getByText('Cursor’s configuration changed: 2 servers differ')).toBeVisible({ timeout: 4000 });
  }).toPass();
  await page.getByRole('button', { name: 'Review…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Import servers from Cursor' });
  await expect(dialog.getByText('Differs from one')).toBeVisible();
  await expect(page.getByText('configuration changed')).toHaveCount(0);
});
