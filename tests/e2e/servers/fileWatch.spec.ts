import { writeFileSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { violations } from '../accessibility/violations.ts';
import { expect, test } from '../patchbay.ts';

const SERVER = fileURLToPath(new URL('./watchedServer.mjs', import.meta.url));

/** Copies `src/version` to `dist/version`, unless it is not a number. */
const BUILD = `
import { readFileSync, writeFileSync } from 'node:fs';
const version = readFileSync('src/version', 'utf8');
console.log('building', version);
if (!/^\\d+$/.test(version)) {
  console.error('src/version: not a number: ' + version);
  process.exit(2);
}
writeFileSync('dist/version', version);
`;

test('a server is built and restarted when files change; a failed build is shown and run again', async ({ app }) => {
  const { page } = app;
  const folder = await mkdtemp(join(tmpdir(), 'patchbay-watched-'));
  // In one go: a file that is closed some time after it was written has changed twice.
  const write = (name: string, text: string): void => writeFileSync(join(folder, name), text);
  try {
    await Promise.all(['src', 'dist', 'node_modules'].map((name) => mkdir(join(folder, name))));
    write('dist/version', '1');
    write('src/version', '1');
    write('build.mjs', BUILD);
    const watched = { command: process.execPath, args: [SERVER], cwd: folder, era: 'legacy' };
    await app.addByPaste(JSON.stringify({ mcpServers: { watched } }));
    await expect(app.server('watched', 'Ready')).toBeVisible();

    await app.serverMenu('watched', 'Edit…');
    const dialog = page.getByRole('dialog', { name: 'Edit watched' });
    await dialog.getByRole('button', { name: 'Restart when files change' }).click();
    await dialog.getByRole('switch', { name: 'Restart when files change' }).check();
    // The working directory, which the user may narrow.
    await expect(dialog.getByLabel('Watched path 1', { exact: true })).toHaveValue('.');
    await dialog.getByLabel('Watched path 1', { exact: true }).fill('no/such');
    await expect(dialog.getByText('There is nothing at this path yet.')).toBeVisible();
    await dialog.getByLabel('Watched path 1', { exact: true }).fill('');
    await dialog.getByRole('button', { name: 'Save', exact: true }).click();
    await expect(dialog.getByText('Choose a file or folder to watch.')).toBeVisible();
    await dialog.getByLabel('Watched path 1', { exact: true }).fill('.');
    await dialog.getByLabel('Build command', { exact: true }).fill(process.execPath);
    await dialog.getByRole('button', { name: 'Add argument' }).last().click();
    await dialog.getByLabel('Build argument 1', { exact: true }).fill('build.mjs');
    expect(await violations(page, '[role=dialog]')).toEqual([]);
    await dialog.getByRole('button', { name: 'Save', exact: true }).click();
    await expect(dialog).toBeHidden();

    // A change leads to a build and a restart. What the build writes leads to nothing.
    await page.getByRole('tab', { name: 'Info' }).click();
    const group = page.getByRole('group', { name: 'Restart when files change' });
    await expect(group.getByRole('status')).toHaveText('Restarts when files change.');
    write('src/version', '2');
    await expect(group.getByRole('status')).toContainText('Restarted once so far.');
    await expect(page.getByRole('region', { name: 'Server', exact: true }).getByText('2', { exact: true })).toBeVisible();
    await expect(group).toContainText('Changed last: src/version');
    await expect(group).toContainText('Build output: dist/version');
    await expect(group).toContainText('exit code 0');
    await group.getByRole('button', { name: 'Show output' }).click();
    await expect(group.getByRole('region', { name: 'Output of the build' })).toContainText('building 2');

    // A build that fails leaves the server as it is, and the list of servers says so.
    await page.getByRole('tab', { name: 'Tools' }).click();
    write('src/version', 'three');
    await expect(app.server('watched', 'Ready')).toContainText('build failed');
    await app.serverMenu('watched', 'Show the last build');
    await expect(group).toContainText('exit code 2');
    await expect(group.getByRole('region', { name: 'Output of the build' })).toContainText('not a number: three');
    expect(await violations(page, 'body')).toEqual([]);
    write('build.mjs', BUILD.replace('process.exit(2)', "writeFileSync('dist/version', '3'), process.exit(0)"));
    await expect(group.getByRole('status')).toContainText('Restarted 2 times so far.');
    await group.getByRole('button', { name: 'Build and restart' }).click();
    await expect(group.getByRole('status')).toContainText('Restarted 3 times so far.');

    // A folder that is gone is said, and watched again when it is back.
    await rename(folder, `${folder}-moved`);
    await expect(group.getByRole('status')).toContainText(`${folder} is missing.`);
    await expect(app.server('watched', 'Ready')).toContainText('not watched');
    await rename(`${folder}-moved`, folder);
    await expect(group.getByRole('status')).toContainText('Restarted 4 times so far.');

    // Stopped by the user, it is not restarted until that is taken back.
    await group.getByRole('button', { name: 'Stop watching' }).click();
    await expect(group.getByRole('status')).toHaveText('Files are not watched until the next connection.');
    write('src/version', '5');
    await group.getByRole('button', { name: 'Watch again' }).click();
    await expect(group.getByRole('status')).toHaveText('Restarts when files change.');
    write('src/version', '6');
    await expect(group.getByRole('status')).toContainText('Restarted once so far.');

    // Disconnected, nothing is watched.
    await app.serverMenu('watched', 'Disconnect');
    await expect(app.server('watched', 'Closed')).toBeVisible();
    await expect(group).toBeHidden();
  } finally {
    await rm(folder, { recursive: true, force: true });
    await rm(`${folder}-moved`, { recursive: true, force: true });
  }
});
