import { fileURLToPath } from 'node:url';
import type { Locator, Page } from '@playwright/test';
import { expect, test } from '../patchbay.ts';
import type { Screen } from '../screen.ts';

/** The Resources tab of the connected server. */
async function openResources(app: Screen): Promise<{ panel: Locator; rows: Locator; page: Page }> {
  await app.page.getByRole('tab', { name: 'Resources' }).click();
  const panel = app.page.getByRole('region', { name: 'Resources', exact: true });
  return { panel, rows: panel.getByRole('listbox').getByRole('option'), page: app.page };
}

async function read(app: Screen, rows: Locator, name: string): Promise<void> {
  await rows.filter({ hasText: name }).first().click();
  await app.page.getByRole('button', { name: 'Read', exact: true }).click();
  await expect(app.resultStatus).toHaveText('Result');
}

test('resources form a tree and can be found, filtered and read by keyboard', async ({ app }) => {
  await app.connectDemo();
  const { panel, rows, page } = await openResources(app);
  await expect(rows.filter({ hasText: 'reports' }).first()).toBeVisible();
  // Of all rows: how many are rendered depends on when the list is measured.
  const size = async (): Promise<number> => Number(await rows.first().getAttribute('aria-setsize'));
  const all = await size();
  await rows.filter({ hasText: 'reports' }).first().click();
  await page.keyboard.press('ArrowLeft');
  await expect.poll(size).toBeLessThan(all);
  await page.keyboard.press('ArrowRight');
  await expect.poll(size).toBe(all);
  await page.keyboard.press('/');
  await expect(panel.getByLabel('Search resources')).toBeFocused();
  await page.keyboard.type('sales');
  await expect(rows).toHaveCount(1);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(app.resultStatus).toHaveText('Result');
  await expect(app.result.getByRole('listbox', { name: 'Table' }).getByRole('option').first()).toContainText('red, green');
  await page.getByLabel('Search resources').fill('');
  await panel.getByRole('button', { name: 'Filter and sort' }).click();
  await page.getByRole('menuitemradio', { name: '0.8 or higher' }).click();
  await page.keyboard.press('Escape');
  await expect(panel).toContainText(/3 of \d+/);
});

test('contents are shown by their type, and nothing in them runs', async ({ app }) => {
  await app.connectDemo();
  const { rows, page } = await openResources(app);
  await read(app, rows, 'bytes.bin');
  await expect(app.result.getByRole('listbox', { name: 'Bytes' }).getByRole('option').first()).toContainText('00 01 02 03');
  await read(app, rows, 'picture.png');
  const image = app.result.locator('img');
  await expect.poll(() => image.evaluate((node: HTMLImageElement) => node.naturalWidth)).toBe(128);
  await app.result.getByRole('button', { name: 'Zoom in' }).click();
  await app.result.getByRole('button', { name: 'Zoom in' }).click();
  await expect.poll(() => image.evaluate((node) => node.getBoundingClientRect().width)).toBe(256);
  await read(app, rows, 'guide.pdf');
  await expect(app.result.getByText('Page 1 of 2')).toBeVisible();
  const inked = (): Promise<number> =>
    app.result.locator('canvas').evaluate((node: HTMLCanvasElement) => {
      const { data } = node.getContext('2d')?.getImageData(0, 0, node.width, node.height) ?? { data: [] };
      return data.filter((value, at) => at % 4 === 0 && value < 128).length;
    });
  await expect.poll(inked).toBeGreaterThan(100);
  // It is drawn in parts: all of them are there when two looks find the same.
  let first = 0;
  const stands = async (): Promise<boolean> => {
    const before = first;
    first = await inked();
    return first === before;
  };
  await expect.poll(stands).toBe(true);
  await app.result.getByRole('button', { name: 'Next page' }).click();
  await expect(app.result.getByText('Page 2 of 2')).toBeVisible();
  await expect.poll(inked).not.toBe(first);
  await read(app, rows, 'broken.png');
  await expect(app.result).toContainText('Image not shown: its size cannot be read.');
  await read(app, rows, 'hostile.html');
  await expect(app.result).toContainText('<script>');
  expect(await page.evaluate(() => 'hostile' in window)).toBe(false);
  await read(app, rows, 'bundle');
  await expect(app.result.getByRole('region', { name: /^Content \d of 3/ })).toHaveCount(3);
});

