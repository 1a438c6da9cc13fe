import { readFile } from 'node:fs/promises';
import type { Locator, Page } from '@playwright/test';
import { expect, test } from '../patchbay.ts';
import type { Screen } from '../screen.ts';

interface Logs {
  page: Page;
  panel: Locator;
  rows: Locator;
  count: Locator;
}

/** The Logs tab of the connected server. */
async function openLogs(app: Screen): Promise<Logs> {
  const { page } = app;
  await page.getByRole('tab', { name: 'Logs', exact: true }).click();
  const panel = page.getByRole('region', { name: 'Logs', exact: true });
  return {
    page,
    panel,
    rows: panel.getByRole('listbox', { name: 'Logs' }).getByRole('option'),
    count: panel.getByTestId('traffic-count'),
  };
}

async function setLevel(app: Screen, level: string): Promise<void> {
  await app.page.getByRole('combobox', { name: 'Server log level' }).selectOption(level);
  await expect(app.page.getByRole('combobox', { name: 'Server log level' })).toHaveValue(level);
}

/** Calls a tool and comes back to the logs. */
async function call(app: Screen, tool: string, json: string): Promise<Logs> {
  await app.page.getByRole('tab', { name: 'Tools' }).click();
  await app.selectTool(tool);
  await app.writeArguments(json);
  await app.callAndWait();
  await expect(app.resultStatus).toHaveText('Result');
  return openLogs(app);
}

test('the level is set here, and messages are filtered by level, logger and text', async ({ app }) => {
  await app.connectDemo();
  const { page, panel } = await openLogs(app);
  await setLevel(app, 'debug');
  const { rows, count } = await call(app, 'log_levels', '{"message":"needle"}');
  await panel.getByRole('radiogroup', { name: 'Lines shown' }).getByText('Messages').click();
  await expect(count).toHaveText('8 lines');
  await expect(rows.filter({ hasText: 'emergency' })).toContainText('demo.levels');
  await panel.getByRole('button', { name: 'All levels' }).click();
  await page.getByRole('menuitem', { name: 'Error and above' }).click();
  await page.getByRole('menuitemcheckbox', { name: 'alert' }).click();
  await page.keyboard.press('Escape');
  await expect(count).toHaveText('3 lines');
  await expect(rows.filter({ hasText: 'alert' })).toHaveCount(0);
  await panel.getByRole('combobox', { name: 'Logger' }).fill('other');
  await expect(panel).toContainText('No matching lines');
  await panel.getByRole('button', { name: 'Clear filter', exact: true }).click();
  await expect(count).toHaveText('8 lines');
  await panel.getByLabel('Search logs').fill('"needle (warning)"');
  await expect(count).toHaveText('1 line');
});

test('messages and stderr are one list in the order of time, and stderr is in the dock too', async ({ app }) => {
  await app.connectDemo();
  await openLogs(app);
  await setLevel(app, 'debug');
  await call(app, 'log_levels', '{"message":"first"}');
  const { rows: soFar } = await call(app, 'write_stderr', '{"text":"second","lines":2}');
  // They take another pipe than the result.
  await expect(soFar.filter({ hasText: 'second (2 of 2)' })).toBeVisible();
  const { panel, rows, page } = await call(app, 'log_levels', '{"message":"third"}');
  // Few enough lines to be on the screen at once; they are read when all of them are there.
  await panel.getByLabel('Search logs').fill('-emergency -alert -critical -error -warning -notice -info');
  await expect(rows).toHaveCount(4);
  const texts = await rows.allInnerTexts();
  const order = ['first (debug)', 'second (1 of 2)', 'second (2 of 2)', 'third (debug)'].map((text) =>
    texts.findIndex((row) => row.includes(text)),
  );
  expect(order.every((at) => at >= 0)).toBe(true);
  expect(order).toEqual(order.toSorted((a, b) => a - b));
  // The dock shows them too, whatever becomes of the server.
  await page.getByRole('tab', { name: 'Server output' }).click();
  const output = page.getByRole('listbox', { name: 'Server output' }).getByRole('option');
  await expect(output.filter({ hasText: 'second (2 of 2)' })).toBeVisible();
  await expect(output.filter({ hasText: 'third' })).toHaveCount(0);
});

