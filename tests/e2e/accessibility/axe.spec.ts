import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { addModel, begin, send } from '../chat/steps.ts';
import { scripted } from '../commands.ts';
import { expect, keyedServer, refusedPort, test } from '../httpServer.ts';
import { Patchbay } from '../patchbay.ts';
import { Screen } from '../screen.ts';
import { violations } from './violations.ts';

/** What can be on the screen, by name, and the way to it. */
type States = Record<string, (app: Screen) => Promise<void>>;

const RESULTS: States = {
  'a tool and its result': async (app) => {
    await app.selectTool('add');
    await app.writeArguments('{"a":1,"b":2}');
    await app.callTool();
    await expect(app.resultStatus).toHaveText('Result');
  },
  'a tool form': async (app) => {
    await app.selectTool('add');
    await expect(app.arguments).toBeVisible();
  },
  'a tool error': async (app) => {
    await app.selectTool('add');
    await app.writeArguments('{"a":"x"}');
    await app.page.keyboard.press('ControlOrMeta+Enter');
    await app.page.getByRole('button', { name: /anyway/ }).click();
    await expect(app.resultStatus).toHaveText('Tool error');
  },
};

const READ: States = {
  resources: async (app) => {
    await app.page.getByRole('tab', { name: 'Resources' }).click();
    const row = app.page.getByRole('listbox', { name: /Resources/ }).getByRole('option');
    await row.filter({ hasText: 'readme' }).first().click();
    await app.page.getByRole('button', { name: 'Read', exact: true }).click();
    await expect(app.resultStatus).toHaveText('Result');
  },
  'a prompt and its messages': async (app) => {
    await openTab(app, 'Prompts');
    await app.page.getByRole('listbox', { name: 'Prompts' }).getByRole('option').filter({ hasText: 'tour' }).click();
    await app.page.getByRole('button', { name: 'Get prompt' }).click();
    await expect(app.resultStatus).toHaveText('Result');
  },
  'values for an argument': async (app) => {
    await app.page.getByRole('listbox', { name: 'Prompts' }).getByRole('option').filter({ hasText: 'numbers' }).click();
    await app.page.getByRole('textbox', { name: /^number/ }).click();
    await expect(app.page.getByText('100 of 1,000 values')).toBeVisible();
  },
};

const RUNS: States = {
  'a comparison': async (app) => {
    await app.selectTool('add');
    for (const b of [1, 2]) {
      await app.writeArguments(`{"a":1,"b":${b}}`);
      await app.callTool();
      await expect(app.resultStatus).toHaveText('Result');
    }
    await app.result.getByRole('button', { name: 'Compare with another run' }).click();
    await expect(app.page.getByRole('region', { name: 'Difference' })).toBeVisible();
  },
  'a resource template': async (app) => {
    await openTab(app, 'Resources');
    const panel = app.page.getByRole('region', { name: 'Resources', exact: true });
    await panel.getByText(/^Templates/).click();
    await panel.getByRole('listbox').getByRole('option').filter({ hasText: 'city' }).click();
    await expect(app.page.getByLabel('Expanded URI')).toBeVisible();
  },
};

const APPS: States = {
  'a skill and its file': async (app) => {
    await openTab(app, 'Skills');
    await app.page.getByRole('listbox', { name: 'Skills', exact: true }).getByRole('option').first().click();
    await app.page.getByRole('button', { name: 'Read', exact: true }).click();
    await expect(app.page.getByText('as listed')).toBeVisible();
  },
  'an app': async (app) => {
    await openTab(app, 'Tools');
    await app.selectTool('show_counter');
    await app.callTool();
    await expect(app.page.frameLocator('iframe').locator('#count')).toHaveText('0');
  },
  'messages of an app': async (app) => {
    await app.page.getByRole('tab', { name: 'App messages' }).click();
    await expect(app.page.getByRole('listbox', { name: 'App messages' })).toBeVisible();
  },
};

/** What is there before anything is: each says what would be here. */
const EMPTY: States = {
  'no tool selected': (app) => openTab(app, 'Tools'),
  'no resource selected': (app) => openTab(app, 'Resources'),
  'no matching tools': async (app) => {
    await openTab(app, 'Tools');
    await app.tools.getByLabel('Search tools').fill('nothing-like-this');
    await expect(app.toolRows).toHaveCount(0);
  },
  'no server output': async (app) => {
    await app.page.getByRole('tab', { name: 'Server output' }).click();
    await expect(app.page.getByRole('region', { name: 'Server output' })).toBeVisible();
  },
  'no conversation': async (app) => {
    await app.page.getByRole('radiogroup', { name: 'Mode' }).getByRole('radio', { name: 'Chat' }).click();
    await expect(app.page.getByRole('button', { name: 'Start a conversation' })).toBeVisible();
  },
  disconnected: async (app) => {
    await app.show('Explore');
    await app.serverMenu('Demo server', 'Disconnect');
    await expect(app.page.getByRole('button', { name: /^(Connect|Reconnect)$/ })).toBeVisible();
  },
};

