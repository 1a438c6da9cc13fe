import type { Locator, Page } from '@playwright/test';
import { expect, test } from '../patchbay.ts';
import { broken } from './violations.ts';

/** Opens the settings, and leaves the row of one. */
async function setting(page: Page, title: string): Promise<Locator> {
  const dialog = page.getByRole('dialog', { name: 'Settings' });
  if (!(await dialog.isVisible())) await page.keyboard.press('ControlOrMeta+,');
  await dialog.getByLabel('Search settings').fill(title);
  return dialog.getByRole('group', { name: title, exact: true });
}

async function choose(page: Page, title: string, value: string): Promise<void> {
  const row = await setting(page, title);
  await row.getByText(value, { exact: true }).click();
  await expect(row.getByRole('radio', { name: value, exact: true })).toBeChecked();
}

/** The height of an element, in px. */
const height = async (element: Locator): Promise<number> => (await element.boundingBox())?.height ?? 0;

test('density and font sizes are chosen, followed by every row, kept over a restart and applied before the first picture', async ({
  app,
  page,
  patchbay,
}) => {
  await app.connectDemo();
  await expect(app.trafficRows.first()).toBeVisible();
  await expect.poll(() => height(app.toolRows.first())).toBe(28);
  await expect.poll(() => height(app.trafficRows.first())).toBe(24);

  await choose(page, 'Density', 'Compact');
  await expect.poll(() => height(app.toolRows.first())).toBe(24);
  await expect.poll(() => height(app.trafficRows.first())).toBe(20);
  await choose(page, 'Density', 'Comfortable');
  const size = (await setting(page, 'Font size')).getByRole('textbox');
  await size.fill('99');
  await page.keyboard.press('Tab');
  await expect(size).toHaveValue('18 px');
  await size.fill('16');
  const code = (await setting(page, 'Code font size')).getByRole('textbox');
  await code.fill('15');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect.poll(() => height(app.toolRows.first())).toBe(39);
  // The row of the style sheet is as high as the list counts.
  await expect.poll(() => height(app.toolRows.first().locator('> *').first())).toBe(39);
  await app.selectTool('add');
  await app.writeArguments('{"a":1,"b":2}');
  await app.callTool();
  await expect(app.resultStatus).toHaveText('Result');
  const editor = app.page.locator('.cm-editor').first();
  await expect(editor).toHaveCSS('font-size', '15px');

  // What the document has when the first element is drawn.
  await page.addInitScript(() => {
    new MutationObserver((_, observer) => {
      if (document.querySelector('#root > *') === null) return;
      observer.disconnect();
      const { style, dataset } = document.documentElement;
      Object.assign(window, { firstPaint: [style.getPropertyValue('--pb-row'), dataset['contrast']] });
    }).observe(document, { childList: true, subtree: true });
  });
  await patchbay.restart();
  await page.goto(patchbay.address);
  await expect(app.server('Demo server')).toBeVisible();
  expect(await page.evaluate(() => (window as unknown as { firstPaint: string[] }).firstPaint)).toEqual(['39px', 'standard']);

  const row = await setting(page, 'Density');
  await row.getByRole('button', { name: 'Reset Density' }).click();
  await (await setting(page, 'Font size')).getByRole('button', { name: 'Reset Font size' }).click();
  await expect.poll(() => page.evaluate(() => document.documentElement.style.getPropertyValue('--pb-row'))).toBe('31px');
});

test('a list stays at its first row when the rows become higher', async ({ app, page }) => {
  await app.connectDemo();
  const list = page.getByRole('listbox', { name: 'Tools' });
  await list.evaluate((element) => (element.scrollTop = 5 * 28));
  // Four rows above those in view are drawn: the list has taken in that it was scrolled.
  await expect(app.toolRows.first()).toHaveAttribute('aria-posinset', '2');
  await page.keyboard.press('ControlOrMeta+k');
  await page.getByLabel('Command palette').fill('Comfortable rows');
  await page.keyboard.press('Enter');
  await expect.poll(() => height(app.toolRows.first())).toBe(34);
  await expect.poll(() => list.evaluate((element) => element.scrollTop)).toBe(5 * 34);
});

test('motion is reduced by choice, and contrast is high by choice or as the system', async ({ app, page }) => {
  const root = page.locator('html');
  await expect(app.welcome).toBeVisible();
  await choose(page, 'Motion', 'Reduced');
  await expect(root).toHaveAttribute('data-motion', 'reduced');
  expect(await page.evaluate(() => getComputedStyle(document.body).transitionDuration)).toBe('0s');
  await expect(root).toHaveAttribute('data-contrast', 'standard');
  await page.emulateMedia({ contrast: 'more' });
  await expect(root).toHaveAttribute('data-contrast', 'high');
  await choose(page, 'Contrast', 'Standard');
  await expect(root).toHaveAttribute('data-contrast', 'standard');
  await page.emulateMedia({ contrast: 'no-preference' });
  await choose(page, 'Contrast', 'High');
  await expect(root).toHaveAttribute('data-contrast', 'high');
});

test('high contrast reaches 7:1 in the light and the dark theme', async ({ app, page }) => {
  await app.connectDemo();
  await choose(page, 'Contrast', 'High');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  const found: string[] = [];
  const look = async (state: string): Promise<void> => {
    const enhanced = ['color-contrast-enhanced'];
    for (const { theme, node } of await broken(page, { dark: enhanced, light: enhanced })) {
      found.push(`${state}, ${theme}: ${node.html.slice(0, 140)} ${node.any[0]?.message ?? ''}`);
    }
  };
  await app.selectTool('add');
  await app.writeArguments('{"a":1,"b":2}');
  await app.callTool();
  await expect(app.resultStatus).toHaveText('Result');
  await look('a result');
  await app.trafficRows.last().click();
  await expect(app.record).toBeVisible();
  await look('a record');
  await page.keyboard.press('ControlOrMeta+,');
  await expect(page.getByRole('dialog', { name: 'Settings' })).toBeVisible();
  await look('the settings');
  expect(found).toEqual([]);
});
