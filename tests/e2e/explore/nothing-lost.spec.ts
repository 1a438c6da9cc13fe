import { fileURLToPath } from 'node:url';
import type { Locator } from '@playwright/test';
import { expect, test } from '../patchbay.ts';
import type { Screen } from '../screen.ts';

const SERVER = fileURLToPath(new URL('./changingLists.mjs', import.meta.url));

/** The height of a row, in px. */
const ROW = 28;

interface Kind {
  tab: string;
  /** The name of the list. */
  list: string;
  /** What is half filled in, if the kind has arguments. */
  field?: (app: Screen) => Locator;
  /** `tools`, as the foot of the list counts them. */
  items: string;
  method: string;
  /** Shown besides the list before the item is used. */
  prepare?: (app: Screen) => Promise<void>;
}

const layout = (name: string | RegExp) => (app: Screen): Promise<void> =>
  app.page.getByRole('radiogroup', { name: 'Show resources as' }).getByText(name).click();

const KINDS: Kind[] = [
  { tab: 'Tools', list: 'Tools', items: 'tools', method: 'tools/list', field: (app) => app.arguments.getByLabel('text', { exact: true }) },
  { tab: 'Resources', list: 'Resources', items: 'resources', method: 'resources/list', prepare: layout(/^List$/) },
  {
    tab: 'Resources',
    list: 'Resource templates',
    items: 'templates',
    method: 'resources/templates/list',
    prepare: layout(/^Templates/),
    field: (app) => app.page.getByRole('textbox', { name: 'text', exact: true }),
  },
  { tab: 'Prompts', list: 'Prompts', items: 'prompts', method: 'prompts/list', field: (app) => app.page.getByRole('textbox', { name: /^text/ }) },
];

/** Known to servers of 2026-07-28 only. */
const SKILLS: Kind = { tab: 'Skills', list: 'Skills', items: 'skills', method: 'skills/list' };

function rowsOf(app: Screen, { list }: Kind): Locator {
  return app.page.getByRole('listbox', { name: list, exact: true });
}

async function openTab(app: Screen, name: string): Promise<void> {
  await app.openTab(name);
}

/** Where the selected row is within the list, in px from its top: both in one look, as what is above the list may come meanwhile. */
function placeOfSelected(app: Screen, kind: Kind): Promise<number> {
  return rowsOf(app, kind).evaluate((list) => {
    const row = list.querySelector('[aria-selected="true"]');
    return (row?.getBoundingClientRect().y ?? Number.NaN) - list.getBoundingClientRect().y;
  });
}

/** The server adds an item at the front, removes one and announces it. */
async function changeLists(app: Screen): Promise<void> {
  await openTab(app, 'Info');
  await app.page.getByRole('button', { name: 'Ping', exact: true }).click();
  await app.filterTraffic('list_changed kind:notification');
  await expect(app.trafficRows).toHaveCount(3);
}

/** The server, in one of its ways. */
async function begin(app: Screen, kind: Kind, way: '' | 'modern', more: object = {}): Promise<void> {
  const lists = { command: 'node', args: [SERVER, ...(way === '' ? [] : [way])], ...more };
  await app.addByPaste(JSON.stringify({ mcpServers: { lists } }));
  await openTab(app, kind.tab);
  await kind.prepare?.(app);
}

/** Waits until the list has that many items. */
async function expectCount(app: Screen, { items }: Kind, count: number): Promise<void> {
  await expect(app.page.getByText(`${count} ${items}`, { exact: true })).toBeVisible();
}

/** A row is scrolled to, selected and half filled in; returns how to look whether all that is as it was. */
async function use(app: Screen, kind: Kind, name: string, top: number): Promise<{ isAsBefore: () => Promise<void>; selected: Locator }> {
  const options = rowsOf(app, kind).getByRole('option');
  await rowsOf(app, kind).evaluate((node, to) => {
    node.scrollTop = to;
  }, top * ROW);
  await options.filter({ has: app.page.getByText(name, { exact: true }) }).click();
  const selected = options.and(app.page.getByRole('option', { selected: true }));
  await expect(selected).toContainText(name);
  await kind.field?.(app).fill('half a sen');
  const place = await placeOfSelected(app, kind);
  const isAsBefore = async (): Promise<void> => {
    await expect(selected).toContainText(name);
    if (kind.field !== undefined) await expect(kind.field(app)).toHaveValue('half a sen');
    await expect.poll(async () => Math.abs((await placeOfSelected(app, kind)) - place)).toBeLessThanOrEqual(1);
    // The definition is that of this connection: it leads to its record.
    const definition = kind.tab === 'Tools' ? 'Show in Traffic' : 'Definition';
    await expect(app.page.getByRole('button', { name: definition, exact: true }).first()).toBeVisible();
  };
  return { isAsBefore, selected };
}

