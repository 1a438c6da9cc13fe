import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { violations } from '../accessibility/violations.ts';
import { expect, test } from '../patchbay.ts';

const SERVER = fileURLToPath(new URL('./fragileServer.mjs', import.meta.url));

/** A port that nothing listens on. */
function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });
}

test('a server is started under a debugger, which can be attached to, and without it again', async ({ app }) => {
  const { page } = app;
  const folder = await mkdtemp(join(tmpdir(), 'patchbay-debugged-'));
  const port = await freePort();
  try {
    const debugged = { command: process.execPath, args: [SERVER, folder], era: 'legacy' };
    await app.addByPaste(JSON.stringify({ mcpServers: { debugged } }));
    await expect(app.server('debugged', 'Ready')).toBeVisible();
    const dialog = page.getByRole('dialog', { name: 'Edit debugged' });
    const edit = async (): Promise<void> => {
      await app.serverMenu('debugged', 'Edit…');
      await dialog.getByRole('button', { name: /^Debugger/ }).click();
    };
    const choose = async (name: string): Promise<void> => {
      await dialog.getByRole('combobox', { name: 'Debugger' }).or(dialog.getByLabel('Debugger', { exact: true }).first()).first().click();
      await page.getByRole('option', { name }).click();
    };

    await edit();
    await choose('Python (debugpy)');
    await expect(dialog.getByRole('alert')).toContainText('is not Python');
    await dialog.getByRole('button', { name: 'Save', exact: true }).click();
    await expect(dialog).toBeVisible();
    await choose('Node.js (--inspect)');
    await expect(dialog.getByLabel('Debugger port')).toHaveValue('9229');
    await dialog.getByLabel('Debugger port').fill('80');
    await dialog.getByRole('button', { name: 'Save', exact: true }).click();
    await expect(dialog.getByText('Between 1024 and 65535.')).toBeVisible();
    await dialog.getByLabel('Debugger port').fill(String(port));
    await expect(dialog.getByText(`--inspect=127.0.0.1:${port}`)).toBeVisible();
    await expect(dialog.getByText('"Attach to debugged"')).toBeVisible();
    await expect(dialog.getByText(`node inspect 127.0.0.1:${port}`)).toBeVisible();
    // The command itself stays as it was entered.
    await expect(dialog.getByLabel('Argument 1', { exact: true })).toHaveValue(SERVER);
    expect(await violations(page, '[role=dialog]')).toEqual([]);
    await dialog.getByRole('button', { name: 'Save and restart' }).click();
    await expect(dialog).toBeHidden();

    await page.getByRole('tab', { name: 'Info' }).click();
    const process_ = page.getByRole('region', { name: 'Process' });
    await expect(process_).toContainText(`--inspect=127.0.0.1:${port}`);
    await expect(app.server('debugged', 'Ready')).toBeVisible();
    const version = await fetch(`http://127.0.0.1:${port}/json/version`);
    expect(await version.json()).toHaveProperty('Browser');

    await edit();
    await choose('Off');
    await dialog.getByRole('button', { name: 'Save and restart' }).click();
    await expect(dialog).toBeHidden();
    await expect(process_).not.toContainText('--inspect');
    await expect(app.server('debugged', 'Ready')).toBeVisible();
    await expect(fetch(`http://127.0.0.1:${port}/json/version`)).rejects.toThrow();
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
