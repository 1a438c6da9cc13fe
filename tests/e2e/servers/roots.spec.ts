import { mkdirSync, mkdtempSync, rmdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator } from '@playwright/test';
import { peer } from '../commands.ts';
import { expect, test } from '../patchbay.ts';
import type { Screen } from '../screen.ts';

// Servers that nobody here wrote: filesystem asks for its roots when it is initialized and whenever they change, everything tells
// what it got, and the example `roots` of the Python SDK asks during a call. The modern era is in `tests/it/engine/roots.rs`.

function real(name: Parameters<typeof peer>[0]): string {
  const command = peer(name);
  if (command === undefined) throw new Error(`${name} is missing; \`cargo xtask peers\` installs it`);
  return command;
}

/** A folder for the folders of a test, removed with the data of its Patchbay. */
function home(patchbay: { folder: string }): (name: string) => string {
  const folder = mkdtempSync(join(patchbay.folder, 'home-'));
  return (name) => {
    mkdirSync(join(folder, name), { recursive: true });
    return join(folder, name);
  };
}

const uri = (path: string): string => `file://${path.split('/').map(encodeURIComponent).join('/')}`;

async function openRoots(app: Screen, server: string): Promise<Locator> {
  await app.server(server).click();
  await app.openTab('Roots');
  return app.page.getByRole('region', { name: 'Roots', exact: true });
}

/** The settings of roots of a server, unfolded. */
async function editRoots(app: Screen, server: string): Promise<Locator> {
  await app.serverMenu(server, 'Edit…');
  const dialog = app.page.getByRole('dialog', { name: `Edit ${server}` });
  await dialog.getByRole('button', { name: /^Roots/ }).click();
  return dialog;
}

/** How often something was sent or received, by its method. */
async function expectCount(app: Screen, filter: string, count: number): Promise<void> {
  await app.filterTraffic(filter);
  await expect(app.trafficRows).toHaveCount(count);
}

/** The result of a tool without arguments. */
async function call(app: Screen, tool: string): Promise<Locator> {
  await app.page.getByRole('tab', { name: 'Tools' }).click();
  await app.selectTool(tool);
  await app.callTool();
  await expect(app.resultStatus).toHaveText('Result');
  return app.result;
}

test('filesystem: roots are asked for, chosen, changed on the disk, and asked for again', async ({ app, patchbay }) => {
  const make = home(patchbay);
  const start = make('start');
  const odd = make('a b/ü#50%');
  const filesystem = { command: real('mcp-server-filesystem'), args: [start] };
  await app.addByPaste(JSON.stringify({ mcpServers: { filesystem } }));
  await expect(app.server('filesystem', 'Ready')).toBeVisible();
  const roots = await openRoots(app, 'filesystem');
  await expect(roots).toContainText('The server gets an empty list.');
  await expect(roots).toContainText(/Last requested at \d\d:\d\d:\d\d\./);
  // It was answered before anybody saw a dialog.
  await expect(app.page.getByRole('dialog')).toHaveCount(0);

  await roots.getByRole('button', { name: 'Choose folders…' }).click();
  const dialog = app.page.getByRole('dialog', { name: 'Edit filesystem' });
  await dialog.getByRole('button', { name: /^Roots/ }).click();
  await dialog.getByRole('radio', { name: 'Send these folders' }).check();
  await dialog.getByLabel('Folder 1', { exact: true }).fill(odd);
  await expect(dialog.getByText(uri(odd))).toBeVisible();
  await dialog.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(dialog).toBeHidden();
  // What a person types is consent: it is sent at once, and the server asks again by itself.
  await expect(roots.getByRole('listitem', { name: `${odd}: Allowed` })).toBeVisible();
  await expect(app.inboxCount).toHaveCount(0);
  await expectCount(app, 'method:notifications/roots/list_changed', 1);
  await expectCount(app, 'method:roots/list kind:response', 2);
  await expect(await call(app, 'list_allowed_directories')).toContainText(odd);

  // The folder is removed while the server is connected: it is flagged, the server is told and gets an empty list.
  const open = await openRoots(app, 'filesystem');
  rmdirSync(odd);
  await expect(open.getByRole('listitem', { name: `${odd}: Missing` })).toBeVisible();
  await expect(open).toContainText('The server gets none of 1 folder.');
  await expectCount(app, 'method:notifications/roots/list_changed', 2);
  await expectCount(app, 'method:roots/list kind:response', 3);
  mkdirSync(odd);
  await expect(open.getByRole('listitem', { name: `${odd}: Allowed` })).toBeVisible();
  await expectCount(app, 'method:notifications/roots/list_changed', 3);
});