test('sound and video play', async ({ app }) => {
  await app.connectDemo();
  const { rows } = await openResources(app);
  for (const [name, element] of [
    ['tone', 'audio'],
    ['clip', 'video'],
  ] as const) {
    await read(app, rows, name);
    const media = app.result.locator(element);
    await expect.poll(() => media.evaluate((node: HTMLMediaElement) => node.duration)).toBeGreaterThan(0.3);
    await media.evaluate((node: HTMLMediaElement) => node.play());
    // To its end, through what was decoded.
    await expect.poll(() => media.evaluate((node: HTMLMediaElement) => node.ended)).toBe(true);
    expect(await media.evaluate((node: HTMLMediaElement) => node.currentTime)).toBeGreaterThan(0.3);
    await expect(app.result.getByRole('button', { name: /^Save/ }).first()).toBeEnabled();
  }
  await expect(app.result).toContainText('160 × 90');
  const frames = await app.result.locator('video').evaluate((node: HTMLVideoElement) => node.getVideoPlaybackQuality().totalVideoFrames);
  expect(frames).toBeGreaterThan(1);
  // As bytes, like everything binary.
  await app.result.getByText('Bytes', { exact: true }).click();
  await expect(app.result.getByRole('listbox', { name: 'Bytes' }).getByRole('option').first()).toContainText('1a 45 df a3');
});

test('a variable may have any name', async ({ app }) => {
  await app.addByPaste(`node ${fileURLToPath(new URL('./oddTemplates.mjs', import.meta.url))}`);
  const { page } = await openResources(app);
  await page.getByText(/^Templates/).click();
  await page.getByRole('listbox', { name: 'Resource templates' }).getByRole('option').first().click();
  const field = page.getByRole('textbox', { name: /^constructor/ });
  await expect(field).toHaveValue('');
  await field.fill('a b');
  await expect(page.getByText('test://a%20b/').first()).toBeVisible();
  await page.getByRole('textbox', { name: /^__proto__/ }).fill('c');
  await expect(page.getByText('test://a%20b/c').first()).toBeVisible();
});

test('a template is completed, previewed and read', async ({ app }) => {
  await app.connectDemo();
  const { panel, rows, page } = await openResources(app);
  await panel.getByText(/^Templates/).click();
  await rows.filter({ hasText: 'city' }).click();
  const uri = page.getByLabel('Expanded URI');
  await page.getByRole('textbox', { name: 'country' }).fill('Fra');
  await page.getByRole('option', { name: 'France' }).click();
  await page.getByRole('textbox', { name: 'name', exact: true }).fill('L');
  await page.getByRole('option', { name: 'Lyon' }).click();
  await expect(uri).toHaveText('demo://city/France/Lyon');
  await page.keyboard.press('ControlOrMeta+Enter');
  await expect(app.result).toContainText('Lyon lies in France.');
  await page.getByRole('textbox', { name: 'name', exact: true }).fill('a/ä?');
  await expect(uri).toHaveText('demo://city/France/a%2F%C3%A4%3F');
  await page.getByRole('radiogroup', { name: 'Value type of name' }).getByText('List').click();
  await page.getByRole('textbox', { name: 'name', exact: true }).fill('a\nb');
  await expect(uri).toHaveText('demo://city/France/a,b');
  // After switching tabs, the typed text is still there.
  await page.getByRole('tab', { name: 'Info' }).click();
  await page.getByRole('tab', { name: 'Resources' }).click();
  await expect(uri).toHaveText('demo://city/France/a,b');
});

test('a subscribed resource is marked when it changes, and the difference is shown', async ({ app }) => {
  await app.connectDemo();
  const { panel, rows, page } = await openResources(app);
  await read(app, rows, 'counter');
  await page.getByRole('button', { name: 'Subscribe' }).click();
  await expect(rows.filter({ hasText: 'counter' }).getByRole('img', { name: 'Subscribed' })).toBeVisible();
  await page.getByRole('tab', { name: 'Tools' }).click();
  await app.selectTool('touch_counter');
  await app.callTool();
  await expect(app.resultStatus).toHaveText('Result');
  await page.getByRole('tab', { name: 'Resources' }).click();
  await expect(panel.getByRole('img', { name: 'Changed since last read' })).toBeVisible();
  await page.getByRole('button', { name: 'Read again' }).click();
  await expect(page.getByText('Changed since this read.')).toBeHidden();
  await page.getByRole('button', { name: 'Show difference' }).click();
  await expect(page.getByRole('region', { name: 'Difference' })).toContainText('1 change');
  await page.getByRole('button', { name: 'Unsubscribe' }).click();
  await expect(rows.getByRole('img', { name: 'Subscribed' })).toHaveCount(0);
});

test('a link in the result of a tool opens the resource', async ({ app }) => {
  await app.connectDemo();
  await app.selectTool('every_content');
  await app.callTool();
  await app.result.getByRole('region', { name: /resource_link/ }).getByRole('button').first().click();
  await expect(app.page.getByRole('tab', { name: 'Resources' })).toHaveAttribute('aria-selected', 'true');
  await app.page.getByRole('button', { name: 'Read', exact: true }).click();
  await expect(app.resultStatus).toHaveText('Result');
});
