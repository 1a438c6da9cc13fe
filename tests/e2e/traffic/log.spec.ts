import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
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
  await app.filterTraffic('tools/list');
  await expect(app.trafficRows).toHaveCount(LISTED);
  await app.filterTraffic('nothing holds this');
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
  // What comes after the log was cleared would be in it.
  await expect(app.trafficRows.filter({ hasText: 'tools/list' })).toHaveCount(LISTED);
  await app.traffic.getByRole('button', { name: /^Clear the records of/ }).click();
  const question = app.page.getByRole('dialog').filter({ hasText: 'This cannot be undone.' });
  await question.getByRole('button', { name: 'Cancel' }).click();
  await expect(app.trafficRows.first()).toBeVisible();
  await app.traffic.getByRole('button', { name: /^Clear the records of/ }).click();
  await question.getByRole('button', { name: 'Clear', exact: true }).click();
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
  await app.filterTraffic('tools/list');
  await expect(app.trafficRows.filter({ hasText: 'tools/list' })).toHaveCount(LISTED);
});

test('ten thousand records are counted correctly and can be scrolled', async ({ app }) => {
  await app.addByPaste(scripted('legacy'));
  await app.selectTool('logs');
  await app.writeArguments('{"n": 10000}');
  await app.callTool();
  await expect(app.resultStatus).toHaveText('Result');
  await app.filterTraffic('notifications/message');
  await expect(app.trafficCount).toHaveText(/^10.?000 records$/);
  const list = app.page.getByRole('listbox', { name: 'Traffic' });
  await list.focus();
  await app.page.keyboard.press('Home');
  await expect(app.trafficRows.first()).toHaveAttribute('aria-posinset', '1');
  await app.page.keyboard.press('End');
  await expect(list.locator('[aria-posinset="10000"]')).toBeVisible();
});

test('columns are resized, hidden and put back, and are the same after a restart', async ({ app, patchbay }) => {
  const { page } = app;
  await app.connectDemo();
  await expect(app.trafficRows.first()).toBeVisible();
  const border = app.traffic.getByRole('separator', { name: 'Width of Method' });
  const width = async (): Promise<number> => (await border.locator('..').boundingBox())?.width ?? 0;
  const usual = await width();
  const box = (await border.boundingBox())!;
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width / 2 - 60, box.y + box.height / 2, { steps: 4 });
  await page.mouse.up();
  await expect.poll(width).toBe(usual - 60);
  await border.press('ArrowRight');
  await expect.poll(width).toBe(usual - 52);
  // Rows and head share one grid.
  const row = () => app.trafficRows.first().evaluate((each) => getComputedStyle(each.querySelector('div')!).gridTemplateColumns);
  await expect.poll(row).toContain(`${usual - 52}px`);

  await app.traffic.getByRole('button', { name: 'Rows and columns' }).click();
  await page.getByRole('menuitemcheckbox', { name: 'Kind' }).click();
  await page.getByRole('menuitemcheckbox', { name: 'Kind', checked: false }).press('Escape');
  await expect(app.traffic.getByText('Kind', { exact: true })).toBeHidden();
  await expect.poll(() => readFile(join(patchbay.folder, 'ui.json'), 'utf8').catch(() => '')).toContain('hiddenColumns":["kind"]');
  await patchbay.restart();
  await page.goto(patchbay.address);
  await expect.poll(width).toBe(usual - 52);
  await border.press('Enter');
  await expect.poll(width).toBe(usual);
  await app.traffic.getByRole('button', { name: 'Rows and columns' }).click();
  await page.getByRole('menuitem', { name: 'Reset columns' }).click();
  await page.keyboard.press('Escape');
  await expect(app.traffic.getByText('Kind', { exact: true })).toBeVisible();
});

