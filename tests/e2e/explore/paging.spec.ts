import { fileURLToPath } from 'node:url';
import { expect, test } from '../patchbay.ts';

const SERVER = fileURLToPath(new URL('./changingLists.mjs', import.meta.url));

test('the pages of a list are requested one by one, and all at once', async ({ app }) => {
  const { page } = app;
  await app.addByPaste(`node ${SERVER}`);
  await expect(app.toolRows.first()).toBeVisible();
  await app.serverMenu('changingLists', 'Edit…');
  const dialog = page.getByRole('dialog').filter({ hasText: 'Tool definitions' });
  await dialog.getByRole('button', { name: 'Lists' }).click();
  await dialog.getByRole('radio', { name: /^Request the first page/ }).check();
  await dialog.getByRole('button', { name: 'Save', exact: true }).click();
  await app.serverMenu('changingLists', 'Restart');
  // The list of the connection before would be requested as a whole, and that of this one with as many pages.
  await app.filterTraffic('"Ready:"');
  await expect(app.trafficRows).toHaveCount(2);
  await expect(app.server('changingLists', 'Ready')).toBeVisible();
  await page.getByRole('tab', { name: 'Resources' }).click();
  const panel = page.getByRole('region', { name: 'Resources', exact: true });
  await panel.getByRole('radio', { name: 'List', exact: true }).check({ force: true });
  const pages = panel.getByRole('group', { name: 'Pages' });
  await expect(pages).toContainText('First page');
  await expect(panel).toContainText('50 resources');
  await panel.getByRole('option', { name: /item-3\b/ }).first().click();
  await expect(pages.getByRole('button', { name: 'Next page' })).toBeEnabled();
  await pages.getByRole('button', { name: 'Next page' }).press('Enter');
  await expect(panel).toContainText('100 resources');
  await expect(pages).toContainText('First 2 pages');
  await expect(panel.getByRole('option', { selected: true })).toContainText('item-3');
  // A refresh requests what was shown.
  await panel.getByRole('button', { name: 'Refresh resources' }).click();
  await expect(pages).toContainText('First 2 pages');
  await pages.getByRole('button', { name: 'All pages' }).click();
  await expect(panel).toContainText('400 resources');
  await expect(pages).toBeHidden();
  await expect(panel.getByRole('option', { selected: true })).toContainText('item-3');
  await page.getByRole('button', { name: 'More' }).click();
  await page.getByRole('menuitem', { name: 'Tasks' }).click();
  const tasks = page.getByRole('region', { name: 'Tasks', exact: true });
  await expect(tasks).toContainText('50 tasks');
  const further = tasks.getByRole('group', { name: 'Pages' });
  await further.getByRole('button', { name: 'Next page' }).click();
  await expect(tasks).toContainText('100 tasks');
  await further.getByRole('button', { name: 'All pages' }).click();
  await expect(tasks).toContainText('400 tasks');
  await expect(further).toBeHidden();
  // Tools are always whole: their definitions are compared.
  await page.getByRole('tab', { name: 'Tools' }).click();
  await expect(app.tools).toContainText('400 tools');
});
