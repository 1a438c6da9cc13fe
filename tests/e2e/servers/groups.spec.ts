import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { violations } from '../accessibility/violations.ts';
import { expect, test } from '../patchbay.ts';

/** The saved state of the window. */
async function savedState(folder: string): Promise<string> {
  const files = await readdir(folder, { recursive: true });
  const file = files.find((name) => name.endsWith('ui.json'));
  return file === undefined ? '' : readFile(join(folder, file), 'utf8');
}

const command = { command: 'sh', args: ['-c', 'sleep 100'] };
const LONG = 'a server whose name is much longer than the list of servers is wide';
const RTL = 'خادم الملفات';

/** Adds servers that start and say nothing. */
async function add(page: import('@playwright/test').Page, names: readonly string[]): Promise<void> {
  await page.getByRole('button', { name: 'Add server' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'Add a server' });
  await dialog.getByLabel('Paste anything').fill(JSON.stringify({ mcpServers: Object.fromEntries(names.map((name) => [name, command])) }));
  await dialog.getByRole('button', { name: `Add ${names.length}`, exact: true }).click();
  await expect(dialog).toBeHidden();
}

test('a disabled server is not connected, says so, and is enabled with one click', async ({ app, page, patchbay }) => {
  await app.connectDemo();
  await app.serverMenu('Demo server', 'Disable');
  await expect(app.server('Demo server', 'Disabled')).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Demo server is disabled' })).toBeVisible();
  expect(await violations(page)).toEqual([]);
  // Neither the key nor all servers connect it, and a restart keeps it so.
  await app.rail.focus();
  await page.keyboard.press('Enter');
  await page.keyboard.press('ControlOrMeta+K');
  await page.getByRole('combobox', { name: 'Command palette' }).fill('Connect all');
  await expect(page.getByRole('status').filter({ hasText: /^\d+ match/ })).toBeVisible();
  await expect(page.getByRole('option', { name: /Connect all servers/ })).toBeHidden();
  await page.keyboard.press('Escape');
  await patchbay.restart();
  await page.goto(patchbay.address);
  await expect(app.server('Demo server', 'Disabled')).toBeVisible();
  await page.getByRole('button', { name: 'Enable and connect' }).click();
  await expect(app.server('Demo server', 'Ready')).toBeVisible();
});

test('servers are grouped by dialog, by drag and by keyboard, and a group is connected as one', async ({ page, patchbay }) => {
  await page.goto(patchbay.address);
  await add(page, ['one', 'two', LONG, RTL]);
  await page.getByRole('button', { name: 'Actions for all servers' }).click();
  await page.getByRole('menuitem', { name: 'Add a group…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add a group' });
  await dialog.getByRole('button', { name: 'Add group' }).click();
  await expect(dialog.getByText('Enter a name.')).toBeVisible();
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Work');
  for (const name of [/^one/, /^a server/]) await dialog.getByRole('checkbox', { name }).check();
  await dialog.getByRole('button', { name: 'Add group' }).click();
  await expect(dialog).toBeHidden();
  const tree = page.getByRole('tree', { name: 'Servers' });
  const rows = () => tree.getByRole('treeitem').evaluateAll((all) => all.map((row) => row.getAttribute('aria-label')?.split(':')[0]));
  await expect.poll(rows).toEqual(['two', RTL, 'Work', 'one', LONG]);

  // By drag: into the group, behind its first server.
  const row = (name: string) => tree.getByRole('treeitem', { name: new RegExp(`^${name}:`) });
  const [from, to] = await Promise.all([row('two').boundingBox(), row('one').boundingBox()]);
  if (from === null || to === null) throw new Error('a row has no place');
  await page.mouse.move(from.x + 40, from.y + from.height / 2);
  await page.mouse.down();
  await page.mouse.move(to.x + 40, to.y + to.height / 2, { steps: 8 });
  await expect(row('one')).toHaveAttribute('data-drop', 'after');
  await page.mouse.up();
  await expect.poll(rows).toEqual([RTL, 'Work', 'one', 'two', LONG]);

  // By keyboard: a new group for one server, which is then in two.
  await row('two').click();
  await tree.focus();
  await page.keyboard.press('Shift+F10');
  await page.getByRole('menuitem', { name: 'Groups…' }).click();
  const groups = page.getByRole('dialog', { name: 'Groups of two' });
  await expect(groups.getByRole('option', { name: 'Work' }).or(groups.getByText('Work'))).not.toHaveCount(0);
  // The dialog focuses its field in a timer.
  await expect(groups.locator('input:focus')).toHaveCount(1);
  await page.keyboard.type('Demo');
  await page.keyboard.press('Enter');
  await groups.getByRole('button', { name: 'Save' }).click();
  await expect.poll(rows).toEqual([RTL, 'Work', 'one', 'two', LONG, 'Demo', 'two']);
  expect(await violations(page)).toEqual([]);

  // Connected as one; the other group is switched to, and asks because a request is pending.
  await row('Demo').hover();
  await page.getByRole('button', { name: 'Actions for group Demo' }).click();
  await page.getByRole('menuitem', { name: 'Connect', exact: true }).click();
  await expect(row('two').first()).toHaveAccessibleName(/Negotiating|Connecting/);
  await page.keyboard.press('ControlOrMeta+K');
  const palette = page.getByRole('combobox', { name: 'Command palette' });
  await palette.fill('Disconnect group Demo');
  await palette.press('Enter');
  const ask = page.getByRole('dialog', { name: 'Disconnect 1 server?' });
  const closed = row('two').first();
  const isClosed = page.getByRole('treeitem', { name: /^two: (Closed|Failed|Closing)/ });
  await expect(ask.or(isClosed).first()).toBeVisible();
  if (await ask.isVisible()) await ask.getByRole('button', { name: 'Disconnect' }).click();
  await expect(closed).toHaveAccessibleName(/Closed|Failed|Closing/);

  // Collapsed, renamed, and kept over a restart; the servers of a removed group stay.
  await row('Work').click();
  await expect.poll(rows).toEqual([RTL, 'Work', 'Demo', 'two']);
  await row('Work').click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Edit…' }).click();
  const edit = page.getByRole('dialog', { name: 'Edit group Work' });
  await edit.getByRole('textbox', { name: 'Name' }).fill('demo');
  await edit.getByRole('button', { name: 'Save' }).click();
  await expect(edit.getByText('Another group has this name.')).toBeVisible();
  await edit.getByRole('textbox', { name: 'Name' }).fill('Office');
  await edit.getByRole('button', { name: 'Save' }).click();
  await expect.poll(rows).toEqual([RTL, 'Office', 'Demo', 'two']);
  // The state of the window is saved a moment after the last change.
  await expect.poll(() => savedState(patchbay.folder)).toContain('"collapsedGroups":["Office"]');
  await patchbay.restart();
  await page.goto(patchbay.address);
  await expect.poll(rows).toEqual([RTL, 'Office', 'Demo', 'two']);
  await row('Office').click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Remove group…' }).click();
  await page.getByRole('dialog', { name: 'Remove group Office?' }).getByRole('button', { name: 'Remove group' }).click();
  await expect.poll(rows).toEqual(['one', LONG, RTL, 'Demo', 'two']);
});
