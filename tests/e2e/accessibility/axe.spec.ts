import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { expect, test } from '../patchbay.ts';
import type { Screen } from '../screen.ts';

/** The serious and critical violations of what is on the screen, one line each. What an app of a server draws is not ours. */
async function violations(page: Page): Promise<string[]> {
  const found: string[] = [];
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', colorScheme);
    const axe = new AxeBuilder({ page }).exclude('iframe');
    // Of all rules, one looks at colours.
    const { violations: all } = await (colorScheme === 'dark' ? axe.withRules('color-contrast') : axe).analyze();
    const serious = all.filter(({ impact }) => impact === 'serious' || impact === 'critical');
    for (const { id, nodes } of serious) {
      found.push(...nodes.map(({ target, html }) => `${colorScheme}: ${id}: ${target.join(' ')}: ${html.slice(0, 160)}`));
    }
  }
  return found;
}

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
    await expect(app.resultStatus).not.toHaveText('Running');
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
    const filter = app.page.getByPlaceholder('Filter records (/)');
    await filter.fill('nothing-like-this');
    await expect(app.trafficRows).toHaveCount(0);
  },
  'a record': async (app) => {
    await app.page.getByPlaceholder('Filter records (/)').fill('');
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

const REQUESTS: States = {
  'a sampling request': async (app) => {
    await app.page.getByRole('tab', { name: 'Tools' }).click();
    await app.selectTool('ask_model');
    await app.callTool();
    await app.page.getByText(/^Rules for the next requests/).click();
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

async function openTab(app: Screen, name: string): Promise<void> {
  const tab = app.page.getByRole('tab', { name });
  await tab.click();
  await expect(tab).toHaveAttribute('aria-selected', 'true');
}

// Each group takes well under a minute, also on a busy machine.
const GROUPS = {
  results: RESULTS,
  'resources and prompts': READ,
  runs: RUNS,
  'skills and apps': APPS,
  panels: PANELS,
  'the log': TRAFFIC,
  dialogs: DIALOGS,
  requests: REQUESTS,
};
for (const [group, states] of Object.entries(GROUPS)) {
  test(`${group}: no serious accessibility violation, light or dark`, async ({ app }) => {
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
    await app.page.getByRole('tab', { name: /^Roots/ }).click();
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
  await expect(app.page.getByRole('dialog', { name: 'Shared sets of roots' })).toBeVisible();
}

test('roots: no serious accessibility violation, light or dark', async ({ app }) => {
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