test('a shared set: each server gets its folders once the person allowed it, and both see an edit', async ({ app, patchbay }) => {
  const make = home(patchbay);
  const [start, shared, later] = [make('start'), make('shared'), make('later')];
  const filesystem = { command: real('mcp-server-filesystem'), args: [start] };
  const everything = { command: real('mcp-server-everything'), args: [] };
  await app.addByPaste(JSON.stringify({ mcpServers: { filesystem, everything } }), 2);
  for (const name of ['filesystem', 'everything']) await expect(app.server(name, 'Ready')).toBeVisible();

  // The set is made where it is needed, above the settings of the server.
  const sets = app.page.getByRole('dialog', { name: 'Shared root sets' });
  for (const name of ['filesystem', 'everything']) {
    const dialog = await editRoots(app, name);
    await dialog.getByRole('radio', { name: 'Send these folders' }).check();
    if (name === 'filesystem') {
      await dialog.getByRole('button', { name: 'Edit shared sets…' }).click();
      await sets.getByRole('button', { name: 'Add a set' }).click();
      await sets.getByLabel('Name', { exact: true }).fill('Projects');
      await sets.getByLabel('Folder 1', { exact: true }).fill(shared);
      await sets.getByRole('button', { name: 'Save' }).click();
      await expect(sets.getByRole('listitem', { name: 'Projects' })).toContainText('Not used');
      await app.page.keyboard.press('Escape');
      await expect(sets).toBeHidden();
    }
    await dialog.getByRole('checkbox', { name: 'Projects' }).check();
    await dialog.getByRole('button', { name: 'Save', exact: true }).click();
    await expect(dialog).toBeHidden();
  }
  // Both asked when they connected, so both are cards; nobody was kept waiting.
  await expect(app.inboxCount).toHaveText('2');
  await expectCount(app, 'method:notifications/roots/list_changed', 0);
  await app.page.getByRole('button', { name: /^filesystem requested your roots: 1 folder not sent/ }).click();
  const roots = app.page.getByRole('region', { name: 'Roots', exact: true });
  await expect(roots.getByRole('listitem', { name: `${shared}: Waiting for you` })).toContainText('Projects');
  await roots.getByRole('button', { name: 'Allow 1 folder' }).click();
  await expect(roots.getByRole('listitem', { name: `${shared}: Allowed` })).toBeVisible();
  await expect(app.inboxCount).toHaveText('1');
  await expectCount(app, 'method:notifications/roots/list_changed', 1);
  await app.page.getByRole('button', { name: /^everything requested your roots/ }).click();
  await roots.getByRole('button', { name: 'Decline', exact: true }).click();
  await expect(roots.getByRole('listitem', { name: `${shared}: Declined` })).toBeVisible();
  await expect(app.inboxCount).toHaveCount(0);
  const without = await call(app, 'get-roots-list');
  await expect(without).toContainText('no roots are currently configured');
  await expect(without).not.toContainText(shared);

  // A folder that is new in the set is a new question for both; one that leaves it leaves the server that had it.
  await openRoots(app, 'everything');
  await roots.getByRole('button', { name: 'Shared sets…' }).click();
  const row = sets.getByRole('listitem', { name: 'Projects' });
  await expect(row).toContainText('Used by filesystem, everything');
  await row.getByRole('button', { name: 'Edit' }).click();
  await sets.getByLabel('Name', { exact: true }).fill('Work');
  await sets.getByLabel('Folder 1', { exact: true }).fill(later);
  await sets.getByRole('button', { name: 'Save' }).click();
  await expect(sets.getByRole('listitem', { name: 'Work' })).toBeVisible();
  await app.page.keyboard.press('Escape');
  await expect(app.inboxCount).toHaveText('2');
  await expectCount(app, 'method:notifications/roots/list_changed server:filesystem', 2);
  await expectCount(app, 'method:notifications/roots/list_changed server:everything', 0);
  await roots.getByRole('button', { name: 'Allow 1 folder' }).click();
  await expectCount(app, 'method:notifications/roots/list_changed server:everything', 1);
  await expectCount(app, 'method:roots/list kind:response server:everything', 2);
  await expect(await call(app, 'get-roots-list')).toContainText(uri(later));

  // The decisions and the set survive a restart; a set that is used says by whom before it goes.
  await patchbay.restart();
  await app.page.goto(patchbay.address);
  const again = await editRoots(app, 'everything');
  await again.getByRole('button', { name: 'Edit shared sets…' }).click();
  await sets.getByRole('button', { name: 'Remove…' }).click();
  await expect(sets.getByRole('alert')).toContainText('filesystem, everything use this set');
  await sets.getByRole('button', { name: 'Remove', exact: true }).click();
  await expect(sets).toContainText('No shared sets.');
});

