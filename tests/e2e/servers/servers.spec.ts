import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { peer, rmcp, scripted } from '../commands.ts';
import { expect, test } from '../patchbay.ts';

test('one click on the first screen connects to the demo server', async ({ app }) => {
  await expect(app.welcome).toBeVisible();
  await app.connectDemo();
  await expect(app.server('Demo server', 'Ready')).toBeVisible();
  await expect(app.toolRows.filter({ hasText: 'greet' })).toBeVisible();
});

test('a pasted command line becomes a server', async ({ app }) => {
  await app.addByPaste(scripted('legacy'));
  await expect(app.rail.getByRole('treeitem', { name: /: Ready,/ })).toHaveCount(1);
  await expect(app.toolRows.filter({ hasText: 'echo' }).first()).toBeVisible();
});

test('pasted mcpServers JSON becomes several servers, connected at once', async ({ app }) => {
  const [program, ...args] = scripted('dual').split(' ');
  const mcpServers = { one: { command: program, args }, two: { command: rmcp() } };
  await app.addByPaste(JSON.stringify({ mcpServers }), 2);
  await expect(app.server('one', 'Ready')).toBeVisible();
  await expect(app.server('two', 'Ready')).toBeVisible();
  await app.server('two').click();
  await expect(app.toolRows.filter({ hasText: 'records' })).toBeVisible();
  await app.server('one').click();
  await expect(app.toolRows.filter({ hasText: 'two-on-a-line' })).toBeVisible();
});

test('a real server of each language connects', async ({ app }) => {
  const everything = peer('mcp-server-everything');
  const time = peer('mcp-server-time');
  expect([everything, time], 'tests/peers are installed by `cargo xtask test`').not.toContain(undefined);
  const mcpServers = { everything: { command: everything }, time: { command: time } };
  await app.addByPaste(JSON.stringify({ mcpServers }), 2);
  await expect(app.server('everything', 'Ready')).toBeVisible();
  await expect(app.server('time', 'Ready')).toBeVisible();
});

test('a server is edited, restarted, disconnected and removed', async ({ app }) => {
  await app.addByPaste(JSON.stringify({ mcpServers: { first: { command: rmcp() } } }));
  await expect(app.server('first', 'Ready')).toBeVisible();

  await app.serverMenu('first', 'Edit…');
  const dialog = app.page.getByRole('dialog', { name: 'Edit first' });
  await dialog.getByLabel('Name', { exact: true }).first().fill('renamed');
  await dialog.getByRole('button', { name: 'Save and restart' }).click();
  await expect(app.server('renamed', 'Ready')).toBeVisible();

  await app.serverMenu('renamed', 'Disconnect');
  await expect(app.server('renamed', 'Closed')).toBeVisible();
  await app.serverMenu('renamed', 'Restart');
  await expect(app.server('renamed', 'Ready')).toBeVisible();

  await app.serverMenu('renamed', 'Remove…');
  await app.page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
  await expect(app.server('renamed')).toHaveCount(0);
  await expect(app.welcome).toBeVisible();
});

test('settings that are opened do not move afterwards', async ({ app }) => {
  await app.connectDemo();
  await app.serverMenu('Demo server', 'Edit…');
  await expect(app.page.getByRole('button', { name: 'Lists' })).toBeVisible();
  // A field that is scrolled to at once, as a click by a program does it, and where it is in the frames after that.
  const places = await app.page.getByRole('button', { name: 'Lists' }).evaluate(async (button: HTMLElement) => {
    const frame = (): Promise<number> => new Promise(requestAnimationFrame);
    const field = (): Element | undefined => [...document.querySelectorAll('input[value=pageByPage]')].find((each) => each.checkVisibility());
    button.click();
    while (field() === undefined) await frame();
    field()?.scrollIntoView({ block: 'center' });
    const found: number[] = [];
    for (let left = 20; left > 0; left--) {
      found.push(field()?.getBoundingClientRect().y ?? Number.NaN);
      await frame();
    }
    return [...new Set(found)];
  });
  expect(places).toHaveLength(1);
});

test('a missing program: the step, the cause and the next action', async ({ app }) => {
  await app.addByPaste('/nowhere/no-such-program --flag');
  const failure = app.page.getByRole('alert');
  await expect(failure).toContainText('Failed at');
  await expect(failure).toContainText('Start the program');
  await expect(failure).toContainText('no-such-program');
  await expect(failure).toContainText('What to do');
});

test('a program that exits at once: its exit code and its last output', async ({ app }) => {
  await app.addByPaste(`${scripted('exit')} missing-configuration`);
  await expect(app.rail.getByRole('treeitem', { name: /: Failed,/ })).toBeVisible();
  await expect(app.page.getByRole('alert')).toContainText('7');
  await expect(app.page.getByText('Last lines on stderr')).toBeVisible();
  await expect(app.page.locator('pre', { hasText: 'missing-configuration' })).toBeVisible();
});

test('after a failure the next connect works', async ({ app }) => {
  await app.addByPaste(JSON.stringify({ mcpServers: { late: { command: '/nowhere/no-such-program' } } }));
  await expect(app.server('late', 'Failed')).toBeVisible();
  await app.serverMenu('late', 'Edit…');
  const dialog = app.page.getByRole('dialog', { name: 'Edit late' });
  await dialog.getByLabel('Command', { exact: true }).fill(rmcp());
  await dialog.getByRole('button', { name: 'Save and connect' }).click();
  await expect(app.server('late', 'Ready')).toBeVisible();
});

test('servers, selection and theme survive a restart', async ({ app, patchbay }) => {
  await app.addByPaste(JSON.stringify({ mcpServers: { kept: { command: rmcp() }, other: { command: rmcp() } } }), 2);
  await expect(app.server('other', 'Ready')).toBeVisible();
  await app.server('other').click();
  await app.page.getByRole('button', { name: 'Theme' }).click();
  await app.page.getByRole('menuitem', { name: 'Dark' }).click();
  const root = app.page.locator('html');
  await expect(root).toHaveAttribute('data-mantine-color-scheme', 'dark');
  // It is saved shortly after; a program that is ended before then cannot know of it.
  await expect.poll(() => readFile(join(patchbay.folder, 'ui.json'), 'utf8').catch(() => '')).toContain('dark');
  await patchbay.restart();
  await app.page.goto(patchbay.address);
  await expect(app.server('kept')).toBeVisible();
  await expect(app.server('other')).toHaveAttribute('aria-selected', 'true');
  await expect(root).toHaveAttribute('data-mantine-color-scheme', 'dark');
});
