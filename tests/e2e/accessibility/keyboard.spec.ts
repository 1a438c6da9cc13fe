import { expect, test } from '../patchbay.ts';

test('the palette opens a tool from anywhere', async ({ app }) => {
  await app.connectDemo();
  await app.page.getByRole('tab', { name: 'Info' }).click();
  await expect(app.tools).toBeHidden();
  await app.page.keyboard.press('Control+k');
  const palette = app.page.getByLabel('Command palette');
  await expect(palette).toBeFocused();
  await palette.fill('draw_shape');
  await app.page.keyboard.press('Enter');
  await expect(app.page.getByRole('heading', { name: 'draw_shape', exact: true })).toBeVisible();
  const focused = app.page.locator('[data-arguments] :focus');
  await expect(focused).toHaveCount(1);
});

test('“Call tool” is not cut off in a narrow window', async ({ app }) => {
  await app.page.setViewportSize({ width: 853, height: 600 });
  await app.connectDemo();
  await app.selectTool('greet');
  await app.page.getByLabel('name').first().fill('Ada');
  const button = app.page.getByRole('button', { name: 'Call tool' });
  await button.click();
  // With every control of the bar.
  await app.page.getByRole('radiogroup', { name: 'Edit arguments as' }).getByText('JSON').click();
  await expect(app.page.getByRole('button', { name: 'Indent' })).toBeVisible();
  const pane = app.page.getByRole('region', { name: 'Arguments', exact: true });
  await expect(button).toBeVisible();
  const overhang = async (): Promise<number> => {
    const [inner, outer] = [await button.boundingBox(), await pane.boundingBox()];
    return inner === null || outer === null ? Infinity : inner.x + inner.width - (outer.x + outer.width);
  };
  await expect.poll(overhang).toBeLessThanOrEqual(0);
});

test('Ctrl-J hides and shows the dock', async ({ app }) => {
  await app.connectDemo();
  await expect(app.traffic).toBeVisible();
  await app.page.keyboard.press('Control+j');
  await expect(app.traffic).toBeHidden();
  await app.page.keyboard.press('Control+j');
  await expect(app.traffic).toBeVisible();
});

test('arrows select a tool, Enter moves to its arguments, Ctrl-Enter calls it', async ({ app }) => {
  await app.connectDemo();
  await app.tools.getByLabel('Search tools').fill('greet');
  await expect(app.toolRows).toHaveCount(1);
  await app.page.getByRole('listbox', { name: 'Tools' }).focus();
  await app.page.keyboard.press('ArrowDown');
  await expect(app.page.getByRole('heading', { name: 'greet', exact: true })).toBeVisible();
  await expect(app.arguments.getByRole('textbox').first()).toBeVisible();
  await app.page.keyboard.press('Enter');
  await expect(app.arguments.getByRole('textbox').first()).toBeFocused();
  await app.page.keyboard.type('Ada');
  await app.page.keyboard.press('Control+Enter');
  await expect(app.resultStatus).toHaveText('Result');
  await expect(app.result).toContainText('Ada');
});

test('a slash focuses the filter, Esc clears and leaves it', async ({ app }) => {
  await app.connectDemo();
  await app.page.getByRole('listbox', { name: 'Traffic' }).focus();
  await app.page.keyboard.press('/');
  const filter = app.traffic.getByLabel('Filter records');
  await expect(filter).toBeFocused();
  await app.page.keyboard.type('ping');
  await app.page.keyboard.press('Escape');
  await expect(filter).toHaveValue('');
  await app.page.keyboard.press('Escape');
  await expect(filter).not.toBeFocused();
});