test('the example of the SDK asks during a call and is not kept waiting for consent', async ({ app, patchbay }) => {
  const make = home(patchbay);
  const folder = make('pasted');
  const examples = process.env.PATCHBAY_PEERS_EXAMPLES ?? '';
  const roots = { type: 'folders', paths: [folder] };
  const story = {
    command: real('python'),
    args: ['-m', 'stories.roots.server'],
    env: { PYTHONPATH: examples },
    era: 'legacy',
    roots,
  };
  await app.addByPaste(JSON.stringify({ mcpServers: { story } }));
  await expect(app.server('story', 'Ready')).toBeVisible();
  await expect(await call(app, 'show_roots')).not.toContainText(folder);
  const inbox = app.page.getByRole('region', { name: 'Inbox' });
  await inbox.getByRole('button', { name: 'Show answered requests' }).click();
  await expect(inbox.getByRole('list', { name: 'Answered requests' })).toContainText(
    'Answered by rule: these roots (server settings), without 1 not allowed yet',
  );
  await app.page.getByRole('button', { name: /^story requested your roots/ }).click();
  await app.page.getByRole('button', { name: 'Allow 1 folder' }).click();
  await expect(app.inboxCount).toHaveCount(0);
  await expect(await call(app, 'show_roots')).toContainText(uri(folder));
});

test('wrong folders are said where they are typed, and never sent', async ({ app, patchbay }) => {
  const make = home(patchbay);
  const good = make('good');
  const file = join(good, 'file');
  writeFileSync(file, '');
  const link = join(good, 'link');
  symlinkSync(make('target'), link);
  await app.connectDemo();
  const dialog = await editRoots(app, 'Demo server');
  await dialog.getByRole('radio', { name: 'Send these folders' }).check();
  const folders = [good, `${good}/`, `${good}/gone`, file, link, 'relative', '/a/../b'];
  for (const [at, path] of folders.entries()) {
    if (at > 0) await dialog.getByRole('button', { name: 'Add folder' }).click();
    await dialog.getByLabel(`Folder ${at + 1}`, { exact: true }).fill(path);
  }
  for (const words of [
    'Same folder as folder 1; sent only once.',
    'This folder does not exist',
    'This is a file, not a folder',
    'resolves to',
  ]) {
    await expect(dialog.getByText(words)).toBeVisible();
  }
  await expect(dialog.getByText('The path must be absolute, without “..”')).toHaveCount(2);
  await dialog.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(dialog.getByText('“relative” is not an absolute path.')).toBeVisible();
  await dialog.getByRole('button', { name: 'Remove folder 7' }).click();
  await dialog.getByRole('button', { name: 'Remove folder 6' }).click();
  await dialog.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(dialog).toBeHidden();
  const roots = await openRoots(app, 'Demo server');
  await expect(roots).toContainText('The server gets 2 of 4 folders.');
  await expect(roots.getByRole('listitem', { name: `${file}: Not a folder` })).toBeVisible();
  const result = await call(app, 'list_roots');
  await expect(result).toContainText(`{"roots":[{"uri":"${uri(good)}","name":"good"},{"uri":"${uri(link)}","name":"link"}]}`);
});

test('a thousand folders are pasted, allowed with one click and sent', async ({ app, patchbay }) => {
  const make = home(patchbay);
  const paths = Array.from({ length: 1_000 }, (_, at) => make(`${at}`));
  const everything = { command: real('mcp-server-everything'), args: [], roots: { type: 'folders', paths } };
  await app.addByPaste(JSON.stringify({ mcpServers: { everything } }));
  await expect(app.server('everything', 'Ready')).toBeVisible();
  const roots = await openRoots(app, 'everything');
  await expect(roots).toContainText('The server gets none of 1,000 folders.');
  await roots.getByRole('button', { name: 'Allow 1,000 folders' }).click();
  await expect(roots).toContainText('The server gets 1,000 folders.');
  await expect(roots.getByRole('listitem')).toHaveCount(200);
  await expectCount(app, 'method:roots/list kind:response', 2);
  await expect(await call(app, 'get-roots-list')).toContainText('Current MCP Roots (1000 total)');
});