test('structured data is exact, leads to its record, and nothing in it runs', async ({ app }) => {
  await app.connectDemo();
  await openLogs(app);
  await setLevel(app, 'error');
  const { rows, page } = await call(app, 'log_levels', '{"structured":true,"message":"<b>bold</b>"}');
  await rows.filter({ hasText: 'critical' }).click();
  const line = page.getByRole('region', { name: 'Log line' });
  await expect(line).toContainText('9007199254740993');
  await expect(line).toContainText('<script>');
  expect(await page.evaluate(() => 'hostile' in window)).toBe(false);
  await line.getByRole('button', { name: 'Show in Traffic' }).click();
  await expect(app.record).toContainText('notifications/message');
  // Another tab and back: the line is still selected.
  await page.getByRole('tab', { name: 'Info' }).click();
  await page.getByRole('tab', { name: 'Logs', exact: true }).click();
  await expect(rows.filter({ hasText: 'critical' })).toHaveAttribute('aria-selected', 'true');
  await expect(line).toContainText('9007199254740993');
});

test('several lines are selected by keys, copied, saved; the view is cleared and paused', async ({ app, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await app.connectDemo();
  await openLogs(app);
  await setLevel(app, 'debug');
  const { panel, rows, count, page } = await call(app, 'log_levels', '{"message":"keep"}');
  await page.keyboard.press('/');
  await expect(panel.getByLabel('Search logs')).toBeFocused();
  await panel.getByLabel('Search logs').fill('keep -emergency');
  await expect(count).toHaveText('7 lines');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Home');
  await page.keyboard.press('Shift+ArrowDown');
  await page.keyboard.press('Shift+ArrowDown');
  await expect(panel.getByRole('listbox', { name: 'Logs' }).getByRole('option', { selected: true })).toHaveCount(3);
  await panel.getByRole('button', { name: 'Copy or save the selected lines' }).click();
  await expect(page.getByText('3 lines selected')).toBeVisible();
  await page.getByRole('menuitem', { name: 'Copy as text' }).click();
  await expect(panel.getByRole('button', { name: 'Copied' })).toBeVisible();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  expect(copied.trim().split('\n').map((line) => line.split(' ').slice(-2).join(' '))).toEqual([
    'keep (debug)',
    'keep (info)',
    'keep (notice)',
  ]);
  // It says only for a moment that they were copied.
  await panel.getByRole('button', { name: /^(Copied|Copy or save the selected lines)$/ }).click();
  const download = page.waitForEvent('download');
  await page.getByRole('menuitem', { name: 'Save as JSON Lines' }).click();
  const saved = await readFile(await (await download).path(), 'utf8');
  expect(saved.trim().split('\n').map((line) => (JSON.parse(line) as { data: string }).data)).toEqual([
    'keep (debug)',
    'keep (info)',
    'keep (notice)',
  ]);
  await panel.getByRole('button', { name: 'Clear view' }).click();
  await expect(rows).toHaveCount(0);
  await panel.getByRole('button', { name: 'Pause view' }).click();
  await call(app, 'log_levels', '{"message":"keep"}');
  await expect(count).toHaveText('7 lines');
  await panel.getByRole('button', { name: 'Show them again' }).click();
  await expect(count).toHaveText('14 lines');
});

test('a hundred thousand messages are followed, searched and read to their first', async ({ app }) => {
  await app.connectDemo();
  await openLogs(app);
  await setLevel(app, 'info');
  const { panel, rows, count, page } = await call(app, 'log_burst', '{"count":100000}');
  await panel.getByRole('radiogroup', { name: 'Lines shown' }).getByText('Messages').click();
  await expect(count).toHaveText('100,000 lines');
  await expect(rows.last()).toContainText('"number":100000,');
  expect(await rows.count()).toBeLessThan(100);
  await panel.getByRole('listbox', { name: 'Logs' }).press('Home');
  await expect(rows.first()).toContainText('"number":1,');
  await panel.getByLabel('Search logs').fill('"number\\":77777,"');
  await expect(count).toHaveText('1 line');
  expect(await page.evaluate(() => document.querySelectorAll('*').length)).toBeLessThan(3_000);
});

test('without a level or without support the panel says why it is empty', async ({ app }) => {
  await app.connectDemo();
  const { panel } = await openLogs(app);
  await panel.getByRole('radiogroup', { name: 'Lines shown' }).getByText('Messages').click();
  await expect(panel).toContainText(/Server logs are off|No logs yet/);
  await expect(panel.getByRole('note')).toContainText('Deprecated in 2026-07-28. Log to stderr over stdio');
});
