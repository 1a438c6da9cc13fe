import { expect, test } from '../../patchbay.ts';

test('a reload keeps what was typed, the results, the history and the running call', async ({ app }) => {
  const { page } = app;
  // A page that is reloaded before it knows the request cannot find it again, and says so.
  const isSent = () => expect(app.result).toContainText(/progress report/);
  await app.connectDemo();
  await app.selectTool('greet');
  await app.page.getByLabel('name').first().fill('Ada');
  await app.callTool();
  await expect(app.resultStatus).toHaveText('Result');
  await app.page.getByLabel('name').first().fill('half a na');
  await app.selectTool('count_slowly');
  await app.writeArguments('{"steps":30,"delay_ms":600}');
  await app.callTool();
  await isSent();
  await page.getByRole('tab', { name: 'Composer' }).click();
  await page.getByRole('combobox', { name: 'Method' }).fill('ping');

  await page.reload();

  await expect(page.getByRole('combobox', { name: 'Method' })).toHaveValue('ping');
  await page.getByRole('tab', { name: 'Tools' }).click();
  await expect(app.resultStatus).toHaveText('Running');
  // It is the same call: its response arrives here, and the next one can be cancelled after a reload.
  await expect(app.resultStatus).toHaveText('Result');
  await app.writeArguments('{"steps":100,"delay_ms":600}');
  await app.callTool();
  await isSent();
  await page.reload();
  await expect(app.resultStatus).toHaveText('Running');
  await app.result.getByRole('button', { name: 'Cancel' }).click();
  await expect(app.resultStatus).toHaveText('Cancelled');
  await app.selectTool('greet');
  await expect(app.page.getByLabel('name').first()).toHaveValue('half a na');
  await expect(app.resultStatus).toHaveText('Result');
  await expect(app.result).toContainText('Ada');
  await app.arguments.getByRole('button', { name: '1 call' }).click();
  await page.getByRole('menuitem', { name: 'Load these arguments' }).click();
  await expect(app.page.getByLabel('name').first()).toHaveValue('Ada');
});
