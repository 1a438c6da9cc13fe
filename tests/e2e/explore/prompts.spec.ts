import type { Locator, Page } from '@playwright/test';
import { expect, test } from '../patchbay.ts';
import type { Screen } from '../screen.ts';

/** The Prompts tab of the connected server. */
async function openPrompts(app: Screen): Promise<{ panel: Locator; rows: Locator; page: Page; messages: Locator }> {
  const { page } = app;
  await page.getByRole('tab', { name: 'Prompts' }).click();
  const panel = page.getByRole('region', { name: 'Prompts', exact: true });
  const rows = panel.getByRole('listbox', { name: 'Prompts' }).getByRole('option');
  await expect(rows.first()).toBeVisible();
  return { panel, rows, page, messages: app.result.getByRole('list', { name: 'Messages' }).locator(':scope > [role=listitem]') };
}

const argument = (page: Page, name: string): Locator =>
  page.getByRole('region', { name: 'Arguments' }).getByRole('textbox', { name: new RegExp(`^${name}`) });

test('a prompt is found, completed and requested by keys alone', async ({ app }) => {
  await app.connectDemo();
  const { panel, rows, page, messages } = await openPrompts(app);
  await expect(rows.first().locator('img')).toHaveAttribute('src', /^data:image/);
  await panel.getByRole('listbox', { name: 'Prompts' }).focus();
  await page.keyboard.press('/');
  await expect(panel.getByLabel('Search prompts')).toBeFocused();
  await page.keyboard.type('greet');
  await expect(rows).toHaveCount(1);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(argument(page, 'name')).toBeFocused();
  await page.keyboard.type('Ada');
  await page.keyboard.press('Tab');
  await expect(argument(page, 'style')).toBeFocused();
  await page.keyboard.type('pi');
  await expect(page.getByRole('option', { name: 'pirate' })).toBeVisible();
  // The values for the text before are gone.
  await expect(page.getByRole('option', { name: 'warm' })).toHaveCount(0);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(argument(page, 'style')).toHaveValue('pirate');
  await page.keyboard.press('ControlOrMeta+Enter');
  await expect(app.resultStatus).toHaveText('Result');
  await expect(messages).toHaveCount(1);
  await expect(messages).toContainText('Please write a pirate greeting for Ada.');
  await app.result.getByRole('button', { name: 'Show response in the traffic log' }).click();
  await expect(app.record).toContainText('prompts/get');
});

test('completion knows the other arguments, says how many values there are, and leaves line breaks alone', async ({ app }) => {
  await app.connectDemo();
  const { rows, page, messages } = await openPrompts(app);
  await rows.filter({ hasText: 'numbers' }).click();
  await argument(page, 'number').click();
  await expect(page.getByText('100 of 1,000 values')).toBeVisible();
  await page.keyboard.type('99');
  await expect(page.getByRole('option', { name: '999', exact: true })).toBeVisible();
  await expect(page.getByText(/of 1,000 values/)).toBeHidden();
  await page.keyboard.press('Escape');
  await rows.filter({ hasText: 'review' }).click();
  await argument(page, 'code').fill('let a;\n\nlet b;');
  await argument(page, 'language').fill('rust');
  // The values that are suggested for it would be above the next argument.
  await page.keyboard.press('Escape');
  await argument(page, 'framework').click();
  await expect(page.getByRole('option')).toContainText(['axum', 'bevy', 'tauri'], { useInnerText: true });
  await page.getByRole('option', { name: 'tauri' }).click();
  await page.getByRole('button', { name: 'Get prompt' }).click();
  await expect(messages).toContainText('Mind that it uses tauri.');
  await expect(messages).toContainText('let a;');
  await expect(app.arguments).toContainText('"code":"let a;\\n\\nlet b;"');
});

test('a required argument is asked for, may be omitted on purpose, and the error is shown', async ({ app }) => {
  await app.connectDemo();
  const { rows, page } = await openPrompts(app);
  await rows.filter({ hasText: 'review' }).click();
  await page.getByRole('button', { name: 'Get prompt' }).click();
  await expect(app.result).toBeHidden();
  await expect(page.getByLabel('1 problem')).toContainText('code is required');
  await page.getByRole('button', { name: 'Send anyway' }).click();
  await expect(app.resultStatus).toHaveText('JSON-RPC error');
  await expect(app.result).toContainText('Missing argument: code');
  await page.getByRole('button', { name: 'Set code to empty string' }).click();
  await page.keyboard.press('ControlOrMeta+Enter');
  await expect(app.resultStatus).toHaveText('Result');
  await page.getByRole('button', { name: '2 requests' }).click();
  await page.getByRole('menuitem', { name: 'JSON-RPC error' }).click();
  await expect(app.resultStatus).toHaveText('JSON-RPC error');
});

