import { violations } from '../accessibility/violations.ts';
import { SCRIPTED, expect, test } from '../httpServer.ts';
import { addModel, begin } from './steps.ts';

test('one prompt goes to two models side by side, and one of them is opened as a conversation', async ({
  app,
  models,
}) => {
  const provider = await models('any');
  const { page } = app;
  await app.connectDemo();
  await addModel(app, provider.url, 'script');
  await begin(app);
  await page.getByRole('button', { name: 'Compare models or servers' }).click();
  const [one, two] = [1, 2].map((number) => page.getByRole('region', { name: `Column ${number}` }));
  if (one === undefined || two === undefined) throw new Error('two columns');
  await two.getByRole('combobox', { name: 'Model', exact: true }).fill('talk');
  await page.keyboard.press('Enter');
  const prompt = page.getByRole('textbox', { name: 'Prompt for all columns' });
  await prompt.fill('call greet {"name":"both"}');
  await page.keyboard.press('Control+Enter');
  await expect(two).toContainText('Hello, wörld');
  await expect(two.getByRole('group', { name: 'Turn summary' })).toContainText(/11 tokens in, 7 out · 1 answer · no calls/);
  // A call waits in its own column.
  await one.getByRole('button', { name: 'Run once' }).click();
  await expect(one).toContainText('The tools say:');
  await expect(one.getByRole('group', { name: 'Turn summary' })).toContainText(/2 answers · calls: greet/);
  expect(await violations(page)).toEqual([]);

  // Without the server the same model has no tools.
  await one.getByRole('button', { name: /Servers of this column/ }).click();
  await page.getByRole('group', { name: 'Servers of this column' }).getByRole('checkbox').first().click();
  await page.keyboard.press('Escape');
  await expect(one.getByRole('button', { name: 'Servers of this column (0 servers)' })).toBeVisible();

  // A prompt goes to the columns that are idle.
  for (const column of [one, two]) await expect(column.getByRole('group', { name: 'Turn summary' })).not.toContainText('so far');
  // One that answers for ever is stopped; the others have ended by themselves.
  await two.getByRole('combobox', { name: 'Model', exact: true }).fill('slow');
  await page.keyboard.press('Enter');
  await prompt.fill('on');
  await page.keyboard.press('Control+Enter');
  await expect(one).toContainText('You said: on');
  await expect(two.getByRole('article', { name: /Answer from slow/ })).toContainText('Hel');
  await page.getByRole('button', { name: 'Stop all' }).click();
  await expect(two).toContainText('You stopped this turn.');

  await one.getByRole('button', { name: 'Open as a conversation' }).click();
  await expect(page.getByRole('log', { name: 'Messages' })).toContainText('You said: on');
  await expect(page.getByRole('navigation', { name: 'Conversations' }).getByText('call greet {"name":"both"}')).toHaveCount(2);
});

test('a secret in the prompt is masked in every column, and sent unmasked from one only', async ({ app, models }) => {
  const provider = await models('any');
  const { page } = app;
  const token = 's3cr3t-of-columns-1357';
  await app.connectDemo();
  const notes = { command: SCRIPTED, args: ['legacy'], env: { API_TOKEN: token } };
  await page.getByRole('button', { name: 'Add server' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'Add a server' });
  await dialog.getByLabel('Paste anything').fill(JSON.stringify({ mcpServers: { notes } }));
  await expect(dialog.getByLabel('Command', { exact: true })).toHaveValue(SCRIPTED);
  await dialog.getByRole('button', { name: 'Save and connect' }).click();
  await app.keepSecretsInMemory();
  await expect(app.server('notes', 'Ready')).toBeVisible();
  await addModel(app, provider.url, 'script');
  await begin(app);
  await page.getByRole('button', { name: 'Compare models or servers' }).click();
  const [one, two] = [1, 2].map((number) => page.getByRole('region', { name: `Column ${number}` }));
  if (one === undefined || two === undefined) throw new Error('two columns');
  await page.getByRole('textbox', { name: 'Prompt for all columns' }).fill(`My key is ${token}.`);
  await page.keyboard.press('Control+Enter');
  for (const column of [one, two]) {
    await expect(column).toContainText('You said: My key is ****');
    await expect(column).not.toContainText(token);
    await expect(column.getByRole('note', { name: 'Masked secrets' })).toContainText('1 secret masked: API_TOKEN of notes');
  }

  await one.getByRole('button', { name: 'Send unmasked…' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Send unmasked', exact: true }).click();
  await expect(one.getByRole('note', { name: 'Masked secrets' })).toContainText('1 secret sent unmasked');
  await expect(two.getByRole('note', { name: 'Masked secrets' })).toContainText('1 secret masked');
});
