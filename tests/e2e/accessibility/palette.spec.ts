import type { Locator } from '@playwright/test';
import { expect, test } from '../patchbay.ts';
import type { Screen } from '../screen.ts';

/** Opens the palette, types, and takes the first entry whose name begins so. */
async function goTo(app: Screen, text: string, entry: RegExp): Promise<void> {
  await app.page.keyboard.press('ControlOrMeta+k');
  const field = app.page.getByRole('combobox', { name: 'Command palette' });
  await expect(field).toBeFocused();
  await field.fill(text);
  // Entries move while the lists of the server arrive.
  await expect(app.page.getByText(/^Listing /)).toHaveCount(0);
  await app.page.getByRole('option', { name: entry }).first().click();
  await expect(field).toBeHidden();
}

const focused = (app: Screen): Locator => app.page.locator(':focus');

test('the palette finds what every list of a server has, and what was chosen has the focus', async ({ app }) => {
  await app.connectDemo();
  await app.page.getByRole('tab', { name: 'Info' }).click();
  await goTo(app, 'greet', /^greet, .*Tool/);
  await expect(app.arguments.locator(':focus')).toHaveCount(1);
  await goTo(app, 'tour', /^tour, .*Prompt/);
  await expect(app.page.getByRole('heading', { name: /tour/i }).first()).toBeVisible();
  await expect(focused(app)).toHaveText('Get prompt');
  await goTo(app, 'readme', /Resource/);
  await expect(focused(app)).toHaveText('Read');
  await goTo(app, 'template', /, Template, /);
  await expect(app.page.getByRole('region', { name: 'Variables' }).locator(':focus')).toHaveCount(1);
  await goTo(app, 'logs', /^Logs, Panel/);
  await expect(focused(app)).toHaveText('Logs');
  await goTo(app, 'show traffic', /^Show traffic/);
  await expect(focused(app)).toHaveText('Traffic');
  await app.page.keyboard.press('ControlOrMeta+k');
  const recent = app.page.getByRole('group', { name: 'Recent' }).getByRole('option');
  await expect(recent.first()).toHaveAccessibleName(/^Show traffic/);
  await expect(recent).toHaveCount(6);
});

test('Ctrl-1 goes to the first server, and a dialog opened by the palette gives the focus back', async ({ app }) => {
  await app.connectDemo();
  await app.selectTool('greet');
  const name = app.arguments.getByRole('textbox').first();
  await name.focus();
  await goTo(app, 'keyboard shortcuts', /^Keyboard shortcuts/);
  const shortcuts = app.page.getByRole('dialog', { name: 'Shortcuts' });
  await expect(shortcuts.locator(':focus')).toHaveCount(1);
  await app.page.keyboard.press('Escape');
  await expect(name).toBeFocused();
  await goTo(app, 'add a server', /^Add a server/);
  const add = app.page.getByRole('dialog', { name: 'Add a server' });
  await expect(add.locator(':focus')).toHaveCount(1);
  await app.page.keyboard.press('Escape');
  await expect(add).toBeHidden();
  const other = { command: process.env.PATCHBAY_BIN, args: ['demo-server'] };
  await app.addByPaste(JSON.stringify({ mcpServers: { other } }));
  await app.server('other').click();
  await expect(app.server('other')).toHaveAttribute('aria-selected', 'true');
  await app.page.keyboard.press('ControlOrMeta+1');
  await expect(app.server('Demo server')).toHaveAttribute('aria-selected', 'true');
  await expect(app.rail.getByRole('treeitem', { selected: true })).toHaveCount(1);
});
