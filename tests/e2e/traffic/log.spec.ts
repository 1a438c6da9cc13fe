import { scripted } from '../commands.ts';
import { expect, test } from '../patchbay.ts';

/** The demo server's list of tools comes in two pages: two requests, two answers. */
const LISTED = 4;

test('every frame is a row, requests with their responses', async ({ app }) => {
  await app.addByPaste(`${scripted('dual')}`);
  await expect(app.toolRows.first()).toBeVisible();
  await expect(app.trafficRows.filter({ hasText: 'server/discover' }).first()).toBeVisible();
  await expect(app.trafficRows.filter({ hasText: 'tools/list' })).toHaveCount(2);
});

test('a whole record: decoded, raw, and its paired record', async ({ app }) => {
  await app.addByPaste(scripted('legacy'));
  await app.selectTool('numbers');
  await app.callTool();
  await expect(app.resultStatus).toHaveText('Result');
  const answer = app.trafficRows.filter({ hasText: 'tools/call' }).filter({ hasText: 'response' });
  await answer.click();
  await app.record.getByText('Raw', { exact: true }).click();
  await expect(app.record).toContainText('"big":9007199254740993,"price":1.10,"twice":1,"twice":2');
  await app.record.getByRole('button', { name: /^#\d+$/ }).first().click();
  await expect(app.record).toContainText('"method":"tools/call"');
});

test('a pending request has a running timer until it is answered', async ({ app }) => {
  await app.connectDemo();
  await app.selectTool('sleep');
  await app.callTool();
  const request = app.trafficRows.filter({ hasText: 'tools/call' }).filter({ hasText: 'request' });
  await expect(request).toContainText(/waiting/i);
  await app.result.getByRole('button', { name: 'Cancel' }).click();
  await expect(request).toContainText(/cancelled/i);
});

test('the filter shows rows that contain the text', async ({ app }) => {
  await app.connectDemo();
  await app.traffic.getByLabel('Filter records').fill('tools/list');
  await expect(app.trafficRows).toHaveCount(LISTED);
  await app.traffic.getByLabel('Filter records').fill('nothing holds this');
  await expect(app.traffic.getByText('No matching records')).toBeVisible();
  await app.traffic.getByRole('button', { name: 'Clear filter' }).click();
  await expect(app.trafficRows.first()).toBeVisible();
});

test('while paused, the log does not move and recording continues', async ({ app }) => {
  await app.connectDemo();
  await expect(app.trafficCount).toContainText('record');
  await app.traffic.getByRole('button', { name: /^Pause/ }).click();
  await app.selectTool('greet');
  await app.writeArguments('{"name": "Ada"}');
  await app.callTool();
  await expect(app.resultStatus).toHaveText('Result');
  await expect(app.trafficCount).toContainText(/paused, [1-9]/);
  await expect(app.trafficRows.filter({ hasText: 'tools/call' })).toHaveCount(0);
  await app.traffic.getByRole('button', { name: 'Resume' }).click();
  await expect(app.trafficRows.filter({ hasText: 'tools/call' }).first()).toBeVisible();
});

test('a cleared log is empty and continues', async ({ app }) => {
  await app.connectDemo();
  await expect(app.trafficRows.first()).toBeVisible();
  await app.traffic.getByRole('button', { name: /^Clear the records of/ }).click();
  await expect(app.trafficRows).toHaveCount(0);
  await app.tools.getByRole('button', { name: 'Refresh tools' }).click();
  await expect(app.trafficRows.filter({ hasText: 'tools/list' })).toHaveCount(LISTED);
});

test('stray lines on stdout are rows with a problem', async ({ app }) => {
  await app.addByPaste(scripted('legacy'));
  await app.selectTool('stray');
  await app.callTool();
  await expect(app.resultStatus).toHaveText('Result');
  const stray = app.trafficRows.filter({ hasText: 'DEBUG about to answer' });
  await expect(stray).toBeVisible();
  await stray.click();
  await expect(app.record.getByRole('list', { name: 'Violations' }).getByRole('listitem').first()).toBeVisible();
});

test('the stderr of a server is in Server output', async ({ app }) => {
  await app.connectDemo();
  await app.selectTool('write_stderr');
  await app.callTool();
  await expect(app.resultStatus).toHaveText('Result');
  await app.page.getByRole('tab', { name: 'Server output' }).click();
  await expect(app.page.getByRole('listbox', { name: 'Server output' }).getByRole('option').first()).toBeVisible();
});

test('the log survives a reload and a restart', async ({ app, patchbay }) => {
  await app.connectDemo();
  await expect(app.trafficRows.filter({ hasText: 'tools/list' })).toHaveCount(LISTED);
  await app.page.reload();
  await expect(app.trafficRows.filter({ hasText: 'tools/list' })).toHaveCount(LISTED);
  await patchbay.restart();
  await app.page.goto(patchbay.address);
  await app.traffic.getByLabel('Filter records').fill('tools/list');
  await expect(app.trafficRows.filter({ hasText: 'tools/list' })).toHaveCount(LISTED);
});

test('ten thousand records are counted correctly and can be scrolled', async ({ app }) => {
  await app.addByPaste(scripted('legacy'));
  await app.selectTool('logs');
  await app.writeArguments('{"n": 10000}');
  await app.callTool();
  await expect(app.resultStatus).toHaveText('Result');
  await app.traffic.getByLabel('Filter records').fill('notifications/message');
  await expect(app.trafficCount).toHaveText(/^10.?000 records$/);
  const list = app.page.getByRole('listbox', { name: 'Traffic' });
  await list.focus();
  await app.page.keyboard.press('Home');
  await expect(app.trafficRows.first()).toHaveAttribute('aria-posinset', '1');
  await app.page.keyboard.press('End');
  await expect(list.locator('[aria-posinset="10000"]')).toBeVisible();
});
