import { expect, test } from '../../httpServer.ts';
import { callWith } from '../../inbox/dialog.ts';
import { addEverything, addPython, addStory, openTab } from './servers.ts';

// Whatever real servers do to their lists: the selection and what is half filled in stay.

test('everything: a half-filled form and the selection of each tab survive a new connection', async ({ app }) => {
  const { page } = app;
  await addEverything(app);
  await app.selectTool('get-sum');
  await app.arguments.getByLabel(/^a\b/).first().fill('40');
  await openTab(app, 'Prompts');
  await page.getByRole('listbox', { name: 'Prompts' }).getByRole('option').filter({ hasText: 'args-prompt' }).click();
  const city = page.getByRole('region', { name: 'Arguments' }).getByRole('textbox', { name: /^city/ });
  await city.fill('half a ci');
  await openTab(app, 'Resources');
  await page.getByRole('radiogroup', { name: 'Show resources as' }).getByText(/^Templates/).click();
  await page.getByRole('option').filter({ hasText: 'Dynamic Blob Resource' }).click();
  await page.getByRole('textbox', { name: 'resourceId', exact: true }).fill('1');
  await page.keyboard.press('Escape');

  await app.serverMenu('everything', 'Restart');
  await app.filterTraffic('"Ready:"');
  await expect(app.trafficRows).toHaveCount(2);
  await expect(page.getByLabel('Expanded URI')).toHaveText('demo://resource/dynamic/blob/1');
  await expect(page.getByRole('option', { selected: true }).filter({ hasText: 'Dynamic Blob Resource' })).toBeVisible();
  await openTab(app, 'Prompts');
  await expect(city).toHaveValue('half a ci');
  await openTab(app, 'Tools');
  await expect(app.arguments.getByLabel(/^a\b/).first()).toHaveValue('40');
  await expect(app.toolRows.and(page.getByRole('option', { selected: true }))).toContainText('get-sum');
});

test('subscriptions, modern: a tool that is added while another is half filled in is announced, not forced', async ({ app }) => {
  await addStory(app, 'subscriptions', 'modern');
  await openTab(app, 'Subscriptions');
  await app.page.getByRole('form', { name: 'New subscription' }).getByRole('button', { name: 'Open subscription' }).click();
  await expect(app.page.getByRole('article', { name: /^Subscription to/ })).toContainText('Granted');
  await openTab(app, 'Tools');
  await callWith(app, 'enable_search');
  await expect(app.resultStatus).toHaveText('Result');
  await app.selectTool('edit_note');
  await app.arguments.getByRole('textbox', { name: /^name/ }).fill('half a na');
  await app.tools.getByLabel('Search tools').fill('');
  await expect(app.toolRows).toHaveCount(2);
  await app.tools.getByRole('status').getByRole('button', { name: 'Refresh' }).click();
  await expect(app.toolRows).toHaveCount(3);
  await expect(app.toolRows.filter({ hasText: 'search' }).filter({ hasText: 'new' })).toHaveCount(1);
  await expect(app.arguments.getByRole('textbox', { name: /^name/ })).toHaveValue('half a na');
});

test('stickynotes, legacy: resources come and go, and the read one stays shown', async ({ app }) => {
  await addStory(app, 'stickynotes', 'legacy');
  await callWith(app, 'add_note', { text: 'Water the plants' });
  await expect(app.resultStatus).toHaveText('Result');
  await app.writeArguments('{"text":"Feed the cat"}');
  await app.callAndWait();
  await expect(app.resultStatus).toHaveText('Result');
  await openTab(app, 'Resources');
  const rows = app.page.getByRole('listbox', { name: 'Resources' }).getByRole('option');
  await app.page.getByRole('radiogroup', { name: 'Show resources as' }).getByText('List', { exact: true }).click();
  await expect(rows).toHaveCount(2);
  await rows.filter({ hasText: 'note-2' }).click();
  await app.page.getByRole('button', { name: 'Read', exact: true }).click();
  await expect(app.result).toContainText('Feed the cat');
  await openTab(app, 'Tools');
  await callWith(app, 'remove_note', { note_id: '1' });
  await expect(app.resultStatus).toHaveText('Result');
  await openTab(app, 'Resources');
  await app.page.getByRole('status').getByRole('button', { name: 'Refresh' }).first().click();
  await expect(rows).toHaveCount(1);
  await expect(rows.and(app.page.getByRole('option', { selected: true }))).toContainText('note-2');
  await expect(app.result).toContainText('Feed the cat');
});

test('python over HTTP: lists, selection and form survive a new session', async ({ app, listening }) => {
  await addPython(app, listening, 'legacy');
  await app.selectTool('test_sampling');
  await app.arguments.getByRole('textbox', { name: /^prompt/ }).fill('half a pro');
  await app.serverMenu('python', 'Restart');
  await app.filterTraffic('"Ready:"');
  await expect(app.trafficRows).toHaveCount(2);
  await expect(app.arguments.getByRole('textbox', { name: /^prompt/ })).toHaveValue('half a pro');
  await expect(app.toolRows.and(app.page.getByRole('option', { selected: true }))).toContainText('test_sampling');
});
