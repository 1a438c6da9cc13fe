import type { Locator } from '@playwright/test';
import { scripted } from '../commands.ts';
import { expect, test } from '../patchbay.ts';
import type { Screen } from '../screen.ts';

async function openSkills(app: Screen): Promise<{ skills: Locator; files: Locator; run: Locator }> {
  await app.openTab('Skills');
  return {
    skills: app.page.getByRole('listbox', { name: 'Skills', exact: true }).getByRole('option'),
    files: app.page.getByRole('listbox', { name: 'Files', exact: true }).getByRole('option'),
    run: app.page.getByRole('button', { name: 'Read', exact: true }),
  };
}

test('a skill is found, its files browsed and read, and checked against the list', async ({ app }) => {
  await app.connectDemo();
  const { skills, files, run } = await openSkills(app);
  await expect(skills).toHaveCount(4);
  await app.page.getByLabel('Search skills').fill('cables');
  await expect(skills).toHaveCount(1);
  await skills.first().click();
  await expect(app.page.getByRole('heading', { name: 'patch-cables' })).toBeVisible();
  await expect(app.page.getByText('Read Bash(python:*)')).toBeVisible();
  await expect(files.filter({ hasText: 'CONNECTORS.md' })).toBeVisible();
  await run.click();
  const result = app.page.getByRole('region', { name: 'Result', exact: true });
  await expect(result.getByRole('heading', { name: 'Patch cables' })).toBeVisible();
  await expect(result.getByRole('region', { name: 'Frontmatter' })).toContainText('Apache-2.0');
  await expect(app.page.getByText('as listed')).toBeVisible();
  // A file in a folder, by keyboard.
  await files.filter({ hasText: 'check.py' }).click();
  await app.page.keyboard.press('Enter');
  await expect(result).toContainText('import sys');
  await expect(app.page.getByText('as listed')).toBeVisible();
  // The selected file stays selected while another skill and another tab are shown.
  await app.page.getByLabel('Search skills').fill('');
  await skills.filter({ hasText: 'weekly-report' }).click();
  await expect(files.filter({ hasText: 'eu.md' })).toBeVisible();
  await app.page.getByRole('tab', { name: 'Tools' }).click();
  await openSkills(app);
  await skills.filter({ hasText: 'patch-cables' }).click();
  await expect(result).toContainText('import sys');
});

test('a skill whose list is wrong says how, and nothing in it runs', async ({ app }) => {
  await app.connectDemo();
  const { skills, files, run } = await openSkills(app);
  await skills.filter({ hasText: 'Its list disagrees' }).click();
  await expect(app.page.getByText('2 files are outside its folder.')).toBeVisible();
  await expect(files.filter({ hasText: 'passwd' })).toBeVisible();
  await run.click();
  await expect(app.page.getByText(/The frontmatter of the file is not valid/).first()).toBeVisible();
  await expect(app.page.getByText('as listed')).toBeHidden();
  expect(await app.page.evaluate(() => 'hostile' in window)).toBe(false);
  await expect(app.page.locator('img[src="x"]')).toHaveCount(0);
});

test('generated files are said to be generated', async ({ app }) => {
  await app.connectDemo();
  const { skills, files } = await openSkills(app);
  await skills.filter({ hasText: 'live-status' }).click();
  await expect(app.page.getByText('The server generates the files of this skill')).toBeVisible();
  await expect(files.filter({ hasText: 'SKILL.md' })).toBeVisible();
});

test('a server without skills says so, and can be asked anyway', async ({ app }) => {
  await app.addByPaste(scripted('legacy'));
  await openSkills(app);
  await expect(app.page.getByText('Skills not supported')).toBeVisible();
  await app.page.getByRole('button', { name: 'Request anyway' }).click();
  await expect(app.trafficRows.filter({ hasText: 'skills/list' }).first()).toBeVisible();
  await expect(app.page.getByRole('alert').first()).toContainText(/Method not found|-32601/);
});

test('the palette finds a skill', async ({ app }) => {
  await app.connectDemo();
  await app.page.keyboard.press('ControlOrMeta+K');
  await app.page.getByRole('combobox', { name: 'Command palette' }).fill('weekly report');
  const entry = app.page.getByRole('option', { name: /weekly-report/ }).first();
  await expect(entry).toBeVisible();
  await entry.click();
  await expect(app.page.getByRole('heading', { name: 'weekly-report' })).toBeVisible();
});
