import type { Locator } from '@playwright/test';
import { expect, test } from '../../httpServer.ts';
import { callWith } from '../../inbox/dialog.ts';
import { addEverything, addPython, openTab } from './servers.ts';

test('a call of one real server is sent again there and to another, of another era, and a method that neither knows is refused', async ({ app, listening }) => {
  const { page } = app;
  await addPython(app, listening, 'modern');
  await addEverything(app);
  await callWith(app, 'echo', { message: 'Ahoy' });
  await expect(app.result).toContainText('Echo: Ahoy');
  await app.filterTraffic('method:tools/call kind:request');
  await expect(app.trafficRows).toHaveCount(1);
  await app.trafficRows.first().click();
  await app.record.getByRole('button', { name: 'Send again', exact: true }).click();
  await expect(app.resultStatus).toHaveText('Result');
  await expect(app.trafficRows).toHaveCount(2);

  await app.trafficRows.first().click();
  await app.record.getByRole('button', { name: 'More ways to send again' }).click();
  await page.getByRole('menuitem', { name: 'python', exact: true }).click();
  const params: Locator = page.getByRole('textbox', { name: 'Params' });
  // The composer of the first server has the same text.
  await expect(app.server('python')).toHaveAttribute('aria-selected', 'true');
  await expect(params).toBeFocused();
  await expect(params).toContainText('Ahoy');
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  // It has no such tool.
  await expect(app.resultStatus).not.toHaveText(/Running|^Result$/);
  await expect(app.result).toContainText('echo');
  await expect(app.trafficRows).toHaveCount(3);
  await app.trafficRows.first().click();
  await app.record.getByText(/^Related \(2\)/).click();

  await openTab(app, 'Composer');
  await page.getByRole('combobox', { name: 'Method' }).fill('no/such');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await expect(app.resultStatus).toHaveText('JSON-RPC error');
  await expect(app.result).toContainText('-32601');
});

test('everything: what the composer calls is checked against the output schema of its tool', async ({ app }) => {
  await addEverything(app);
  await expect(app.toolRows.first()).toBeVisible();
  await openTab(app, 'Composer');
  await app.page.getByRole('combobox', { name: 'Method' }).fill('tools/call');
  await app.page.keyboard.press('Escape');
  const params = app.page.getByRole('textbox', { name: 'Params' });
  await params.click();
  await app.page.keyboard.press('ControlOrMeta+A');
  await app.page.keyboard.insertText('{"name":"get-structured-content","arguments":{"location":"Chicago"}}');
  await app.page.getByRole('button', { name: 'Send', exact: true }).click();
  await expect(app.result).toContainText('Light rain / drizzle');
  await expect(app.result).toContainText('Matches the output schema');
});
