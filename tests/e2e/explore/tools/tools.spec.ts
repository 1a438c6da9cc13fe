import { scripted } from '../../commands.ts';
import { expect, test } from '../../patchbay.ts';

test('a tool is found, its form filled in, called, and run again', async ({ app }) => {
  await app.connectDemo();
  await app.selectTool('add');
  await app.arguments.getByLabel(/^a\b/).first().fill('9007199254740993');
  await app.arguments.getByLabel(/^b\b/).first().fill('1');
  await app.callTool();
  await expect(app.resultStatus).toHaveText('Result');
  await app.result.getByRole('button', { name: 'Run again with the same arguments' }).click();
  await expect(app.trafficRows.filter({ hasText: 'tools/call' }).filter({ hasText: 'response' })).toHaveCount(2);
  await expect(app.resultStatus).toHaveText('Result');
});

test('Tab goes from field to field, and keys omit a value', async ({ app }) => {
  const { page } = app;
  await app.connectDemo();
  await app.selectTool('add');
  const [a, b] = [app.arguments.getByLabel(/^a\b/).first(), app.arguments.getByLabel(/^b\b/).first()];
  await a.focus();
  await page.keyboard.type('40');
  await page.keyboard.press('Tab');
  await page.keyboard.type('2');
  await expect(b).toHaveValue('2');
  await page.keyboard.press('ControlOrMeta+.');
  await expect(page.getByRole('menuitem', { name: 'Not set' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(b).toHaveValue('');
  await expect(b).toBeFocused();
  await page.keyboard.type('2');
  await page.keyboard.press('ControlOrMeta+Enter');
  await expect(app.resultStatus).toHaveText('Result');
  await expect(app.result).toContainText('42');
});

test('form and JSON editor stay in sync, numbers as written', async ({ app }) => {
  await app.connectDemo();
  await app.selectTool('add');
  await app.writeArguments('{"a": 9007199254740993, "b": 1.10}');
  await app.arguments.getByText('Form', { exact: true }).click();
  await expect(app.arguments.getByLabel(/^a\b/).first()).toHaveValue('9007199254740993');
  await expect(app.arguments.getByLabel(/^b\b/).first()).toHaveValue('1.10');
});

test('the JSON editor suggests what the schema allows, and marks what it does not', async ({ app }) => {
  const { page } = app;
  await app.connectDemo();
  await app.selectTool('convert');
  await app.arguments.getByRole('radio', { name: 'JSON' }).check({ force: true });
  const editor = page.getByRole('textbox', { name: 'Arguments as JSON' });
  await editor.click();
  await editor.press('ControlOrMeta+A');
  await editor.press('Delete');
  await page.keyboard.type('{"');
  const suggestions = page.getByRole('listbox', { name: 'Completions' }).getByRole('option');
  // Those of the text before are shown until the new ones are known, but Enter does not accept them.
  const acceptable = page.locator('.cm-tooltip-autocomplete:not(.cm-tooltip-autocomplete-disabled)');
  // In the first 75 ms of a list Enter is taken as meant for the text.
  const accept = async (): Promise<void> => {
    const seenAt = Date.now();
    await expect(acceptable).toBeVisible();
    await expect.poll(() => Date.now() - seenAt).toBeGreaterThan(75);
    await page.keyboard.press('Enter');
  };
  await expect(suggestions).toHaveText([/^from/, /^to/, /^value/]);
  await page.keyboard.type('t');
  await expect(suggestions).toHaveText([/^to/]);
  await accept();
  await expect(suggestions.first()).toContainText('"');
  await page.keyboard.type('kel');
  await expect(suggestions).toHaveText([/kelvin/]);
  await accept();
  await page.keyboard.type(', "value": "x", "from": "celsius"}');
  await expect(editor).toContainText('{"to": "kelvin", "value": "x", "from": "celsius"}');
  await expect(page.locator('.cm-lintRange-error')).toHaveText('"x"');
});

test('progress is shown and a call can be cancelled', async ({ app }) => {
  await app.connectDemo();
  await app.selectTool('count_slowly');
  await app.writeArguments('{"steps": 1000, "delay_ms": 200}');
  await app.callTool();
  await expect(app.resultStatus).toHaveText('Running');
  await expect(app.result.getByRole('progressbar')).toBeVisible();
  await expect(app.result.getByText(/of 1.?000/).first()).toBeVisible();
  await app.result.getByRole('button', { name: 'Cancel' }).click();
  await expect(app.resultStatus).toHaveText('Cancelled');
  await expect(app.trafficRows.filter({ hasText: 'notifications/cancelled' })).toHaveCount(1);
});

test('tool errors and protocol errors are distinguished', async ({ app }) => {
  await app.connectDemo();
  await app.selectTool('fail');
  await app.callTool();
  await expect(app.resultStatus).toHaveText('Tool error');
  await expect(app.result).toContainText('The printer is on fire');
  await app.selectTool('protocol_error');
  await app.callTool();
  await expect(app.resultStatus).toHaveText('JSON-RPC error');
  await expect(app.result).toContainText('-32603');
});

test('every kind of content is shown', async ({ app }) => {
  await app.connectDemo();
  await app.selectTool('every_content');
  await app.callTool();
  await expect(app.resultStatus).toHaveText('Result');
  for (const kind of ['text', 'image', 'audio', 'resource_link']) {
    await expect(app.result.getByRole('region', { name: new RegExp(`Content.*: .*${kind}`, 'i') }).first()).toBeVisible();
  }
  const image = app.result.locator('img').first();
  await expect.poll(() => image.evaluate((node: HTMLImageElement) => node.naturalWidth)).toBeGreaterThan(0);
});

test('structured content is checked against the output schema', async ({ app }) => {
  await app.connectDemo();
  await app.selectTool('wrong_structure');
  await app.callTool();
  await expect(app.resultStatus).toHaveText('Result');
  const problems = app.result.getByRole('list', { name: 'Mismatches with the output schema' });
  await expect(problems.getByRole('listitem').first()).toBeVisible();
});

test('numbers and duplicate keys of a result are shown as received', async ({ app }) => {
  await app.addByPaste(scripted('legacy'));
  await app.selectTool('numbers');
  await app.callTool();
  await expect(app.resultStatus).toHaveText('Result');
  await app.result.getByText('Raw', { exact: true }).click();
  await expect(app.result.getByText('9007199254740993')).toBeVisible();
  await expect(app.result).toContainText('"price":1.10,"twice":1,"twice":2');
});

test('malformed tools are rows with a problem, not the end of the list', async ({ app }) => {
  await app.addByPaste(scripted('fifty'));
  await expect(app.tools).toContainText('50 tools');
  await expect(app.toolRows.filter({ hasText: 'no name' }).first()).toBeAttached();
});

test('a changed list says so, and is refreshed on request', async ({ app }) => {
  await app.addByPaste(scripted('legacy'));
  await app.selectTool('list-changed');
  await app.callTool();
  await expect(app.resultStatus).toHaveText('Result');
  await expect(app.trafficRows.filter({ hasText: 'notifications/tools/list_changed' })).toHaveCount(1);
  const listed = app.trafficRows.filter({ hasText: /(request|response)tools\/list(?!_)/ });
  await expect(listed).toHaveCount(2);
  await app.tools.getByRole('status').getByRole('button', { name: 'Refresh' }).click();
  await expect(listed).toHaveCount(4);
  await expect(app.tools.getByRole('status')).toBeHidden();
});

test('a call ends with a message when the server crashes', async ({ app }) => {
  await app.addByPaste(scripted('legacy'));
  await app.selectTool('crash');
  await app.callTool();
  await expect(app.rail.getByRole('treeitem', { name: /: Failed,/ })).toBeVisible();
  // Which call it was, and where it is in the log.
  const panel = app.page.locator('section').filter({ hasText: 'Was running' });
  await expect(panel).toBeVisible();
  await panel.getByText('crash', { exact: true }).locator('..').getByRole('button', { name: 'Show in Traffic' }).click();
  await expect(app.record).toContainText('tools/call');
});
