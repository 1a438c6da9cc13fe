import { join } from 'node:path';
import { titledServer } from '../httpServer.ts';
import { expect, test } from '../patchbay.ts';
import type { Screen } from '../screen.ts';

const SERVER = join(import.meta.dirname, 'oddServer.mjs');

async function addOdd(app: Screen): Promise<void> {
  await app.addByPaste(JSON.stringify({ mcpServers: { odd: { command: 'node', args: [SERVER] } } }));
  await expect(app.server('odd', 'Ready')).toBeVisible();
}

test('problems are listed by server, lead to their record, and go when the log is cleared', async ({ app }) => {
  const { page } = app;
  await addOdd(app);
  await app.addByPaste(JSON.stringify({ mcpServers: { gone: { command: '/nothing/here' } } }));
  await expect(app.server('gone', 'Failed')).toBeVisible();
  await page.getByRole('tablist', { name: 'Dock' }).getByRole('tab', { name: /^Problems/ }).click();
  const rows = page.getByRole('listbox', { name: 'Problems' }).getByRole('option');
  // A line on stdout that is not JSON-RPC is an error, the name of a tool matters to other hosts.
  await expect(rows.nth(0)).toContainText('1 error · 1 info');
  await expect(rows.nth(1)).toContainText('not-json');
  await expect(rows.nth(2)).toContainText('tool-name-characters');
  await expect(rows.nth(4)).toContainText('Connection failed:');
  await page.getByLabel('Filter problems').fill('not json');
  await expect(rows).toHaveCount(2);
  // By keys: to the list, to the problem, to its record.
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('End');
  await page.keyboard.press('Enter');
  await expect(app.record).toContainText('Server starting up');
  await page.getByRole('button', { name: /^Clear the records/ }).click();
  await page.getByRole('button', { name: 'Clear', exact: true }).click();
  await page.getByRole('tab', { name: /^Problems/ }).click();
  await expect(rows).toHaveCount(2);
  await expect(rows.nth(1)).toContainText('Connection failed:');
});

test('the row of a server has its transport, its tools and what matters here; its count leads to the problems', async ({ app }) => {
  const { page } = app;
  await addOdd(app);
  await expect(app.rail.getByRole('treeitem', { name: 'odd: Ready, stdio, 1 tool' })).toBeVisible();
  await app.server('odd').getByRole('button', { name: /1/ }).first().click();
  const rows = page.getByRole('listbox', { name: 'Problems' }).getByRole('option');
  await expect(rows.filter({ hasText: 'not-json' })).toBeVisible();
});

test('colours of stderr are shown in the logs, and its bytes in the record', async ({ app }) => {
  await addOdd(app);
  await app.openTab('Logs');
  const row = app.page.getByRole('listbox', { name: 'Logs' }).getByRole('option').filter({ hasText: 'INFO' }).first();
  await expect(row).toContainText('INFO ready on port 1');
  await expect(row.getByText('INFO', { exact: true })).toHaveAttribute('data-colour', 'green');
});

test('a server that was added by its address is called what it calls itself', async ({ app }) => {
  const server = await titledServer();
  await app.addByPaste(server.url);
  await expect(app.server('Weather of the world', 'Ready, HTTP')).toBeVisible();
  await expect(app.page.getByRole('button', { name: 'Weather of the world: switch server' })).toBeVisible();
  await app.serverMenu('Weather of the world', 'Disconnect');
  server.end();
});

test('rarely needed tabs are in a menu, by mouse and by keys; one that is chosen is a tab', async ({ app }) => {
  const { page } = app;
  await app.connectDemo();
  const tabs = page.getByRole('tablist', { name: 'Explore' });
  await expect(tabs.getByRole('tab')).toHaveText([/^Tools \d+$/, 'Resources', 'Prompts', 'Logs', 'Composer', 'Info']);
  await page.getByRole('button', { name: 'More' }).focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('menuitem', { name: 'Skills' })).toBeFocused();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  const tasks = tabs.getByRole('tab', { name: 'Tasks' });
  await expect(tasks).toBeFocused();
  await expect(tasks).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.press('Home');
  await page.keyboard.press('Enter');
  await expect(tabs.getByRole('tab', { name: 'Tools' })).toBeFocused();
  await expect(tasks).toBeHidden();
});

test('a log that follows its end begins with a whole row, in any height', async ({ app }) => {
  const { page } = app;
  await app.connectDemo();
  for (const height of [800, 811, 823]) {
    await page.setViewportSize({ width: 1280, height });
    await expect
      .poll(() =>
        page.getByRole('listbox', { name: 'Traffic' }).evaluate((list) => {
          const [row] = list.querySelectorAll('[role="option"]');
          const high = row?.getBoundingClientRect().height ?? 1;
          return [list.clientHeight % high, list.scrollTop % high, list.scrollHeight - list.clientHeight - list.scrollTop];
        }),
      )
      .toEqual([0, 0, 0]);
  }
});