test('the rows have a bar for their time when that is chosen, also after a reload', async ({ app }) => {
  const { page } = app;
  await app.connectDemo();
  await app.selectTool('add');
  await app.writeArguments('{"a": 1, "b": 2}');
  await app.callTool();
  await expect(app.resultStatus).toHaveText('Result');
  await app.traffic.getByRole('button', { name: 'Rows and columns' }).click();
  await page.getByRole('menuitemcheckbox', { name: 'Timeline' }).click();
  await page.keyboard.press('Escape');
  const head = app.traffic.getByRole('columnheader', { name: /^Timeline · [\d.]+ (µs|ms|s|min)/ });
  await expect(head).toBeVisible();
  // The bar of the call begins where its row is in time, within its column, below the head.
  const call = app.trafficRows.filter({ hasText: 'tools/call' }).filter({ hasText: 'request' }).first();
  const bar = call.locator('[data-status="ok"]');
  await expect(async () => {
    const [column, drawn] = [(await head.boundingBox())!, (await bar.boundingBox())!];
    expect(drawn.x).toBeGreaterThanOrEqual(column.x - 1);
    expect(drawn.x + drawn.width).toBeLessThanOrEqual(column.x + column.width + 3);
    const first = (await app.trafficRows.first().locator('[style*="left"]').boundingBox())!;
    expect(first.x).toBeLessThan(drawn.x);
  }).toPass();
  await page.reload();
  await expect(head).toBeVisible();
  await app.traffic.getByRole('button', { name: 'Rows and columns' }).click();
  await page.getByRole('menuitem', { name: 'Reset columns' }).click();
  await page.keyboard.press('Escape');
  await expect(head).toHaveCount(0);
});

test('two records are compared, chosen by keys', async ({ app }) => {
  const { page } = app;
  await app.connectDemo();
  await app.selectTool('add');
  for (const b of [2, 3]) {
    await app.writeArguments(`{"a": 1, "b": ${b}}`);
    await app.callTool();
    await expect(app.result.getByText(String(1 + b), { exact: true })).toBeVisible();
  }
  await app.filterTraffic('kind:request method:tools/call');
  await expect(app.trafficCount).toHaveText('2 records');
  await app.trafficRows.first().click();
  await page.keyboard.press('Shift+ArrowDown');
  await app.traffic.getByRole('button', { name: 'Copy, export, limits' }).click();
  await page.getByRole('menuitem', { name: 'Compare first and last…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Compare records' });
  await expect(dialog.getByRole('region', { name: 'Difference' })).toContainText('"b": 3');
  await expect(dialog.getByText(/^#\d+ · .* · tools\/call · \d+ B$/)).toHaveCount(2);
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
  await expect(app.traffic.getByRole('button', { name: 'Copy, export, limits' })).toBeFocused();
});

test('a call is one row when that is chosen, and its answer is still found', async ({ app }) => {
  const { page } = app;
  await app.connectDemo();
  await app.selectTool('greet');
  await app.arguments.getByLabel('name').first().fill('Ada');
  await app.callTool();
  await expect(app.resultStatus).toHaveText('Result');
  const answer = app.trafficRows.filter({ hasText: 'tools/call' }).filter({ hasText: 'response' });
  // What it says, and of which tool, without opening it.
  await expect(answer).toContainText('greet');
  await expect(answer).toContainText('Ada');
  await app.traffic.getByRole('button', { name: 'Rows and columns' }).click();
  await page.getByRole('menuitemcheckbox', { name: 'One row per call' }).click();
  await page.keyboard.press('Escape');
  await expect(answer).toHaveCount(0);
  const call = app.trafficRows.filter({ hasText: 'tools/call' });
  await expect(call).toHaveCount(1);
  await expect(call).toContainText('ok');
  // A link to what is hidden shows it.
  await app.result.getByRole('button', { name: 'Show response in the traffic log' }).click();
  await expect(answer).toHaveAttribute('aria-selected', 'true');
});

test('the terms of the filter are proposed while they are typed', async ({ app }) => {
  await app.connectDemo();
  const filter = app.traffic.getByLabel('Filter records');
  await filter.fill('me');
  const terms = app.traffic.getByRole('list', { name: 'Terms of the filter' });
  await expect(terms).toContainText('method:tools/*');
  await filter.press('ArrowRight');
  await expect(filter).toHaveValue('method:');
  await expect(terms).toBeHidden();
  await filter.pressSequentially('tools/list st');
  await terms.getByRole('button', { name: /status:/ }).click();
  await expect(filter).toHaveValue('method:tools/list status:');
  await expect(filter).toBeFocused();
  await filter.pressSequentially('ok');
  await expect(app.trafficRows.filter({ hasText: 'tools/list' }).first()).toBeVisible();
});