test('messages are a conversation with every type of content', async ({ app, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await app.connectDemo();
  const { rows, page, messages } = await openPrompts(app);
  await rows.filter({ hasText: 'tour' }).click();
  await page.getByRole('button', { name: 'Get prompt' }).click();
  await expect(messages).toHaveCount(6);
  await expect(messages.getByRole('heading').nth(2)).toHaveText('assistant');
  const image = messages.nth(1).locator('img');
  await expect.poll(() => image.evaluate((node: HTMLImageElement) => node.naturalWidth)).toBe(64);
  await expect(messages.locator('audio')).toHaveCount(1);
  await messages.nth(2).getByRole('button', { name: 'Copy message' }).click();
  const clipboard = (): Promise<string> => page.evaluate(() => navigator.clipboard.readText());
  await expect.poll(clipboard).toBe('A cable on a gradient.');
  await app.result.getByRole('button', { name: 'Copy as' }).click();
  await page.getByRole('menuitem', { name: 'Messages (Markdown)' }).click();
  await expect.poll(clipboard).toContain('## assistant\n\nA cable on a gradient.');
  await app.result.getByRole('button', { name: 'Copy as' }).click();
  await page.getByRole('menuitem', { name: 'Command line' }).click();
  await expect.poll(clipboard).toMatch(/^patchbay prompts get --server 'Demo server' tour$/);
  await messages.last().getByRole('button', { name: 'inventory' }).click();
  await expect(page.getByRole('tab', { name: 'Resources' })).toHaveAttribute('aria-selected', 'true');
});

test('nothing in a hostile prompt runs', async ({ app }) => {
  await app.connectDemo();
  const { rows, page, messages } = await openPrompts(app);
  await rows.filter({ hasText: 'hostile' }).click();
  await page.getByRole('button', { name: 'Get prompt' }).click();
  await expect(messages).toHaveCount(4);
  await expect(messages.first()).toContainText('<script>');
  await expect(messages.nth(2).getByRole('heading')).toHaveText('<b>narrator</b>');
  await expect(messages.last()).toContainText('hologram');
  expect(await page.evaluate(() => 'hostile' in window)).toBe(false);
});

test('selection, search and what is typed survive another tab and a new connection', async ({ app }) => {
  await app.connectDemo();
  const { rows, page } = await openPrompts(app);
  await page.getByLabel('Search prompts').fill('review');
  await rows.first().click();
  await argument(page, 'code').fill('a\nb');
  await page.getByRole('tab', { name: 'Info' }).click();
  await page.getByRole('tab', { name: 'Prompts' }).click();
  await expect(argument(page, 'code')).toHaveValue('a\nb');
  await app.serverMenu('Demo server', 'Disconnect');
  await page.getByRole('button', { name: 'Reconnect' }).click();
  await expect(page.getByRole('button', { name: 'Get prompt' })).toBeVisible();
  await expect(argument(page, 'code')).toHaveValue('a\nb');
  await expect(page.getByLabel('Search prompts')).toHaveValue('review');
  await page.getByRole('button', { name: 'Get prompt' }).click();
  await expect(app.resultStatus).toHaveText('Result');
});

test('a conversation of ten thousand messages, the first of 1 MB, is shown in part', async ({ app }) => {
  await app.connectDemo();
  const { rows, page, messages } = await openPrompts(app);
  await rows.filter({ hasText: 'long' }).click();
  await argument(page, 'messages').fill('10000');
  await page.getByRole('button', { name: 'Get prompt' }).click();
  await expect(messages).toHaveCount(20);
  await expect(messages.first()).toContainText('A line of a long text.');
  await expect(app.result).toContainText('20 of 10,000 messages');
  await app.result.getByRole('button', { name: 'Show 20 more' }).click();
  await expect(messages).toHaveCount(40);
  await expect(messages.last()).toContainText('Message 40 of 10000.');
});
