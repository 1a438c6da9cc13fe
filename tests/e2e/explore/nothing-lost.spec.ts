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
  /** Shown besides the list before the item is used. */
  prepare?: (app: Screen) => Promise<void>;
}

const KINDS: Kind[] = [
  { tab: 'Tools', list: 'Tools', field: (app) => app.arguments.getByLabel('text', { exact: true }) },
  {
    tab: 'Resources',
    list: 'Resources',
    prepare: (app) => app.page.getByRole('radiogroup', { name: 'Show resources as' }).getByText('List', { exact: true }).click(),
  },
  { tab: 'Prompts', list: 'Prompts', field: (app) => app.page.getByRole('textbox', { name: /^text/ }) },
];

function rowsOf(app: Screen, { list }: Kind): Locator {
  return app.page.getByRole('listbox', { name: list, exact: true });
}

async function openTab(app: Screen, name: string): Promise<void> {
  await app.page.getByRole('tab', { name, exact: true }).click();
}

/** Where the selected row is within the list, in px from its top. */
async function placeOfSelected(app: Screen, kind: Kind): Promise<number> {
  const list = await rowsOf(app, kind).boundingBox();
  const row = await rowsOf(app, kind).getByRole('option', { selected: true }).boundingBox();
  return (row?.y ?? Number.NaN) - (list?.y ?? Number.NaN);
}

/** The server adds an item at the front, removes one and announces it. */
async function changeLists(app: Screen): Promise<void> {
  await openTab(app, 'Info');
  await app.page.getByRole('button', { name: 'Ping', exact: true }).click();
  await app.traffic.getByLabel('Filter records').fill('list_changed kind:notification');
  await expect(app.trafficRows).toHaveCount(3);
}

for (const kind of KINDS) {
  test(`${kind.tab}: selection, place and half-filled form survive changes, a refresh and a new connection`, async ({ app }) => {
    await app.addByPaste(`node ${SERVER}`);
    await openTab(app, kind.tab);
    await kind.prepare?.(app);
    const options = rowsOf(app, kind).getByRole('option');
    await expect(app.page.getByText(/^400 (tools|resources|prompts)$/)).toBeVisible();
    // 150 of 400 items, of the fourth page.
    const scroller = rowsOf(app, kind);
    await scroller.evaluate((node, top) => {
      node.scrollTop = top;
    }, 146 * ROW);
    await options.filter({ has: app.page.getByText('item-150', { exact: true }) }).click();
    const selected = options.and(app.page.getByRole('option', { selected: true }));
    await expect(selected).toContainText('item-150');
    await kind.field?.(app).fill('half a sen');
    const place = await placeOfSelected(app, kind);

    const isAsBefore = async (): Promise<void> => {
      await expect(selected).toContainText('item-150');
      if (kind.field !== undefined) await expect(kind.field(app)).toHaveValue('half a sen');
      await expect.poll(async () => Math.abs((await placeOfSelected(app, kind)) - place)).toBeLessThanOrEqual(1);
    };

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

    const name = (await app.rail.getByRole('option').first().getAttribute('aria-label'))?.split(':')[0] ?? '';
    await app.serverMenu(name, 'Restart');
    await expect(app.server(name, 'Ready')).toBeVisible();
    await app.traffic.getByLabel('Filter records').fill('"Ready:"');
    await expect(app.trafficRows).toHaveCount(2);
    await expect(app.page.getByText(/^400 (tools|resources|prompts)$/)).toBeVisible();
    await isAsBefore();
  });
}