const PANELS: States = {
  logs: (app) => openTab(app, 'Logs'),
  tasks: (app) => openTab(app, 'Tasks'),
  subscriptions: (app) => openTab(app, 'Subscriptions'),
  composer: (app) => openTab(app, 'Composer'),
  info: (app) => openTab(app, 'Info'),
};

const TRAFFIC: States = {
  'an empty log': async (app) => {
    await app.page.getByRole('tab', { name: 'Traffic' }).click();
    await app.filterTraffic('nothing-like-this');
    await expect(app.trafficRows).toHaveCount(0);
  },
  'a record': async (app) => {
    await app.filterTraffic('');
    // The newest: the log scrolls to its end when the filter is gone.
    await app.trafficRows.last().click();
    await expect(app.record).toBeVisible();
  },
};

const DIALOGS: States = {
  'the palette': async (app) => {
    await app.page.keyboard.press('ControlOrMeta+k');
    await expect(app.page.getByRole('dialog')).toBeVisible();
  },
  'the shortcuts': async (app) => {
    await app.page.keyboard.press('?');
    await expect(app.page.getByRole('dialog')).toBeVisible();
  },
  'adding a server': async (app) => {
    await app.page.getByRole('button', { name: 'Add server' }).first().click();
    await expect(app.page.getByRole('dialog')).toBeVisible();
  },
  settings: (app) => openDialog(app, 'Control+,', 'Settings'),
  help: (app) => openDialog(app, 'F1', 'Help'),
  'the vault': (app) => fromPalette(app, 'vault'),
  'the model providers': async (app) => {
    await openProviders(app);
    await expect(app.page.getByRole('dialog', { name: 'Model providers' })).toBeVisible();
  },
  'a model provider': async (app) => {
    await openProviders(app);
    await app.page.getByRole('button', { name: 'Add a provider' }).click();
    await app.page.getByRole('menuitem', { name: 'Anthropic' }).click();
    await expect(app.page.getByRole('form', { name: 'Model provider' })).toBeVisible();
  },
};

/** What is opened from a server, or from the log. */
const SERVER_DIALOGS: States = {
  'exporting a server': async (app) => {
    await app.serverMenu('Demo server', 'Export…');
    await expect(app.page.getByRole('dialog')).toBeVisible();
  },
  'removing a server': async (app) => {
    await app.serverMenu('Demo server', 'Remove…');
    await expect(app.page.getByRole('dialog')).toBeVisible();
  },
  'the settings of a server': async (app) => {
    await app.serverMenu('Demo server', 'Edit…');
    await expect(app.page.getByRole('dialog')).toBeVisible();
  },
  'the simulator': async (app) => {
    await app.serverMenu('Demo server', 'Simulator…');
    await expect(app.page.getByRole('dialog')).toBeVisible();
  },
  'the sampling rules': async (app) => {
    await app.serverMenu('Demo server', 'Sampling rules…');
    await expect(app.page.getByRole('dialog')).toBeVisible();
  },
  'rows and columns of the log': async (app) => {
    await app.traffic.getByRole('button', { name: 'Rows and columns' }).click();
    await expect(app.page.getByRole('menu')).toBeVisible();
  },
  'the question before the log is cleared': async (app) => {
    await app.traffic.getByRole('button', { name: /^Clear the records of/ }).click();
    await expect(app.page.getByRole('dialog')).toBeVisible();
  },
  'exporting the log': async (app) => {
    await app.traffic.getByRole('button', { name: 'Copy, export, limits' }).click();
    await app.page.getByRole('menuitem', { name: 'Export…' }).click();
    await expect(app.page.getByRole('dialog')).toBeVisible();
  },
};

const REQUESTS: States = {
  'a sampling request': async (app) => {
    await app.page.getByRole('tab', { name: 'Tools' }).click();
    await app.selectTool('ask_model');
    await app.callTool();
    await app.page.getByText(/^Rules for future requests/).click();
    await expect(app.page.getByRole('combobox', { name: 'Requests' })).toBeVisible();
  },
  'a request of the server': async (app) => {
    await app.page.getByRole('tab', { name: 'Tools' }).click();
    await app.selectTool('ask_form');
    await app.callTool();
    await expect(app.page.getByRole('dialog')).toBeVisible();
  },
};

