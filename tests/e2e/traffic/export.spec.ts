import { mkdtemp, readFile, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Locator } from '@playwright/test';
import { scripted } from '../commands.ts';
import { titledServer } from '../httpServer.ts';
import { expect, test as base } from '../patchbay.ts';
import type { Screen } from '../screen.ts';

/** Tests get an empty folder to export to. */
const test = base.extend<{ folder: string }>({
  folder: async ({}, use) => {
    const folder = await mkdtemp(join(tmpdir(), 'patchbay-export-'));
    await use(folder);
    await rm(folder, { recursive: true, force: true });
  },
});

/** An exchange of an HTTP Archive, as far as it is looked at. */
interface Entry {
  request: { url: string; postData: { text: string } };
  response: { status: number; content: { text: string } };
}

async function openMenu(app: Screen, item: string): Promise<Locator> {
  await app.traffic.getByRole('button', { name: 'Copy, export, limits' }).click();
  await app.page.getByRole('menuitem', { name: item }).click();
  return app.page.getByRole('dialog');
}

async function exportedLines(dialog: Locator, folder: string): Promise<string[]> {
  await dialog.getByLabel('Folder').fill(folder);
  await dialog.getByRole('button', { name: 'Export' }).click();
  await expect(dialog.getByText(/\d+ lines?, /)).toBeVisible();
  const [name, ...more] = await readdir(folder);
  expect(more).toEqual([]);
  await expect(dialog).toContainText(join(folder, name ?? ''));
  return (await readFile(join(folder, name ?? ''), 'utf8')).trimEnd().split('\n');
}

test('the whole log is exported as JSON Lines with the messages as recorded', async ({ app, folder }) => {
  await app.addByPaste(scripted('legacy'));
  await app.selectTool('numbers');
  await app.callTool();
  await expect(app.resultStatus).toHaveText('Result');
  const dialog = await openMenu(app, 'Export…');
  await dialog.getByRole('radio', { name: 'Entire traffic log, all servers' }).check();
  const lines = await exportedLines(dialog, folder);
  const messages = lines.map((line) => (JSON.parse(line) as { raw: string }).raw).join('\n');
  expect(messages).toContain('"method":"initialize"');
  expect(messages).toContain('"big":9007199254740993,"price":1.10,"twice":1,"twice":2');
});

test('the selected records, and those that the filter shows, are exported alone', async ({ app, folder }) => {
  await app.connectDemo();
  await app.filterTraffic('tools/list');
  await expect(app.trafficRows).toHaveCount(4);
  await app.trafficRows.nth(0).click();
  await app.trafficRows.nth(1).click({ modifiers: ['Shift'] });
  let dialog = await openMenu(app, 'Export…');
  await expect(dialog.getByRole('radio', { name: 'Selected: 2 records' })).toBeChecked();
  const selected = await exportedLines(dialog, folder);
  expect(selected.length).toBe(2);
  expect(selected[0]).toContain('tools/list');
  await dialog.getByRole('button', { name: 'Close' }).last().click();
  const second = await mkdtemp(join(folder, 'second-'));
  dialog = await openMenu(app, 'Export…');
  await dialog.getByRole('radio', { name: 'Shown by the filter: 4 records' }).check();
  expect((await exportedLines(dialog, second)).length).toBe(4);
});

test('an export to a folder that does not exist says so and can be tried again', async ({ app, folder }) => {
  await app.connectDemo();
  const dialog = await openMenu(app, 'Export…');
  await dialog.getByLabel('Folder').fill(join(folder, 'missing'));
  await dialog.getByRole('button', { name: 'Export' }).click();
  await expect(dialog.getByRole('alert')).toContainText('missing');
  expect((await exportedLines(dialog, folder)).length).toBeGreaterThan(4);
});

test('selected records are copied as text', async ({ app }) => {
  await app.page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await app.connectDemo();
  await app.filterTraffic('tools/list');
  await expect(app.trafficRows).toHaveCount(4);
  await app.trafficRows.nth(0).click();
  await app.trafficRows.nth(3).click({ modifiers: ['Shift'] });
  await app.traffic.getByRole('button', { name: 'Copy, export, limits' }).click();
  await app.page.getByRole('menuitem', { name: 'Copy as text' }).click();
  await expect(app.traffic.getByRole('button', { name: 'Copied' })).toBeVisible();
  const lines = (await app.page.evaluate(() => navigator.clipboard.readText())).trimEnd().split('\n');
  expect(lines.length).toBe(4);
  expect(lines[0]).toMatch(/^\d\d:\d\d:\d\d\.\d{3} .+ → tools\/list \{.*"method":"tools\/list".*\}$/);
  expect(lines[1]).toMatch(/ ← tools\/list \{.*"result".*\}$/);
});

test('the limits of the log are shown, saved and applied', async ({ app, patchbay }) => {
  await app.connectDemo();
  await expect(app.trafficRows.first()).toBeVisible();
  let dialog = await openMenu(app, 'Size and limits…');
  await expect(dialog).toContainText(/B in \d+ records/);
  await expect(dialog.getByLabel('Maximum size (MiB)')).toHaveValue('4096');
  await dialog.getByLabel('Maximum size (MiB)').fill('64');
  await dialog.getByLabel('Maximum age (days)').fill('30');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog).toBeHidden();
  await patchbay.restart();
  await app.page.goto(patchbay.address);
  await expect(app.traffic).toBeVisible();
  dialog = await openMenu(app, 'Size and limits…');
  await expect(dialog.getByLabel('Maximum size (MiB)')).toHaveValue('64');
  await expect(dialog.getByLabel('Maximum age (days)')).toHaveValue('30');
  await expect(dialog.getByRole('button', { name: 'Save' })).toBeDisabled();
  await dialog.getByLabel('Maximum size (MiB)').fill('1');
  await dialog.getByLabel('Maximum age (days)').fill('0.0001');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog.getByRole('alert')).toContainText('minute');
});

test('HTTP exchanges are exported as an HTTP Archive; a log without any says so', async ({ app }) => {
  await app.connectDemo();
  let dialog = await openMenu(app, 'Export…');
  await dialog.getByText('HTTP exchanges (HAR)').click();
  await dialog.getByRole('button', { name: 'Export' }).click();
  await expect(dialog).toContainText('There is no HTTP exchange among these records');
  await dialog.getByRole('button', { name: 'Close' }).last().click();
  const server = await titledServer();
  await app.addByPaste(server.url);
  await expect(app.server('Weather of the world', 'Ready')).toBeVisible();
  // A message leads to the exchange that carried it.
  await app.filterTraffic('method:initialize');
  await expect(app.trafficRows.filter({ hasNotText: 'initialize' })).toHaveCount(0);
  dialog = await openMenu(app, 'Export…');
  await dialog.getByText('HTTP exchanges (HAR)').click();
  const download = app.page.waitForEvent('download');
  await dialog.getByRole('button', { name: 'Export' }).click();
  await expect(dialog).toContainText('1 HTTP exchange saved as patchbay-traffic.har.');
  const { log } = JSON.parse(await readFile(await (await download).path(), 'utf8')) as { log: { entries: Entry[] } };
  const [entry] = log.entries;
  expect([entry?.request.url, JSON.parse(entry?.request.postData.text ?? '').method]).toEqual([server.url, 'initialize']);
  expect([entry?.response.status, JSON.parse(entry?.response.content.text ?? '').result.serverInfo.name]).toEqual([200, 'weather']);
  server.end();
});
