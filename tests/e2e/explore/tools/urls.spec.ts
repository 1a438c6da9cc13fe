import { fileURLToPath } from 'node:url';
import { expect, test } from '../../patchbay.ts';

const SERVER = fileURLToPath(new URL('./urlRequired.mjs', import.meta.url));

test('pages to visit first are listed, marked when complete, and the call is sent again', async ({ app }) => {
  const { page } = app;
  await app.addByPaste(`node ${SERVER}`);
  await app.selectTool('guarded');
  await app.callTool();
  const pages = app.result.getByRole('region', { name: 'Pages to visit' });
  const rows = pages.getByRole('listitem');
  await expect(rows).toHaveCount(3);
  await expect(rows.nth(0)).toContainText('login.example');
  await expect(rows.nth(1)).toContainText('user name before the host');
  // Nothing of a server runs, and only addresses of the web are links.
  await expect(pages.locator('img')).toHaveCount(0);
  await expect(pages.getByRole('link')).toHaveText(['https://login.example/start?state=1']);
  await pages.getByRole('link').click();
  const dialog = page.getByRole('dialog', { name: 'Open in the browser?' });
  await expect(dialog).toContainText('https://login.example/start?state=1');
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await app.selectTool('finish');
  await app.callTool();
  await expect(app.resultStatus).toHaveText('Result');
  await app.selectTool('guarded');
  await expect(rows.nth(0)).toContainText('reports that this is complete');
  await expect(rows.nth(1)).not.toContainText('complete');
  await pages.getByRole('button', { name: 'Send again' }).click();
  await expect(app.resultStatus).toHaveText('Result');
  await expect(app.result).toContainText('guarded: done');
});