async function openProviders(app: Screen): Promise<void> {
  await app.page.keyboard.press('ControlOrMeta+k');
  await app.page.getByLabel('Command palette').fill('model providers');
  await app.page.keyboard.press('Enter');
}

async function openDialog(app: Screen, keys: string, name: string): Promise<void> {
  await app.page.keyboard.press(keys);
  await expect(app.page.getByRole('dialog', { name, exact: true })).toBeVisible();
}

async function fromPalette(app: Screen, text: string): Promise<void> {
  await app.page.keyboard.press('ControlOrMeta+k');
  await app.page.getByLabel('Command palette').fill(text);
  await app.page.keyboard.press('Enter');
  await expect(app.page.getByLabel('Command palette')).toBeHidden();
  await expect(app.page.getByRole('dialog')).toBeVisible();
}

async function openTab(app: Screen, name: string): Promise<void> {
  await app.openTab(name);
}

/** States that do not depend on each other, in groups of four. */
function inParts(name: string, states: States): Record<string, States> {
  const entries = Object.entries(states);
  const parts = Array.from({ length: Math.ceil(entries.length / 4) }, (_, i) => entries.slice(4 * i, 4 * i + 4));
  return Object.fromEntries(parts.map((part, i) => [`${name}, part ${i + 1}`, Object.fromEntries(part)]));
}

// Each group takes well under a minute, also on a busy machine.
const GROUPS = {
  results: RESULTS,
  'resources and prompts': READ,
  runs: RUNS,
  'skills and apps': APPS,
  'empty states': EMPTY,
  panels: PANELS,
  'the log': TRAFFIC,
  ...inParts('dialogs', DIALOGS),
  ...inParts('dialogs of a server and of the log', SERVER_DIALOGS),
  requests: REQUESTS,
};
for (const [group, states] of Object.entries(GROUPS)) {
  test(`${group}: no accessibility violation, light or dark`, async ({ app }) => {
    const { page } = app;
    await expect(app.welcome).toBeVisible();
    const found: Record<string, string[]> = {};
    if (states === RESULTS) found['the first screen'] = await violations(page);
    await app.connectDemo();
    for (const [name, show] of Object.entries(states)) {
      await show(app);
      found[name] = await violations(page);
      await page.keyboard.press('Escape');
      await expect(page.getByRole('dialog')).toHaveCount(0);
    }
    const none = Object.fromEntries(Object.keys(found).map((name) => [name, []]));
    expect(found).toEqual(none);
  });
}

/** Roots that wait for consent, are sent or missing; the shared sets, and one that is edited. */
const ROOTS: States = {
  'roots that wait for consent': async (app) => {
    await app.openTab('Roots');
    await expect(app.page.getByRole('region', { name: 'Consent' })).toBeVisible();
  },
  'roots that are sent': async (app) => {
    await app.page.getByRole('button', { name: 'Allow /tmp', exact: true }).click();
    await expect(app.page.getByRole('listitem', { name: '/tmp: Allowed' })).toBeVisible();
  },
  'a shared set that is edited': async (app) => {
    await openSets(app);
    await app.page.getByRole('button', { name: 'Add a set' }).click();
    await app.page.getByLabel('Name', { exact: true }).fill('Work');
    await app.page.getByLabel('Folder 1', { exact: true }).fill('/gone');
    await expect(app.page.getByText('This folder does not exist')).toBeVisible();
    await app.page.getByRole('button', { name: 'Save' }).click();
    await app.page.getByRole('button', { name: 'Edit', exact: true }).click();
    await expect(app.page.getByText('This folder does not exist')).toBeVisible();
  },
  'the shared sets': async (app) => {
    await openSets(app);
    await app.page.getByRole('button', { name: 'Remove…' }).click();
  },
  'the settings of roots': async (app) => {
    await app.page.getByRole('button', { name: 'Edit roots…' }).click();
    const dialog = app.page.getByRole('dialog');
    await dialog.getByRole('button', { name: /^Roots/ }).click();
    await expect(dialog.getByRole('checkbox', { name: 'Work' })).toBeVisible();
  },
  'no roots': async (app) => {
    await app.page.getByRole('button', { name: 'Edit roots…' }).click();
    const dialog = app.page.getByRole('dialog');
    await dialog.getByRole('button', { name: /^Roots/ }).click();
    await dialog.getByRole('radio', { name: 'Send an empty list' }).check();
    await dialog.getByRole('button', { name: 'Save', exact: true }).click();
    await expect(app.page.getByText('The server gets an empty list.')).toBeVisible();
  },
};

