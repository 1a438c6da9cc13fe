import type { Locator, Page } from '@playwright/test';
import { expect, test } from '../patchbay.ts';
import type { Screen } from '../screen.ts';

/** The Composer tab of the connected server. */
async function openComposer(app: Screen): Promise<Page> {
  await app.page.getByRole('tab', { name: 'Composer' }).click();
  return app.page;
}

const params = (page: Page): Locator => page.getByRole('textbox', { name: 'Params' });
const message = (page: Page): Locator => page.getByRole('textbox', { name: 'Message' });
const send = (page: Page): Locator => page.getByRole('button', { name: 'Send', exact: true });

/** Replaces the text of an editor. */
async function write(editor: Locator, text: string): Promise<void> {
  await editor.click();
  await editor.press('ControlOrMeta+A');
  await editor.press('Delete');
  await editor.page().keyboard.insertText(text);
}

test('params are edited in a form, with the same text as JSON', async ({ app }) => {
  await app.connectDemo();
  const page = await openComposer(app);
  const form = page.getByRole('radio', { name: 'Form' });
  await expect(form).toBeDisabled();
  await page.getByRole('combobox', { name: 'Method' }).fill('completion/complete');
  await page.keyboard.press('Escape');
  await form.check({ force: true });
  const editor = page.getByRole('region', { name: 'Params' });
  await editor.getByRole('textbox', { name: 'name*' }).first().fill('greet');
  await editor.getByRole('textbox', { name: 'value*' }).fill('h"');
  await page.getByRole('radio', { name: 'JSON', exact: true }).first().check({ force: true });
  await expect(params(page)).toContainText(String.raw`"value": "h\"`);
  // A form that cannot show the text says so, and keeps it.
  await write(params(page), '[1]');
  await expect(form).toBeDisabled();
  await write(params(page), '{"ref": {"type": "ref/tool"}}');
  await form.check({ force: true });
  await expect(editor).toContainText('argument');
  await send(page).click();
  await expect(app.resultStatus).toContainText('error');
});

test('any request is written, sent by keys, saved, and there after a reload', async ({ app }) => {
  await app.connectDemo();
  const page = await openComposer(app);
  await expect(page.getByText('No saved requests')).toBeVisible();
  await page.getByRole('combobox', { name: 'Method' }).fill('tools/call');
  await expect(params(page)).toContainText('"arguments"');
  await write(params(page), '{"name":"add","arguments":{"a":9007199254740993,"b":1}}');
  await page.keyboard.press('ControlOrMeta+Enter');
  await expect(app.resultStatus).toHaveText('Result');
  await expect(app.result).toContainText('9007199254740994');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill('Add two');
  await page.keyboard.press('Enter');
  const saved = page.getByRole('listbox', { name: 'Saved requests' }).getByRole('option');
  await expect(saved).toHaveText(['Add two']);
  await page.reload();
  await saved.click();
  await expect(params(page)).toContainText('9007199254740993');
  await page.getByRole('button', { name: 'Delete Add two' }).click();
  await expect(saved).toHaveCount(0);
});

test('what is wrong on purpose is sent, and what cannot be sent says why', async ({ app }) => {
  await app.connectDemo();
  const page = await openComposer(app);
  await page.getByRole('combobox', { name: 'Method' }).fill('no/such');
  await write(params(page), '[1]');
  await expect(page.getByText('Params must be a JSON object.')).toBeVisible();
  await expect(send(page)).toHaveAttribute('aria-disabled', 'true');
  await write(params(page), '{"x":1}');
  await send(page).click();
  await expect(app.resultStatus).toHaveText('JSON-RPC error');
  await page.getByRole('radio', { name: 'Raw message' }).check({ force: true });
  await write(message(page), '{"jsonrpc":"2.0","id":"mine","method":"tools/list"} trailing');
  await send(page).click();
  await page.getByRole('status').getByRole('button', { name: /^#\d+$/ }).click();
  await expect(app.record).toContainText('trailing');
});

test('a recorded request is sent again, or edited first, and related to the first', async ({ app }) => {
  await app.connectDemo();
  await app.selectTool('add');
  await app.writeArguments('{"a": 1.10, "b": 2}');
  await app.callTool();
  await expect(app.resultStatus).toHaveText('Result');
  const page = app.page;
  const called = app.trafficRows.filter({ hasText: 'tools/call' }).first();
  await called.click();
  const first = (await app.record.getByText(/^#\d+$/).first().textContent()) ?? '';
  await app.record.getByRole('button', { name: 'Send again', exact: true }).click();
  await expect(app.resultStatus).toHaveText('Result');
  await expect(page.getByText('Repeats')).toBeVisible();
  await expect(params(page)).toContainText('1.10');
  await called.click();
  await app.record.getByRole('button', { name: 'Edit and send again' }).click();
  await expect(params(page)).toBeFocused();
  await write(params(page), '{"name":"add","arguments":{"a":40,"b":2}}');
  await send(page).click();
  await expect(app.result).toContainText('42');
  await app.result.getByRole('button', { name: 'Show response in traffic log' }).click();
  await app.record.getByText(/^request #/).getByRole('button').click();
  await expect(app.record.getByText(/^Related/)).toBeVisible();
  await app.record.getByText(/^Related/).click();
  await expect(app.record.getByRole('button', { name: new RegExp(`^${first} `) })).toBeVisible();
});

test('the draft is sent on a new connection', async ({ app }) => {
  await app.connectDemo();
  const page = await openComposer(app);
  await page.getByRole('combobox', { name: 'Method' }).fill('tools/list');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'More ways to send' }).click();
  await page.getByRole('menuitem', { name: 'Reconnect, then send' }).click();
  await expect(app.resultStatus).toHaveText('Result');
});
