import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { violations } from '../../accessibility/violations.ts';
import type { Locator } from '@playwright/test';
import { expect, scratch, test } from '../../patchbay.ts';
import type { Screen } from '../../screen.ts';

const SERVER = fileURLToPath(new URL('./changingTools.mjs', import.meta.url));

const strip = (app: Screen): Locator => app.tools.getByRole('status').filter({ hasText: 'since' });
const review = (app: Screen): Locator => app.page.getByRole('dialog', { name: /^Tool definitions of/ });
const changedRows = (app: Screen): Locator =>
  review(app).getByRole('listbox', { name: 'Changed tools' }).getByRole('option');
const detail = (app: Screen): Locator => review(app).getByRole('region', { name: 'Changes to the tool' });

/** A server that changes its tools when the tool `change` is called, connected. */
async function connectChanging(app: Screen, more = 0): Promise<void> {
  const folder = scratch();
  await app.addByPaste(`node ${SERVER} ${join(folder, 'changed')} ${more}`);
  await expect(app.toolRows.first()).toBeVisible();
}

/** The server changes its tools, and the list is refreshed. */
async function change(app: Screen): Promise<void> {
  await app.selectTool('change');
  await app.callTool();
  await expect(app.resultStatus).toHaveText('Result');
  await app.tools.getByLabel('Search tools').fill('');
  await app.tools.getByRole('button', { name: 'Refresh tools' }).click();
}

test('a tool that changed is marked, refused and explained, and called again once it is accepted', async ({ app }) => {
  await connectChanging(app);
  await expect(strip(app)).toBeHidden();
  await change(app);
  await expect(strip(app)).toContainText('1 tool changed, 1 added, 1 removed since they were first listed.');
  await expect(app.toolRows.filter({ hasText: 'read_file' })).toContainText('changed');
  await expect(app.toolRows.filter({ hasText: 'upload' })).toContainText('new');
  await app.selectTool('read_file');
  await expect(app.page.getByRole('note').filter({ hasText: 'Calls are refused' })).toBeVisible();
  // It is not called, so nothing is asked first.
  await app.arguments.getByRole('button', { name: 'Call tool' }).click();
  await expect(detail(app).getByRole('heading', { name: 'read_file' })).toBeVisible();
  for (const words of [
    'The description changed',
    'note is required now',
    'maxLength of path changed from 100 to 4096',
    'Property note (string) was added',
    'Property mode was removed',
    'readOnlyHint changed from true to false (the default)',
  ]) {
    await expect(detail(app)).toContainText(words);
  }
  const hidden = detail(app).locator('mark[data-hidden]');
  await expect(hidden).toHaveCount(3);
  const names = await hidden.evaluateAll((marks) => marks.map((mark) => mark.getAttribute('data-hidden')));
  expect(names).toEqual(['U+200B', 'U+E0041', 'U+E0042']);
  await expect(detail(app).locator('img')).toHaveCount(0);
  await expect(detail(app).locator('ins').filter({ hasText: '.ssh' })).toBeVisible();
  expect(await violations(app.page, '[role="dialog"]')).toEqual([]);
  await detail(app).getByRole('button', { name: 'Accept change' }).click();
  await expect(changedRows(app)).toHaveCount(2);
  await app.page.keyboard.press('Escape');
  await expect(app.page.getByRole('note').filter({ hasText: 'Calls are refused' })).toBeHidden();
  await app.writeArguments('{"path": "a", "note": "b"}');
  await app.callTool();
  await expect(app.resultStatus).toHaveText('Result');
});

test('changes are found after a reconnect, and accepted with the keyboard', async ({ app }) => {
  await connectChanging(app);
  await app.selectTool('change');
  await app.callTool();
  await expect(app.resultStatus).toHaveText('Result');
  await app.tools.getByLabel('Search tools').fill('');
  await app.serverMenu('changingTools', 'Restart');
  await expect(strip(app)).toContainText('1 tool changed');
  await strip(app).getByRole('button', { name: 'Review…' }).press('Enter');
  await expect(changedRows(app)).toHaveCount(3);
  // A dialog takes the focus in a timer: from the list too.
  await expect(review(app).locator(':focus')).toHaveCount(1);
  await review(app).getByRole('listbox', { name: 'Changed tools' }).press('ArrowDown');
  await expect(detail(app).getByRole('heading', { name: 'upload' })).toBeVisible();
  await review(app).getByRole('button', { name: 'Accept all' }).press('Enter');
  await expect(review(app)).toBeHidden();
  await expect(strip(app)).toBeHidden();
});

test('five thousand changed tools are reviewed and accepted', async ({ app }) => {
  await connectChanging(app, 5000);
  await change(app);
  await expect(strip(app)).toContainText('5001 tools changed');
  await strip(app).getByRole('button', { name: 'Review…' }).click();
  await expect(detail(app)).toBeVisible();
  await review(app).getByRole('listbox', { name: 'Changed tools' }).press('End');
  await expect(detail(app).getByRole('heading', { name: 'old' })).toBeVisible();
  await review(app).getByRole('button', { name: 'Accept all' }).click();
  await expect(strip(app)).toBeHidden();
});

test('a trusted server is not asked about', async ({ app }) => {
  await connectChanging(app);
  await app.serverMenu('changingTools', 'Edit…');
  const dialog = app.page.getByRole('dialog').filter({ hasText: 'Tool definitions' });
  await dialog.getByRole('button', { name: 'Tool definitions' }).click();
  await dialog.getByRole('radio', { name: /^Trust changes/ }).check();
  await dialog.getByRole('button', { name: 'Save', exact: true }).click();
  await change(app);
  await expect(strip(app)).toContainText('1 tool changed');
  await app.selectTool('read_file');
  await app.writeArguments('{"path": "a", "note": "b"}');
  await app.callTool();
  await expect(app.resultStatus).toHaveText('Result');
});
