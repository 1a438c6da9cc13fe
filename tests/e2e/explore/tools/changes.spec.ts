import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Locator } from '@playwright/test';
import { violations } from '../../accessibility/violations.ts';
import { expect, scratch, test } from '../../patchbay.ts';
import type { Screen } from '../../screen.ts';

const SERVER = fileURLToPath(new URL('./versionedServer.mjs', import.meta.url));

const strip = (app: Screen): Locator => app.page.getByRole('status').filter({ hasText: /^Since / });
const dialog = (app: Screen): Locator => app.page.getByRole('dialog', { name: 'Changes of versionedServer' });
const rows = (app: Screen): Locator => dialog(app).getByRole('listbox', { name: 'Changes' }).getByRole('option');
const detail = (app: Screen): Locator => dialog(app).getByRole('region', { name: 'Change', exact: true });

/** A server that is another version at its next start, connected for the first time. */
async function connect(app: Screen, more = 0): Promise<void> {
  const folder = scratch();
  await app.addByPaste(`node ${SERVER} ${join(folder, 'starts')} ${more}`);
  await expect(app.toolRows.first()).toBeVisible();
}

test('a later connection shows what changed, item by item, until it is marked as seen', async ({ app }) => {
  await connect(app);
  const tab = (name: string): Locator => app.page.getByRole('tab', { name, exact: true });
  await tab('Prompts').click();
  await expect(app.page.getByRole('option', { name: /summary/ })).toBeVisible();
  await expect(strip(app)).toBeHidden();
  await app.serverMenu('versionedServer', 'Restart');
  await expect(strip(app)).toContainText('version 1.2 → 1.3, capabilities changed, instructions changed');
  await expect(strip(app)).toContainText('1 prompt changed');
  await expect(strip(app)).toContainText('2 tools changed, 1 added, 1 removed');
  // The tools' own strip asks for a review of them: they are not told about twice.
  await tab('Tools').click();
  await expect(strip(app)).not.toContainText('tools changed');
  await strip(app).getByRole('button', { name: 'Show changes' }).press('Enter');
  await expect(rows(app)).toHaveCount(8);
  await expect(detail(app).locator('del')).toHaveText('1.2');
  await expect(detail(app).locator('ins')).toHaveText('1.3');
  await rows(app).filter({ hasText: 'Capabilities' }).click();
  await expect(detail(app).locator('ins').first()).toContainText('logging');
  await rows(app).filter({ hasText: 'find_notes' }).click();
  await expect(detail(app)).toContainText('maxLength of query changed from 100 to 4000');
  // Whole numbers: not those of their digits that differ.
  await expect(detail(app).locator('del')).toHaveText('100');
  await expect(detail(app).locator('ins')).toHaveText('4000');
  await rows(app).filter({ hasText: 'drop_note' }).click();
  await expect(detail(app)).toContainText('The server no longer lists this tool.');
  await rows(app).filter({ hasText: 'summary' }).click();
  await expect(detail(app)).toContainText('The description changed');
  expect(await violations(app.page, '[role="dialog"]')).toEqual([]);
  await dialog(app).getByRole('button', { name: 'Mark as seen' }).click();
  await expect(dialog(app)).toBeHidden();
  await expect(strip(app)).toBeHidden();
  await app.serverMenu('versionedServer', 'Restart');
  await expect(strip(app)).toContainText(': version 1.3 → 1.4.');
  await strip(app).getByRole('button', { name: 'Mark as seen' }).click();
  await expect(strip(app)).toBeHidden();
});

test('ten thousand changed tools are counted, listed and marked as seen', async ({ app }) => {
  await connect(app, 10_000);
  await app.serverMenu('versionedServer', 'Restart');
  await app.page.getByRole('tab', { name: 'Info' }).click();
  await expect(strip(app)).toContainText('10,002 tools changed, 1 added, 1 removed', { timeout: 30_000 });
  await app.serverMenu('versionedServer', 'Show changes…');
  const list = dialog(app).getByRole('listbox', { name: 'Changes' });
  // A dialog takes the focus in a timer: from the list too.
  await expect(dialog(app).locator(':focus')).toHaveCount(1);
  await list.press('End');
  await expect(rows(app).last()).toContainText('drop_note');
  await expect(detail(app)).toContainText('The server no longer lists this tool.');
  await dialog(app).getByRole('button', { name: 'Mark as seen' }).click();
  await expect(strip(app)).toBeHidden();
});
