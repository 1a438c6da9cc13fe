import type { Locator } from '@playwright/test';
import { expect, test } from '../../httpServer.ts';
import { callWith } from '../../inbox/dialog.ts';
import type { Screen } from '../../screen.ts';
import { addEverything, addPython, addStory, openTab } from './servers.ts';

/** The Resources tab, with one of its layouts. */
async function openResources(app: Screen, layout: RegExp): Promise<{ panel: Locator; rows: Locator }> {
  await openTab(app, 'Resources');
  const panel = app.page.getByRole('region', { name: 'Resources', exact: true });
  await panel.getByRole('radiogroup', { name: 'Show resources as' }).getByText(layout).click();
  return { panel, rows: panel.getByRole('listbox').getByRole('option') };
}

const read = (app: Screen): Promise<void> => app.page.getByRole('button', { name: 'Read', exact: true }).click();

test('everything: documents in folders, found and read as Markdown', async ({ app }) => {
  await addEverything(app);
  const { panel, rows } = await openResources(app, /^Tree$/);
  await expect(rows.filter({ hasText: 'static/document' })).toBeVisible();
  await panel.getByLabel('Search resources').fill('architecture');
  await expect(rows).toHaveCount(1);
  await rows.first().click();
  await read(app);
  await expect(app.result.getByRole('heading', { name: /Architecture/ }).first()).toBeVisible();
  await app.result.getByRole('radiogroup', { name: 'Show text as' }).getByText('Text', { exact: true }).click();
  await expect(app.result).toContainText('# ');
});

test('everything: templates with a live preview and completion, as text and as bytes', async ({ app }) => {
  await addEverything(app);
  const { rows } = await openResources(app, /^Templates/);
  await expect(rows).toHaveCount(2);
  await rows.filter({ hasText: 'Dynamic Text Resource' }).click();
  const uri = app.page.getByLabel('Expanded URI');
  const variable = app.page.getByRole('textbox', { name: 'resourceId', exact: true });
  await expect(uri).toHaveText('demo://resource/dynamic/text/');
  await variable.fill('7');
  await expect(uri).toHaveText('demo://resource/dynamic/text/7');
  // The server completes what is a number, and nothing else.
  await expect(app.page.getByRole('option', { name: '7', exact: true })).toBeVisible();
  await app.page.keyboard.press('Escape');
  await variable.press('ControlOrMeta+Enter');
  await expect(app.result).toContainText('Resource 7: This is a plaintext resource');
  await variable.fill('a b');
  await expect(uri).toHaveText('demo://resource/dynamic/text/a%20b');
  await expect(app.page.getByRole('option', { name: '7', exact: true })).toHaveCount(0);
  await read(app);
  await expect(app.resultStatus).toHaveText('JSON-RPC error');

  await rows.filter({ hasText: 'Dynamic Blob Resource' }).click();
  await variable.fill('3');
  await app.page.keyboard.press('Escape');
  await read(app);
  await app.result.getByText('Bytes', { exact: true }).click();
  await expect(app.result.getByRole('listbox', { name: 'Bytes' }).getByRole('option').first()).toContainText('52 65 73 6f 75 72 63 65');
});

/** The second the clock shows. The server runs on the same machine. */
function second(): number {
  return Math.floor(Date.now() / 1000);
}

test('everything: a subscribed resource is marked when it changes, and the difference is shown', async ({ app }) => {
  await addEverything(app);
  const { panel, rows } = await openResources(app, /^Templates/);
  await rows.filter({ hasText: 'Dynamic Text Resource' }).click();
  await app.page.getByRole('textbox', { name: 'resourceId', exact: true }).fill('1');
  await app.page.keyboard.press('Escape');
  await read(app);
  await expect(app.result).toContainText('Resource 1: This is a plaintext resource');
  let readIn = second();
  await app.page.getByRole('button', { name: 'Subscribe', exact: true }).click();
  await expect(app.page.getByRole('button', { name: 'Unsubscribe' })).toBeVisible();
  await openTab(app, 'Tools');
  await callWith(app, 'toggle-subscriber-updates');
  await expect(app.result).toContainText('Started simulated resource updated notifications');
  await openTab(app, 'Resources');
  // The server says at once and then every 5 s that it changed. Its text has the time, to the second: two reads within
  // one second are the same.
  await expect(app.page.getByText('Changed since this read.')).toBeVisible();
  // A read during which the next change is announced is marked again.
  await expect(async () => {
    await expect.poll(second).toBeGreaterThan(readIn);
    await app.page.getByRole('button', { name: 'Read again' }).click();
    await expect(app.resultStatus).toHaveText('Result');
    readIn = second();
    await expect(app.page.getByText('Changed since this read.')).toBeHidden({ timeout: 1_000 });
  }).toPass();
  await app.page.getByRole('button', { name: 'Show difference' }).click();
  const difference = app.page.getByRole('region', { name: 'Difference' });
  await expect(difference).toContainText('1 change');
  await expect(difference).toContainText('created at');
  // Marked again with the next update; not after the end of the subscription.
  await expect(app.page.getByText('Changed since this read.')).toBeVisible();
  await app.page.getByRole('button', { name: 'Unsubscribe' }).click();
  await app.filterTraffic('method:resources/unsubscribe kind:response');
  await expect(app.trafficRows).toHaveCount(1);
  await expect(panel.getByRole('img', { name: 'Subscribed' })).toHaveCount(0);
});

test('python, legacy: text, an image and a template', async ({ app, listening }) => {
  await addPython(app, listening, 'legacy');
  const { rows } = await openResources(app, /^List$/);
  await rows.filter({ hasText: 'static-text' }).click();
  await read(app);
  await expect(app.result).toContainText('This is the content of the static text resource.');
  await rows.filter({ hasText: 'static-binary' }).click();
  await read(app);
  await expect(app.result).toContainText('test://static-binary');
  await openResources(app, /^Templates/);
  await rows.first().click();
  await app.page.getByRole('textbox', { name: 'id', exact: true }).fill('a/b');
  await expect(app.page.getByLabel('Expanded URI')).toHaveText('test://template/a%2Fb/data');
});

test('subscriptions, modern: a note is watched by its template, edited, and its difference shown', async ({ app }) => {
  await addStory(app, 'subscriptions', 'modern');
  const { rows } = await openResources(app, /^Templates/);
  await rows.first().click();
  await app.page.getByRole('textbox', { name: 'name', exact: true }).fill('todo');
  await app.page.keyboard.press('Escape');
  await read(app);
  await expect(app.result).toContainText('buy milk');
  await app.page.getByRole('button', { name: 'Subscribe', exact: true }).click();
  await expect(app.page.getByRole('tab', { name: 'Subscriptions 1' })).toBeVisible();
  await openTab(app, 'Tools');
  await callWith(app, 'edit_note', { name: 'todo', text: 'buy bread' });
  await expect(app.resultStatus).toHaveText('Result');
  await openTab(app, 'Resources');
  await expect(app.page.getByText('Changed since this read.')).toBeVisible();
  await app.page.getByRole('button', { name: 'Read again' }).click();
  await expect(app.result).toContainText('buy bread');
  await app.page.getByRole('button', { name: 'Show difference' }).click();
  await expect(app.page.getByRole('region', { name: 'Difference' })).toContainText('buy milk');
});
