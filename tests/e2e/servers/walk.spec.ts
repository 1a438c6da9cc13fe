import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '../patchbay.ts';
import type { Screen } from '../screen.ts';

const NODE = process.env.PATCHBAY_PEERS_NODE ?? '.';

/** Selects every tool in turn, by keys; each must have a form, or nothing to fill in. */
async function walkTools(app: Screen, least: number): Promise<void> {
  const foot = app.tools.getByText(/^\d+ tools$/);
  const counted = async (): Promise<number> => Number.parseInt(await foot.innerText(), 10);
  // The list may come in parts, or change when the server knows its client.
  await expect.poll(counted).toBeGreaterThanOrEqual(least);
  const count = await counted();
  await app.toolRows.first().click();
  for (let at = 0; at < count; at++) {
    const row = app.toolRows.and(app.page.getByRole('option', { selected: true }));
    await expect(row).toHaveAttribute('aria-posinset', String(at + 1));
    const form = app.arguments.getByText('This tool takes no arguments.').or(app.arguments.locator('[data-field]').first());
    await expect(form).toBeVisible();
    await expect(app.arguments.getByText(/as JSON\.$/)).toHaveCount(0);
    await row.press('ArrowDown');
  }
}

/** Reads every resource in turn. */
async function walkResources(app: Screen, least: number): Promise<void> {
  const { page } = app;
  await page.getByRole('tab', { name: 'Resources' }).click();
  const panel = page.getByRole('region', { name: 'Resources', exact: true });
  await panel.getByRole('radiogroup', { name: 'Show resources as' }).getByText('List', { exact: true }).click();
  const rows = panel.getByRole('listbox', { name: 'Resources' }).getByRole('option');
  await expect.poll(() => rows.count()).toBeGreaterThanOrEqual(least);
  const count = await rows.count();
  for (let at = 0; at < count; at++) {
    await rows.nth(at).click();
    await page.getByRole('button', { name: 'Read', exact: true }).click();
    await expect(app.resultStatus).toHaveText('Result');
  }
}

test('everything: all tools have a form, all resources and prompts are read', async ({ app }) => {
  const { page } = app;
  await app.addByPaste(`'${join(NODE, 'mcp-server-everything')}'`);
  await walkTools(app, 17);
  await walkResources(app, 7);
  await page.getByRole('tab', { name: 'Prompts' }).click();
  const prompts = page.getByRole('listbox', { name: 'Prompts' }).getByRole('option');
  await expect(prompts).toHaveCount(4);
  await prompts.filter({ hasText: 'simple-prompt' }).click();
  await page.getByRole('button', { name: 'Get prompt' }).click();
  await expect(app.resultStatus).toHaveText('Result');
});

test('filesystem: all tools have a form, and a file is read, written and listed', async ({ app }) => {
  const folder = await mkdtemp(join(tmpdir(), 'patchbay-files-'));
  try {
    await writeFile(join(folder, 'a.txt'), 'first');
    await app.addByPaste(`'${join(NODE, 'mcp-server-filesystem')}' '${folder}'`);
    await walkTools(app, 14);
    await app.selectTool('read_text_file');
    await app.arguments.getByRole('textbox', { name: /^path/ }).fill(join(folder, 'a.txt'));
    await app.callTool();
    await expect(app.result).toContainText('first');
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

test('budget allocator: its app is shown beside the result', async ({ app }) => {
  await app.addByPaste(`'${join(NODE, 'mcp-budget-allocator-server')}' --stdio`);
  await app.selectTool('get-budget-data');
  await app.callTool();
  await expect(app.page.frameLocator('iframe').getByText('Budget').first()).toBeVisible();
  await walkResources(app, 1);
});
