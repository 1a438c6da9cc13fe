import { fileURLToPath } from 'node:url';
import type { Page } from '@playwright/test';
import { expect, test } from '../../patchbay.ts';
import type { Screen } from '../../screen.ts';

const SERVER = fileURLToPath(new URL('./oddServer.mjs', import.meta.url));

/** Nothing executed, and nothing was asked of anyone but Patchbay. */
interface Watch {
  requests: string[];
  check(): Promise<void>;
}

async function watch(page: Page, origin: string): Promise<Watch> {
  const requests: string[] = [];
  page.on('request', (request) => {
    const url = request.url();
    if (!url.startsWith(origin) && !url.startsWith('data:') && !url.startsWith('blob:')) requests.push(url);
  });
  page.on('dialog', (dialog) => void dialog.dismiss());
  return {
    requests,
    async check() {
      expect(await page.evaluate(() => 'pwned' in window)).toBe(false);
      expect(requests).toEqual([]);
      expect(page.url().startsWith(origin)).toBe(true);
    },
  };
}

async function openTab(app: Screen, name: string): Promise<void> {
  await app.openTab(name);
}

test('tools with odd names and schemas can be called, and nothing in them runs', async ({ app, patchbay }) => {
  const { page } = app;
  const watched = await watch(page, patchbay.origin);
  await app.addByPaste(`node ${SERVER}`);
  await expect(app.tools).toContainText('21 tools');
  await watched.check();

  // Each odd name is sent as it is.
  for (const [find, name] of [
    ['a/b', 'a/b/../c'],
    ['with spaces', 'with spaces in it'],
    ['émoji', '😀 émoji'],
    ['__proto__', '__proto__'],
  ] as const) {
    await app.tools.getByLabel('Search tools').fill(find);
    await app.toolRows.first().click();
    await app.callTool();
    await expect(app.result).toContainText(`called «${name}»`);
  }
  await watched.check();

  // The ends of long names can be told apart, and the whole name is in the definition.
  await app.tools.getByLabel('Search tools').fill('long_long');
  await expect(app.toolRows.first()).toContainText('long_end');
  await app.toolRows.first().click();
  await app.callTool();
  await expect(app.result).toContainText('long_end»');

  // Two tools with one name are two rows.
  await app.tools.getByLabel('Search tools').fill('twice');
  await expect(app.toolRows).toHaveCount(2);
  await app.toolRows.last().click();
  await expect(page.getByRole('region', { name: 'Definition' })).toContainText('second');

  for (const [name, reason] of [
    ['schema-true', 'The schema is missing or is not an object.'],
    ['schema-string', 'The schema is missing or is not an object.'],
    ['schema-missing', 'The schema is missing or is not an object.'],
    ['schema-array', 'The schema describes a value of type array'],
    ['schema-network', 'Schemas are never fetched.'],
    ['schema-dangling', 'which it does not define'],
    ['schema-5mb', 'The schema is too large for a form.'],
  ] as const) {
    await app.selectTool(name);
    await expect(app.arguments).toContainText(reason);
    await expect(app.arguments.getByRole('textbox', { name: 'Arguments as JSON' })).toBeVisible();
  }
  await app.selectTool('schema-circular');
  await expect(app.arguments.getByRole('button', { name: /^Call tool|anyway/ })).toBeVisible();
  await app.selectTool('schema-recursive');
  await app.arguments.getByRole('button', { name: 'Add child' }).click();
  await expect(app.arguments.getByLabel('text', { exact: true })).toHaveCount(3);
  await app.selectTool('schema-evil');
  await expect(app.arguments.getByText('<img src=x').first()).toBeVisible();

  await app.selectTool('odd_results');
  await app.callTool();
  await expect(app.resultStatus).toHaveText('Result');
  await expect(app.result).toContainText('onerror');
  await watched.check();
});

test('icons are shown only if they ask nobody, and are explained otherwise', async ({ app, patchbay }) => {
  const { page } = app;
  const watched = await watch(page, patchbay.origin);
  await app.addByPaste(`node ${SERVER}`);
  await app.selectTool('icons');
  await expect(app.toolRows.filter({ hasText: 'icons' }).locator('img')).toHaveAttribute('src', /^data:image\/png/);
  const definition = page.getByRole('region', { name: 'Definition' });
  await expect(definition.getByText('not shown: only https: URLs and data: images are allowed')).toHaveCount(4);
  await expect(definition.getByText('not shown: SVG may contain scripts')).toHaveCount(1);
  await expect(definition.getByText('not shown: not fetched')).toHaveCount(1);
  await expect(definition.getByText('not shown: larger than 64 kB')).toHaveCount(1);
  await expect(definition.getByText('not shown: no URL')).toHaveCount(2);
  await expect(definition.getByRole('listitem').locator('img')).toHaveCount(1);
  await watched.check();
});

test('resources and prompts with odd names, types and bytes are read, and nothing in them runs', async ({ app, patchbay }) => {
  const { page } = app;
  const watched = await watch(page, patchbay.origin);
  await app.addByPaste(`node ${SERVER}`);
  await openTab(app, 'Resources');
  const panel = page.getByRole('region', { name: 'Resources', exact: true });
  await panel.getByRole('radiogroup', { name: 'Show resources as' }).getByText('List', { exact: true }).click();
  const rows = panel.getByRole('listbox', { name: 'Resources' }).getByRole('option');
  for (const [name, shown] of [
    ['not an image', 'onerror'],
    ['broken base64', /base64/],
    ['html', 'onerror'],
    ['svg', /svg/],
    ['script uri', 'onerror'],
    ['constructor', 'onerror'],
  ] as const) {
    await panel.getByLabel('Search resources').fill(name);
    await rows.first().click();
    await page.getByRole('button', { name: 'Read', exact: true }).click();
    await expect(app.resultStatus).toHaveText('Result');
    await expect(app.result).toContainText(shown);
    await watched.check();
  }
  await openTab(app, 'Prompts');
  const prompts = page.getByRole('listbox', { name: 'Prompts' }).getByRole('option');
  await expect(prompts).toHaveCount(7);
  await prompts.filter({ hasText: '__proto__' }).click();
  await page.getByRole('button', { name: 'Get prompt' }).click();
  await expect(app.resultStatus).toHaveText('Result');
  await watched.check();
  await openTab(app, 'Info');
  await expect(page.getByText('not shown: not fetched').first()).toBeVisible();
  await expect(page.locator('a[href^="javascript:"]')).toHaveCount(0);
  await page.keyboard.press('ControlOrMeta+k');
  await page.getByLabel('Command palette').fill('window.pwned');
  await expect(page.getByRole('dialog').getByRole('option').first()).toBeVisible();
  await watched.check();
});
