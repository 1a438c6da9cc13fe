import type { Locator, Page } from '@playwright/test';
import { violations } from '../accessibility/violations.ts';
import { expect, test } from '../httpServer.ts';
import { addModel, begin, send } from './steps.ts';

/** Shows one of the views of the conversation. */
async function show(page: Page, view: 'Conversation' | 'Operations' | 'Raw'): Promise<void> {
  await page.getByRole('radiogroup', { name: 'View' }).getByRole('radio', { name: view }).click();
}

test('the operations of a conversation are a tree that the keys walk, down to the request that was sent again with an answer', async ({ app, models }) => {
  const provider = await models('any');
  const { page } = app;
  await app.connectDemo();
  await addModel(app, provider.url, 'script');
  await begin(app);
  await show(page, 'Operations');
  await expect(page.getByText('No turns yet')).toBeVisible();
  await show(page, 'Conversation');
  await send(page, 'call ask_model {}');
  await page.getByRole('button', { name: 'Run once' }).click();
  const dialog = page.getByRole('dialog', { name: /requests a completion/ });
  await dialog.getByLabel('Text', { exact: true }).fill('By hand');
  await dialog.getByRole('button', { name: 'Send answer' }).click();
  await expect(page.getByRole('region', { name: 'Call to ask_model: Done' })).toBeVisible();
  await expect(page.getByRole('log', { name: 'Messages' })).toContainText('The tools say:');

  await show(page, 'Operations');
  const tree = page.getByRole('tree', { name: 'Operations' });
  const items = tree.getByRole('treeitem');
  await expect(items).toHaveCount(5);
  const levels = [1, 2, 3, 4, 2];
  const names = [/^Turn: call ask_model/, /^Answer: script/, /^Call: ask_model, .*Done/, /^Request: tools\/call, to /, /^Answer: script/];
  for (const [at, name] of names.entries()) {
    await expect(items.nth(at)).toHaveAccessibleName(name);
    await expect(items.nth(at)).toHaveAttribute('aria-level', String(levels[at]));
  }
  expect(await violations(page)).toEqual([]);

  // Closed and opened again by keys; Enter goes to the record.
  await items.first().focus();
  await page.keyboard.press('ArrowLeft');
  await expect(items).toHaveCount(1);
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await expect(items.nth(2)).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(app.record).toContainText('tools/call');
});

test('the raw view has the records of one conversation only, and leads to Traffic', async ({ app, models }) => {
  const provider = await models('any');
  const { page } = app;
  await app.connectDemo();
  await addModel(app, provider.url, 'script');
  await begin(app);
  await show(page, 'Raw');
  await expect(page.getByText('No records yet')).toBeVisible();
  await show(page, 'Conversation');
  await send(page, 'call greet {"name":"raw"}');
  await page.getByRole('button', { name: 'Run once' }).click();
  await expect(page.getByRole('log', { name: 'Messages' })).toContainText('The tools say:');

  await show(page, 'Raw');
  const rows = page.getByRole('listbox', { name: 'Conversation records' }).getByRole('option');
  // Two requests to the model, the call and its answer; not what connecting the server caused.
  await expect(rows.filter({ hasText: 'tools/call' })).toHaveCount(2);
  await expect(rows.filter({ hasText: '/chat/completions' })).toHaveCount(2);
  await expect(rows.filter({ hasText: 'tools/list' })).toHaveCount(0);
  expect(await violations(page)).toEqual([]);
  await rows.filter({ hasText: 'tools/call' }).first().dblclick();
  await expect(app.record).toContainText('tools/call');
  await page.getByRole('button', { name: 'Filter Traffic by this conversation' }).click();
  await expect(app.traffic.getByLabel('Filter records', { exact: true })).toHaveValue(/^op:\d/);
  // As many as here: the filter has taken effect.
  const total = (row: Locator): Promise<string | null> => row.getAttribute('aria-setsize');
  await expect.poll(async () => (await total(app.trafficRows.last())) === (await total(rows.last()))).toBe(true);
  await expect(app.trafficRows.filter({ hasText: 'tools/list' })).toHaveCount(0);
});
