import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator, Page } from '@playwright/test';
import { expect, test } from '../patchbay.ts';

/** The saved state of the window. */
async function savedState(folder: string): Promise<string> {
  const files = await readdir(folder, { recursive: true });
  const file = files.find((name) => name.endsWith('ui.json'));
  return file === undefined ? '' : readFile(join(folder, file), 'utf8');
}

async function openKeys(page: Page): Promise<Locator> {
  await page.keyboard.press('?');
  await page.getByRole('button', { name: 'Change shortcuts…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  await expect(dialog).toBeVisible();
  return dialog;
}

/** Begins to change the keys of a command, and presses some. */
async function press(dialog: Locator, title: string, keys: string): Promise<Locator> {
  const row = dialog.getByRole('group', { name: title, exact: true });
  await row.getByRole('button', { name: `Change the keys of ${title}` }).click();
  await expect(row.getByRole('textbox')).toBeFocused();
  await dialog.page().keyboard.press(keys);
  return row;
}

test('keys are changed by pressing others; conflicts and reserved keys are named; all of it is kept over a restart', async ({
  app,
  page,
  patchbay,
}) => {
  await app.connectDemo();
  const dialog = await openKeys(page);

  // A command without keys, for the selected server.
  const restart = await press(dialog, 'Restart', 'Control+Shift+Y');
  await expect(restart.getByText('Y', { exact: true })).toBeVisible();
  // Taken by another command.
  const dock = await press(dialog, 'Show or hide the dock', 'Control+k');
  await expect(dock.getByRole('alert')).toContainText('Ctrl+K is used by “Command palette”.');
  await dock.getByRole('button', { name: 'Use here instead' }).click();
  await expect(dialog.getByRole('group', { name: 'Command palette', exact: true })).toContainText('None');
  // Kept by fields, and fixed.
  const settings = await press(dialog, 'Settings', 'Control+c');
  await expect(settings.getByRole('alert')).toContainText('Ctrl+C copies text.');
  await page.keyboard.press('Control+Enter');
  await expect(settings.getByRole('alert')).toContainText('fixed');
  await page.keyboard.press('Escape');
  await expect(settings.getByRole('textbox')).toBeHidden();
  await expect(dialog).toBeVisible();
  await expect(settings.getByRole('button', { name: 'Change the keys of Settings' })).toBeVisible();

  // Found by pressing keys.
  await dialog.getByRole('button', { name: 'Search by pressing keys' }).click();
  await expect(dialog.getByRole('textbox', { name: 'Search by keys' })).toBeFocused();
  await page.keyboard.press('Control+k');
  await expect(dialog.getByRole('group', { name: 'Show or hide the dock' })).toBeVisible();
  await expect(dialog.getByRole('group')).toHaveCount(1);
  await page.keyboard.press('Escape');
  await expect(dialog.getByRole('textbox', { name: 'Search by keys' })).toBeHidden();
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();

  // They work, and what shows them follows.
  const hide = page.getByRole('button', { name: 'Hide the dock' });
  await expect(hide).toHaveAttribute('data-tip', /Ctrl\+K/);
  await page.keyboard.press('Control+k');
  await expect(page.getByRole('button', { name: 'Show the dock' })).toBeVisible();
  await page.getByText('Go to anything').click();
  await page.getByLabel('Command palette').fill('restart demo');
  await expect(page.getByRole('option', { name: /^Restart Demo server/ })).toContainText('Ctrl+Shift+Y');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);

  // The state is saved a moment after the last change.
  await expect.poll(() => savedState(patchbay.folder)).toContain('"dockOpen":false');
  await patchbay.restart();
  await page.goto(patchbay.address);
  await expect(app.server('Demo server')).toBeVisible();
  // The dock is hidden as before: the page has its state, and with it the keys.
  await expect(page.getByRole('button', { name: 'Show the dock' })).toBeVisible();
  await page.keyboard.press('Control+k');
  await expect(page.getByRole('button', { name: 'Hide the dock' })).toBeVisible();
  await app.server('Demo server').click();
  // Nothing but these keys connects it.
  await expect(app.server('Demo server', 'Not connected')).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.press('Control+Shift+Y');
  await expect(app.server('Demo server', 'Ready')).toBeVisible();

  const again = await openKeys(page);
  await again.getByRole('button', { name: 'Reset all' }).click();
  await expect(again.getByRole('group', { name: 'Command palette', exact: true })).toContainText('K');
  await page.keyboard.press('Escape');
  await expect(again).toBeHidden();
  await page.keyboard.press('Control+k');
  await expect(page.getByLabel('Command palette')).toBeVisible();
});