async function openSets(app: Screen): Promise<void> {
  await app.page.getByRole('button', { name: 'Shared sets…' }).click();
  await expect(app.page.getByRole('dialog', { name: 'Shared root sets' })).toBeVisible();
}

test('roots: no accessibility violation, light or dark', async ({ app }) => {
  const demo = { command: process.env.PATCHBAY_BIN, args: ['demo-server'] };
  const roots = { type: 'folders', paths: ['/tmp', '/usr', '/gone'] };
  await app.addByPaste(JSON.stringify({ mcpServers: { demo: { ...demo, roots } } }));
  await expect(app.server('demo', 'Ready')).toBeVisible();
  const found: Record<string, string[]> = {};
  for (const [name, show] of Object.entries(ROOTS)) {
    await show(app);
    found[name] = await violations(app.page);
    await app.page.keyboard.press('Escape');
    await expect(app.page.getByRole('dialog')).toHaveCount(0);
  }
  expect(found).toEqual(Object.fromEntries(Object.keys(found).map((name) => [name, []])));
});

test('failures: no accessibility violation, light or dark', async ({ app }) => {
  const server = await keyedServer();
  const found: Record<string, string[]> = {};
  await app.addByPaste('/nowhere/no-such-program --flag');
  await expect(app.page.getByRole('alert')).toContainText('Failed at');
  found['a program that is missing'] = await violations(app.page);
  await app.addByPaste(scripted('exit'));
  await expect(app.page.getByText('Last lines on stderr')).toBeVisible();
  found['a program that ended'] = await violations(app.page);
  await app.addByPaste(`http://127.0.0.1:${await refusedPort()}/mcp`);
  // The server before has failed too.
  await expect(app.page.getByText('Last lines on stderr')).toBeHidden();
  await expect(app.page.getByRole('alert')).toContainText('Failed at');
  found['a closed port'] = await violations(app.page);
  await app.page.getByRole('button', { name: 'Diagnose…' }).click();
  await expect(app.page.getByRole('dialog').getByRole('button', { name: 'Run again' })).toBeEnabled();
  found['a diagnosis'] = await violations(app.page);
  await app.page.keyboard.press('Escape');
  await app.addByPaste(server.url);
  await expect(app.authorizationStatus).toContainText('Failed at');
  found['an authorization that failed'] = await violations(app.page);
  await app.page.getByRole('button', { name: 'Add server' }).first().click();
  await app.page.getByRole('dialog').getByRole('button', { name: 'Save and connect' }).click();
  found['a server that lacks everything'] = await violations(app.page);
  server.end();
  expect(found).toEqual(Object.fromEntries(Object.keys(found).map((name) => [name, []])));
});

test('approval in a chat: no accessibility violation, light or dark', async ({ app, models }) => {
  const { url } = await models('any');
  await app.connectDemo();
  await addModel(app, url, 'script');
  await begin(app);
  await send(app.page, 'call create_user {"name":"Ada"}');
  await expect(app.page.getByRole('region', { name: /Call to create_user/ }).getByText('Waiting for you')).toBeVisible();
  expect(await violations(app.page)).toEqual([]);
});

test('servers of other hosts: no accessibility violation, light or dark', async ({ page }) => {
  const home = await mkdtemp(join(tmpdir(), 'patchbay-home-'));
  const patchbay = await Patchbay.start(home);
  try {
    const env = { API_TOKEN: 'k-0123456789abcdef0123456789' };
    await mkdir(join(home, '.cursor'));
    const servers = { one: { command: 'npx', args: ['-y', 'one'], env }, two: { url: 'https://mcp.example/mcp' } };
    await writeFile(join(home, '.cursor', 'mcp.json'), JSON.stringify({ mcpServers: servers }));
    await page.goto(patchbay.address);
    const app = new Screen(page);
    await app.welcome.getByRole('button', { name: 'Import…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Import servers from other hosts' });
    await expect(dialog.getByRole('checkbox', { name: /^one/ })).toBeVisible();
    const found = { 'what was found': await violations(page) };
    await dialog.getByRole('button', { name: /^Add \d/ }).click();
    await expect(page.getByRole('dialog', { name: 'Where should secrets be stored?' })).toBeVisible();
    expect({ ...found, 'where secrets are stored': await violations(page) }).toEqual({
      'what was found': [],
      'where secrets are stored': [],
    });
  } finally {
    await patchbay.remove();
    await rm(home, { recursive: true, force: true });
  }
});
