import { scripted } from '../../commands.ts';
import { expect, test } from '../../patchbay.ts';
import type { Screen } from '../../screen.ts';

const open = (app: Screen, name: string | RegExp) => app.arguments.getByRole('button', { name }).click();
const preset = (app: Screen, name: string) => app.page.locator('[data-menu-item]').filter({ hasText: name });

async function save(app: Screen, name: string): Promise<void> {
  await app.page.getByRole('menuitem', { name: 'Save arguments as a preset' }).click();
  const dialog = app.page.getByRole('dialog', { name: 'Save arguments as a preset' });
  await dialog.getByLabel('Name').fill(name);
  await app.page.keyboard.press('Enter');
  await expect(dialog).toBeHidden();
}

test('arguments are saved as a preset, applied, updated, renamed and deleted', async ({ app }) => {
  await app.connectDemo();
  await app.selectTool('add');
  await app.writeArguments('{"a": 9007199254740993, "b": 1}');
  await open(app, 'Presets');
  await save(app, 'Exact');
  await app.writeArguments('{"a": 5, "b": 6}');
  await open(app, /Exact.*changed/);
  await preset(app, 'Exact').click();
  await app.callTool();
  await expect(app.result).toContainText('9007199254740994');

  await app.writeArguments('{"a": 5, "b": 6}');
  await open(app, /Exact/);
  await app.page.getByRole('menuitem', { name: 'Update Exact with the current arguments' }).click();
  await app.page.getByRole('menuitem', { name: 'Rename Exact' }).click();
  await expect(preset(app, 'Exact')).toBeHidden();
  await app.page.getByRole('dialog', { name: 'Rename preset' }).getByLabel('Name').fill('Small');
  await app.page.getByRole('button', { name: 'Rename', exact: true }).click();
  await expect(app.arguments.getByRole('button', { name: 'Small' })).not.toContainText('changed');
  await open(app, 'Small');
  await app.page.getByRole('menuitem', { name: 'Delete Small' }).click();
  await expect(preset(app, 'Small')).toHaveCount(0);
  await expect(preset(app, 'Save arguments')).toBeVisible();
});

test('a preset survives a reload and another name of the server, and is applied by keys', async ({ app }) => {
  const [command, ...args] = scripted('legacy').split(' ');
  const server = { command, args };
  await app.addByPaste(JSON.stringify({ mcpServers: { first: server } }));
  await app.selectTool('numbers');
  await app.writeArguments('{"a": 20, "b": 22}');
  await open(app, 'Presets');
  await save(app, 'Answer');
  await app.serverMenu('first', 'Edit…');
  const settings = app.page.getByRole('dialog', { name: 'Edit first' });
  await settings.getByLabel('Name', { exact: true }).first().fill('renamed');
  await settings.getByRole('button', { name: 'Save and restart' }).click();
  // It is restarted by the page that is left by the reload.
  await app.filterTraffic('method:initialize kind:response');
  await expect(app.trafficCount).toHaveText('2 records');
  await app.filterTraffic('');
  await expect(app.server('renamed', 'Ready')).toBeVisible();
  await app.page.reload();
  await app.selectTool('numbers');
  // The reload has kept which preset was saved last.
  await app.writeArguments('{"a": 1, "b": 1}');
  await app.arguments.getByRole('button', { name: /Answer.*changed/ }).focus();
  await app.page.keyboard.press('Enter');
  await expect(preset(app, 'Answer')).toBeVisible();
  await expect(preset(app, 'Answer')).toBeFocused();
  await app.page.keyboard.press('Enter');
  await expect(preset(app, 'Answer')).toBeHidden();
  await app.callTool();
  await expect(app.resultStatus).toHaveText('Result');
  await app.arguments.getByText('JSON', { exact: true }).click();
  await expect(app.arguments.getByLabel('Arguments as JSON')).toContainText('"a": 20');
});

test('a preset that does not match the schema is applied, and its problems are shown', async ({ app }) => {
  await app.connectDemo();
  await app.selectTool('add');
  await app.writeArguments('{"a": "<img src=x onerror=alert(1)>"}');
  await open(app, 'Presets');
  await save(app, '<b>Old</b>');
  await app.writeArguments('{"a": 1, "b": 2}');
  await expect(app.arguments.getByRole('list', { name: /problem/ })).toHaveCount(0);
  await open(app, /Old/);
  await preset(app, 'Old').click();
  await expect(app.arguments.getByRole('list', { name: '2 problems' })).toBeVisible();
});
