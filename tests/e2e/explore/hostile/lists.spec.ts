import { fileURLToPath } from 'node:url';
import type { Locator } from '@playwright/test';
import { expect, test } from '../../patchbay.ts';
import type { Screen } from '../../screen.ts';

const SERVER = fileURLToPath(new URL('./listServer.mjs', import.meta.url));

async function openResources(app: Screen, layout: RegExp): Promise<{ panel: Locator; rows: Locator }> {
  await app.page.getByRole('tab', { name: 'Resources', exact: true }).click();
  const panel = app.page.getByRole('region', { name: 'Resources', exact: true });
  await panel.getByRole('radiogroup', { name: 'Show resources as' }).getByText(layout).click();
  return { panel, rows: panel.getByRole('listbox').getByRole('option') };
}

test('a cursor that leads in a circle ends the list, which says so, and its tools can be called', async ({ app }) => {
  await app.addByPaste(`node ${SERVER}`);
  await expect(app.toolRows).toHaveCount(3);
  await expect(app.tools.getByRole('list', { name: 'Problems in the list' })).toContainText(
    'the server gave the cursor "a" twice; the list repeats and ends here',
  );
  await app.filterTraffic('method:tools/list kind:request');
  await expect(app.trafficRows).toHaveCount(3);
  await app.selectTool('tool-b');
  await app.callTool();
  await expect(app.result).toContainText('called tool-b');
});

test('a list that changes whenever it is read is not read for ever, says that it changed, and works', async ({ app }) => {
  await app.addByPaste(`node ${SERVER}`);
  const { panel, rows } = await openResources(app, /^List$/);
  await expect(rows).toHaveCount(4);
  await expect(panel.getByRole('status')).toContainText('Resource list changed.');
  await app.filterTraffic('method:resources/list kind:request');
  const count = app.traffic.getByTestId('traffic-count');
  const requests = async (): Promise<number> => Number.parseInt(await count.innerText(), 10);
  await expect(app.trafficRows.first()).toContainText('resources/list');
  // The count is that of the filter, of which the last rows of all records are not: among those are responses and notifications.
  await expect(app.trafficRows.filter({ hasNotText: /requestresources\/list(?!_)/ })).toHaveCount(0);
  // And of all records: the older ones have been searched too.
  await expect(count).toHaveText(/^\d+ records$/);
  const before = await requests();
  expect(before).toBeLessThan(50);
  await rows.filter({ hasText: 'first' }).first().click();
  await app.page.getByRole('button', { name: 'Read', exact: true }).click();
  await expect(app.result).toContainText('contents of odd://first');
  // Again only when the user says so.
  expect(await requests()).toBe(before);
  await panel.getByRole('status').getByRole('button', { name: 'Refresh' }).click();
  await expect.poll(requests).toBeGreaterThan(before);
  await expect(panel.getByRole('option', { selected: true })).toContainText('first');
});

test('of two items with one name each is a row, and is selected by itself', async ({ app }) => {
  await app.addByPaste(`node ${SERVER}`);
  const { page } = app;
  const { rows } = await openResources(app, /^List$/);
  const twice = rows.filter({ hasText: 'twice' });
  const expectSecond = async (): Promise<void> => {
    await expect(twice).toHaveCount(2);
    await twice.last().click();
    await expect(twice.last()).toHaveAttribute('aria-selected', 'true');
    await expect(twice.first()).toHaveAttribute('aria-selected', 'false');
    await expect(page.getByText('second', { exact: true })).toBeVisible();
    await twice.first().click();
    await expect(page.getByText('first', { exact: true }).last()).toBeVisible();
    await expect(twice.last()).toHaveAttribute('aria-selected', 'false');
  };
  await expectSecond();
  await openResources(app, /^Templates/);
  await expectSecond();
  await page.getByRole('tab', { name: 'Prompts', exact: true }).click();
  const prompts = page.getByRole('listbox', { name: 'Prompts' }).getByRole('option');
  await expect(prompts).toHaveCount(2);
  await prompts.last().click();
  await expect(prompts.last()).toHaveAttribute('aria-selected', 'true');
  await page.getByRole('button', { name: 'Get prompt' }).click();
  await expect(app.result).toContainText('got twice');
});

/** Every reserved character of RFC 3986, and what may be in no URI. */
const RESERVED = ":/?#[]@!$&'()*+,;=";
const FORBIDDEN = ' "<>\\^`{|}äß😀';
const VALUE = `${RESERVED}${FORBIDDEN}-._~%41`;

const encoded = (text: string): string =>
  encodeURIComponent(text).replaceAll(/[!'()*]/g, (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`);
/** What `+` and `#` keep: reserved characters, and what is percent-encoded already. */
const KEPT = `${RESERVED}${encoded(FORBIDDEN)}-._~%41`;
const ALL = encoded(VALUE);

test('variables with every reserved character are expanded by each operator of RFC 6570, and read', async ({ app }) => {
  await app.addByPaste(`node ${SERVER}`);
  const { rows } = await openResources(app, /^Templates/);
  const expected = { '': ALL, '+': KEPT, '#': `#${KEPT}`, '.': `.${ALL}`, '/': `/${ALL}`, ';': `;v=${ALL}`, '?': `?v=${ALL}`, '&': `&v=${ALL}` };
  for (const [at, [operator, uri]] of Object.entries(expected).entries()) {
    await rows.nth(at).click();
    await expect(app.page.getByRole('heading', { name: `operator ${operator}`.trim() })).toBeVisible();
    await app.page.getByRole('textbox', { name: 'v', exact: true }).fill(VALUE);
    await expect(app.page.getByLabel('Expanded URI')).toHaveText(`odd://t/x${uri}`);
    await app.page.getByRole('button', { name: 'Read', exact: true }).click();
    await expect(app.result).toContainText(`contents of odd://t/x${uri}`);
  }
});
