import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { violations } from '../accessibility/violations.ts';
import { expect, test } from '../patchbay.ts';

const SERVER = fileURLToPath(new URL('./fragileServer.mjs', import.meta.url));

test('a server is connected again when it was lost, until that is stopped, and when Patchbay starts', async ({ app, patchbay }) => {
  const { page } = app;
  const folder = await mkdtemp(join(tmpdir(), 'patchbay-fragile-'));
  const [down, dies] = [join(folder, 'down'), join(folder, 'dies')];
  try {
    const fragile = { command: process.execPath, args: [SERVER, folder], era: 'legacy' };
    await app.addByPaste(JSON.stringify({ mcpServers: { fragile } }));
    await expect(app.server('fragile', 'Ready')).toBeVisible();
    await app.serverMenu('fragile', 'Edit…');
    const dialog = page.getByRole('dialog', { name: 'Edit fragile' });
    await dialog.getByRole('button', { name: 'Automatic connection' }).click();
    await dialog.getByRole('switch', { name: 'Connect when Patchbay starts' }).check();
    await dialog.getByRole('switch', { name: 'Reconnect when the connection is lost' }).check();
    await dialog.getByRole('button', { name: 'Save', exact: true }).click();
    await expect(dialog).toBeHidden();

    // While it is down, attempts follow; the user ends them.
    await writeFile(down, '');
    await writeFile(dies, '');
    const group = page.getByRole('group', { name: 'Automatic connection' });
    await expect(group).toContainText(/attempt [1-9] of 10/);
    await expect(page.getByRole('button', { name: 'Connect now' })).toBeVisible();
    expect(await violations(page)).toEqual([]);
    await group.getByRole('button', { name: 'Stop' }).click();
    await expect(group).toBeHidden();
    await expect(app.server('fragile', 'Failed')).toBeVisible();
    await Promise.all([rm(down), rm(dies)]);
    await page.getByRole('button', { name: 'Reconnect' }).click();
    await expect(app.server('fragile', 'Ready')).toBeVisible();

    // Once it is there again it is connected without a click.
    await writeFile(dies, '');
    await expect(app.server('fragile', 'Failed')).toBeVisible();
    await rm(dies);
    await expect(app.server('fragile', 'Ready')).toBeVisible();

    await patchbay.restart();
    await page.goto(patchbay.address);
    await expect(app.server('fragile', 'Ready')).toBeVisible();
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
