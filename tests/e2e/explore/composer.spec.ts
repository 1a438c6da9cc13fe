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
  await expect(form).toBeEnabled();
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
  await expect(form).toBeEnabled();
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
  await page.getByRole('button', { name: 'Save…', exact: true }).click();
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
  await app.result.getByRole('button', { name: 'Show response in the traffic log' }).click();
  await app.record.getByText(/^request #/).getByRole('button').click();
  await expect(app.record.getByText(/^Related/)).toBeVisible();
  await app.record.getByText(/^Related/).click();
  await expect(app.record.getByRole('button', { name: new RegExp(`^${first} `) })).toBeVisible();
});

/** Shows the newest of `count` records that a filter finds; returns its number, as `#7`. */
async function newest(app: Screen, filter: string, count: number): Promise<string> {
  await app.filterTraffic(filter);
  await expect(app.trafficRows).toHaveCount(count);
  const row = app.trafficRows.last();
  await row.click();
  // Until it has come, the record that was selected before stays, with the time of the new one among what is related.
  const [time] = /\d\d:\d\d:\d\d\.\d{3}/.exec((await row.textContent()) ?? '') ?? ['no time'];
  await expect(app.record.getByText(time, { exact: true })).toBeVisible();
  return (await app.record.getByText(/^#\d+$/).first().textContent()) ?? '';
}

/** That the shown record and another are related, from the shown one. */
async function expectRelated(app: Screen, seq: string): Promise<void> {
  await app.record.getByText(/^Related/).click();
  await expect(app.record.getByRole('button', { name: new RegExp(`^${seq} `) })).toBeVisible();
}

test('the draft is sent on a new connection', async ({ app }) => {
  await app.connectDemo();
  const page = await openComposer(app);
  await page.getByRole('combobox', { name: 'Method' }).fill('tools/list');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'More ways to send' }).click();
  await page.getByRole('menuitem', { name: 'Reconnect, then send' }).click();
  await expect(app.resultStatus).toHaveText('Result');
});

test('a recorded request is sent again on a new connection, and linked to the first', async ({ app }) => {
  await app.connectDemo();
  await app.selectTool('add');
  await app.writeArguments('{"a": 1.10, "b": 2}');
  await app.callTool();
  await expect(app.resultStatus).toHaveText('Result');
  const first = await newest(app, 'method:tools/call kind:request', 1);
  await app.record.getByRole('button', { name: 'More ways to send again' }).click();
  await app.page.getByRole('menuitem', { name: 'Reconnect, then send again' }).click();
  await expect(app.resultStatus).toHaveText('Result');
  const second = await newest(app, 'method:tools/call kind:request', 2);
  expect(second).not.toBe(first);
  await expectRelated(app, first);
  // The new connection made a new handshake.
  await app.filterTraffic('"Ready:"');
  // There were two calls as well.
  await expect(app.trafficRows.filter({ hasText: 'tools/call' })).toHaveCount(0);
  await expect(app.trafficRows).toHaveCount(2);
});

test('a recorded request is sent to another server, and linked to the first in both directions', async ({ app }) => {
  const command = process.env.PATCHBAY_BIN ?? 'patchbay';
  const other = { command, args: ['demo-server'], era: 'legacy' };
  await app.addByPaste(JSON.stringify({ mcpServers: { other } }));
  await expect(app.server('other', 'Ready')).toBeVisible();
  await app.page.keyboard.press('ControlOrMeta+k');
  await app.page.getByLabel('Command palette').fill('demo server');
  await app.page.getByRole('option', { name: /demo server/i }).first().click();
  await expect(app.server('Demo server', 'Ready')).toBeVisible();
  await app.selectTool('add');
  await app.writeArguments('{"a": 1.10, "b": 2}');
  await app.callTool();
  await expect(app.resultStatus).toHaveText('Result');
  const mine = 'method:tools/call kind:request';
  const first = await newest(app, mine, 1);

  // From its row: it is written into the composer of the other server, and sent when the user says so.
  await app.record.getByRole('button', { name: 'More ways to send again' }).click();
  await app.page.getByRole('menuitem', { name: 'other', exact: true }).click();
  await expect(app.server('other')).toHaveAttribute('aria-selected', 'true');
  await expect(params(app.page)).toBeFocused();
  await expect(params(app.page)).toContainText('1.10');
  await expect(app.page.getByText('Repeats')).toBeVisible();
  await expect(app.page.getByRole('button', { name: first, exact: true })).toBeVisible();
  await app.page.keyboard.press('ControlOrMeta+Enter');
  await expect(app.resultStatus).toHaveText('Result');

  // From the composer of the first, it is copied to the other one, with its link.
  await app.server('Demo server').click();
  await newest(app, `${mine} server:"Demo server"`, 1);
  await app.record.getByRole('button', { name: 'Edit and send again' }).click();
  // What is written before its text has come would be written into that text.
  await expect(params(app.page)).toBeFocused();
  await expect(params(app.page)).toContainText('1.10');
  await write(params(app.page), '{"name":"add","arguments":{"a":40,"b":2}}');
  await app.page.getByRole('button', { name: 'More ways to send', exact: true }).click();
  await app.page.getByRole('menuitem', { name: 'other', exact: true }).click();
  await expect(params(app.page)).toContainText('40');
  await expect(app.page.getByRole('button', { name: first, exact: true })).toBeVisible();
  await send(app.page).click();
  await expect(app.result).toContainText('42');

  // Both are linked to the first, and the first to both.
  await newest(app, `${mine} server:other`, 2);
  await expectRelated(app, first);
  await newest(app, `${mine} server:"Demo server"`, 1);
  await app.record.getByText(/^Related \(2\)/).click();
  await expect(app.record.getByRole('button', { name: /tools\/call$/ })).toHaveCount(2);
  await expect(app.record.getByText('other · add', { exact: true })).toHaveCount(2);
  // Without the link, if the user removes it.
  await app.server('other').click();
  await app.page.getByRole('button', { name: 'Unlink from this record' }).click();
  await send(app.page).click();
  await expect(app.resultStatus).toHaveText('Result');
  await newest(app, `${mine} server:other`, 3);
  await expect(app.record.getByText(/^Related/)).toHaveCount(0);
});