/** A new connection, which is ready. */
async function reconnect(app: Screen): Promise<void> {
  await app.serverMenu('lists', 'Restart');
  await app.filterTraffic('"Ready:"');
  await expect(app.trafficRows).toHaveCount(2);
  await expect(app.server('lists', 'Ready')).toBeVisible();
}

for (const kind of KINDS) {
  test(`${kind.list}: selection, place and half-filled form survive changes, a refresh and a new connection`, async ({ app }) => {
    await begin(app, kind, '');
    await expectCount(app, kind, 400);
    // 150 of 400 items, of the fourth page.
    const { isAsBefore, selected } = await use(app, kind, 'item-150', 146);

    await openTab(app, 'Info');
    await openTab(app, kind.tab);
    await isAsBefore();

    await changeLists(app);
    await openTab(app, kind.tab);
    // An item is in use, so the list waits.
    await expect(app.page.getByText(/list changed\./)).toBeVisible();
    await expect(selected).toContainText('item-150');
    await app.page.getByRole('status').getByRole('button', { name: 'Refresh' }).first().click();
    await expect(app.page.getByText(/list changed\./)).toBeHidden();
    await isAsBefore();
    await expect(selected).toHaveAttribute('aria-posinset', '152');

    await reconnect(app);
    await expectCount(app, kind, 400);
    await isAsBefore();
  });
}

test('Skills: selection, selected file and place survive another tab and a new connection', async ({ app }) => {
  await begin(app, SKILLS, 'modern');
  await expectCount(app, SKILLS, 400);
  const { isAsBefore } = await use(app, SKILLS, 'item-150', 146);
  const file = app.page.getByRole('listbox', { name: 'Files', exact: true }).getByRole('option', { selected: true });
  await app.page.getByRole('listbox', { name: 'Files', exact: true }).getByRole('option').filter({ hasText: 'notes.md' }).click();
  await openTab(app, 'Info');
  await openTab(app, 'Skills');
  await isAsBefore();
  await expect(file).toContainText('notes.md');
  await reconnect(app);
  await expectCount(app, SKILLS, 400);
  await isAsBefore();
  await expect(file).toContainText('notes.md');
});

for (const kind of [...KINDS, SKILLS]) {
  test(`${kind.list}: a list that is no longer fresh says so, and nothing is lost when it is refreshed`, async ({ app }) => {
    await begin(app, kind, 'modern');
    await expectCount(app, kind, 400);
    const { isAsBefore, selected } = await use(app, kind, 'item-150', 146);
    await openTab(app, 'Composer');
    await app.page.getByRole('combobox', { name: 'Method' }).fill('test/change');
    await app.page.keyboard.press('Escape');
    await app.page.getByRole('button', { name: 'Send', exact: true }).click();
    await expect(app.resultStatus).toHaveText('Result');
    const stale = app.page.getByText(/list is stale\./);
    await expect(async () => {
      await openTab(app, 'Info');
      await openTab(app, kind.tab);
      await expect(stale).toBeVisible({ timeout: 200 });
    }).toPass();
    await isAsBefore();
    // Nothing is requested again until the user says so.
    await app.filterTraffic(`method:${kind.method} kind:request`);
    await expect(app.trafficCount.first()).toHaveText('8 records');
    await app.page.getByRole('status').getByRole('button', { name: 'Refresh' }).first().click();
    await expect(stale).toBeHidden();
    await isAsBefore();
    await expect(app.trafficCount.first()).toHaveText('16 records');
    await expect(selected).toHaveAttribute('aria-posinset', '152');
  });
}

for (const kind of [...KINDS.filter(({ tab }) => tab !== 'Tools'), SKILLS]) {
  test(`${kind.list}: the pages that were requested one by one are there again after a new connection`, async ({ app }) => {
    await begin(app, kind, kind === SKILLS ? 'modern' : '', { listPaging: 'pageByPage' });
    const pages = app.page.getByRole('group', { name: 'Pages' });
    for (const count of [100, 150, 200]) {
      await pages.getByRole('button', { name: 'Next page' }).click();
      await expectCount(app, kind, count);
    }
    const { isAsBefore } = await use(app, kind, 'item-150', 146);
    await reconnect(app);
    await expect(pages).toContainText('First 4 pages');
    await expectCount(app, kind, 200);
    await isAsBefore();
    await pages.getByRole('button', { name: 'All pages' }).click();
    await expectCount(app, kind, 400);
    await isAsBefore();
    await app.serverMenu('lists', 'Restart');
    await expect(app.trafficRows).toHaveCount(3);
    await expectCount(app, kind, 400);
    await isAsBefore();
  });
}
