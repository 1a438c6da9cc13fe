import { expect, test } from '../patchbay.ts';

test('the log is sorted by a click on a column or by keys, and follows its end again', async ({ app }) => {
  const { page } = app;
  await app.connectDemo();
  await app.selectTool('greet');
  await page.getByLabel('name').first().fill('Ada');
  await app.callTool();
  await expect(app.resultStatus).toHaveText('Result');
  // Records come a moment later than the result that they bring.
  await expect(app.trafficRows.filter({ hasText: 'tools/call' }).filter({ hasText: 'response' })).toBeVisible();
  await page.getByRole('button', { name: 'Size', exact: true }).click();
  await expect(page.getByText(/^Sorted by size, largest first: \d+ records$/)).toBeVisible();
  await expect(page.getByRole('columnheader', { name: 'Size' })).toHaveAttribute('aria-sort', 'descending');
  // The list of tools is the largest message by far.
  await expect(app.trafficRows.first()).toContainText('tools/list');
  await app.trafficRows.first().click();
  await expect(app.record).toContainText('tools/list');
  // What is called now is not among them, until it is wanted.
  await app.callTool();
  await expect(app.resultStatus).toHaveText('Result');
  // The request and its response: what came after the click would be new again.
  await page.getByRole('button', { name: /^Include ([2-9]|\d{2,}) new$/ }).click();
  await expect(page.getByRole('button', { name: /^Include/ })).toBeHidden();
  await expect(app.trafficRows.and(page.locator('[aria-selected="true"]'))).toContainText('tools/list');
  // By keys: from the head of one column to the next.
  await page.getByRole('button', { name: 'Status', exact: true }).focus();
  await page.keyboard.press('ArrowRight');
  await expect(page.getByRole('button', { name: 'Latency', exact: true })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByText(/^Sorted by latency, slowest first/)).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(page.getByText(/^Sorted by latency, fastest first/)).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(page.getByText(/^Sorted by/)).toBeHidden();
  await expect(page.getByRole('columnheader', { name: 'Time' })).toHaveAttribute('aria-sort', 'ascending');
});

test('a sorted log follows its filter, and leaves its order for a record that it does not have', async ({ app }) => {
  const { page } = app;
  await app.connectDemo();
  await page.getByRole('button', { name: 'Time', exact: true }).click();
  await expect(page.getByText(/^Sorted by time, newest first/)).toBeVisible();
  await app.filterTraffic('method:tools/list');
  await expect(app.trafficRows.filter({ hasNotText: 'tools/list' })).toHaveCount(0);
  await expect(page.getByText(/^Sorted by time, newest first: \d records$/)).toBeVisible();
  await app.selectTool('greet');
  await page.getByLabel('name').first().fill('Ada');
  await app.callTool();
  await expect(app.resultStatus).toHaveText('Result');
  await app.result.getByRole('button', { name: 'Show response in the traffic log' }).click();
  await expect(page.getByText(/^Sorted by/)).toBeHidden();
  await expect(app.record).toContainText('tools/call');
});