test('F6 goes through the panes that are shown, Shift-F6 back; Enter on a connected server moves into it', async ({ app }) => {
  await app.connectDemo();
  await app.toolRows.filter({ hasText: 'greet' }).first().click();
  await expect(app.arguments.getByRole('textbox').first()).toBeVisible();
  const servers = app.page.getByRole('tree', { name: 'Servers' });
  const tools = app.page.getByRole('listbox', { name: 'Tools' });
  const traffic = app.page.getByRole('listbox', { name: 'Traffic' });
  await servers.focus();
  await app.page.keyboard.press('Enter');
  await expect(tools).toBeFocused();
  await app.page.keyboard.press('F6');
  await expect(app.arguments.locator(':focus')).toHaveCount(1);
  await app.page.keyboard.press('Shift+F6');
  await expect(tools).toBeFocused();
  await app.page.keyboard.press('Shift+F6');
  await expect(servers).toBeFocused();
  // Before the first is the last.
  await app.page.keyboard.press('Shift+F6');
  await expect(traffic).toBeFocused();
  await app.page.keyboard.press('F6');
  await expect(servers).toBeFocused();
  // Of the closed dock its tabs are left.
  await app.page.keyboard.press('Control+j');
  await expect(app.traffic).toBeHidden();
  await app.page.keyboard.press('Shift+F6');
  await expect(app.page.getByRole('tab', { name: 'Traffic' })).toBeFocused();
  await app.page.keyboard.press('Shift+F6');
  await expect(app.page.getByRole('region', { name: 'Definition' }).locator(':focus')).toHaveCount(1);
});

test('a question mark shows all shortcuts', async ({ app }) => {
  await expect(app.welcome).toBeVisible();
  await app.page.locator('body').press('?');
  const dialog = app.page.getByRole('dialog', { name: 'Shortcuts' });
  await expect(dialog).toContainText('Command palette');
  await expect(dialog.locator(':focus')).toHaveCount(1);
  await app.page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
});

// Browsers differ in what they return from a call in an effect, and jsdom returns nothing: a dialog that closes is tested here.
test('Settings, Help and Import open and close by the keyboard, and the app is there again', async ({ app }) => {
  const { page } = app;
  const dialogs: [string, () => Promise<void>][] = [
    ['Settings', () => page.keyboard.press('Control+,')],
    ['Help', () => page.keyboard.press('F1')],
    [
      'Import servers from other hosts',
      async () => {
        await page.keyboard.press('Control+k');
        const palette = page.getByLabel('Command palette');
        await expect(palette).toBeFocused();
        await palette.fill('import servers');
        await page.keyboard.press('Enter');
      },
    ],
  ];
  await expect(page.getByRole('button', { name: 'Connect demo' })).toBeVisible();
  for (const [name, open] of dialogs) {
    await open();
    const dialog = page.getByRole('dialog', { name, exact: true });
    await expect(dialog).toBeVisible();
    await expect(dialog.locator(':focus')).toHaveCount(1);
    if (name === 'Help') await expect(dialog).toContainText('Patchbay is all you need');
    await page.keyboard.press('Escape');
    await expect(dialog).toBeHidden();
    await expect(page.getByRole('button', { name: 'Connect demo' })).toBeVisible();
  }
  await expect(page.getByText('cannot be shown')).toBeHidden();
});

for (const [words, dialog] of [
  ['settings', 'Settings'],
  ['help', 'Help'],
  ['change shortcuts', 'Shortcuts'],
  ['model providers', 'Model providers'],
  ['shared root sets', 'Shared root sets'],
  ['vault', 'Vault'],
  ['simulator demo', 'Simulator for Demo server'],
  ['edit demo', 'Edit Demo server'],
  ['diagnose demo', 'Diagnose Demo server'],
] as const) {
  test(`${dialog} opens with the focus on what it is for, not on its close button`, async ({ app }) => {
    await app.connectDemo();
    await app.page.keyboard.press('ControlOrMeta+k');
    await app.page.getByLabel('Command palette').fill(words);
    await expect(app.page.getByRole('option').first()).toBeVisible();
    await app.page.keyboard.press('Enter');
    const opened = app.page.getByRole('dialog', { name: dialog, exact: true });
    await expect(opened.locator(':focus')).toBeVisible();
    await expect(opened.locator('.mantine-Modal-close:focus')).toHaveCount(0);
  });
}
