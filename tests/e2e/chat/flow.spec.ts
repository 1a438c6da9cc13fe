import { violations } from '../accessibility/violations.ts';
import { SCRIPTED, expect, test } from '../httpServer.ts';
import { addModel, begin, send } from './steps.ts';

const TOKEN = 's3cr3t-of-notes-2468';

test('a secret in a message is masked for the model, and sent only after a question', async ({ app, models }) => {
  const provider = await models('any');
  const { page } = app;
  await app.connectDemo();
  const notes = { command: SCRIPTED, args: ['legacy'], env: { API_TOKEN: TOKEN } };
  await page.getByRole('button', { name: 'Add server' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'Add a server' });
  await dialog.getByLabel('Paste anything').fill(JSON.stringify({ mcpServers: { notes } }));
  await expect(dialog.getByLabel('Command', { exact: true })).toHaveValue(SCRIPTED);
  await dialog.getByRole('button', { name: 'Save and connect' }).click();
  await app.keepSecretsInMemory();
  await expect(app.server('notes', 'Ready')).toBeVisible();
  // After the question of the vault: no later dialog may lie over its own menus.
  await addModel(app, provider.url, 'script');
  await begin(app);
  const log = page.getByRole('log', { name: 'Messages' });
  await send(page, `My key is ${TOKEN}.`);
  await expect(log).toContainText('You said: My key is ****');
  await expect(log).not.toContainText(TOKEN);
  const note = log.getByRole('note', { name: 'Masked secrets' });
  await expect(note).toContainText('1 secret masked: API_TOKEN of notes');
  expect(await violations(page)).toEqual([]);

  // Esc keeps it masked.
  await note.getByRole('button', { name: 'Send unmasked…' }).click();
  const question = page.getByRole('dialog').filter({ hasText: 'script receives API_TOKEN of notes unmasked' });
  await expect(question.getByRole('button', { name: 'Keep masked' })).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(question).toBeHidden();
  await expect(note).toContainText('1 secret masked');

  await note.getByRole('button', { name: 'Send unmasked…' }).click();
  await question.getByRole('button', { name: 'Send unmasked', exact: true }).click();
  await expect(note).toContainText('1 secret sent unmasked: API_TOKEN of notes');
  await log.getByRole('button', { name: 'Regenerate' }).click();
  await expect(log.getByRole('group', { name: 'Versions' })).toContainText('2 of 2');
  // What the model says with it is masked again.
  await expect(log).toContainText('You said: My key is ****');
  await expect(log).not.toContainText(TOKEN);
  await note.getByRole('button', { name: 'Mask again' }).click();
  // The answer has a note too, as soon as it is there.
  await expect(note.first()).toContainText('1 secret masked');
});

test('data that goes from one server to another is shown before, asked about, and stays in sight', async ({
  app,
  models,
}) => {
  const provider = await models('any');
  const { page } = app;
  await app.connectDemo();
  await app.addByPaste(JSON.stringify({ mcpServers: { notes: { command: SCRIPTED, args: ['legacy'] } } }));
  await expect(app.server('notes', 'Ready')).toBeVisible();
  await addModel(app, provider.url, 'script');
  await begin(app);
  const log = page.getByRole('log', { name: 'Messages' });
  await send(page, 'call about {}');
  await log.getByRole('button', { name: 'Run once' }).click();
  await expect(log).toContainText('The tools say: The Patchbay demo server');
  const about = log.getByRole('region', { name: 'Call to about: Done' });
  await expect(about).toContainText('untrusted');
  await expect(about).toContainText(/Sent to Demo server, script · Local/);

  await send(page, 'call echo {"text":"RESULT"}');
  const waiting = log.getByRole('region', { name: 'Call to echo: Waiting for you' });
  const warning = waiting.getByRole('note', { name: 'Data from another server' });
  await expect(warning).toContainText('The arguments send data from another server to notes');
  await expect(warning).toContainText(/Demo server: “The Patchbay demo server, speaking/);
  await expect(waiting).toContainText('Not sent yet');
  expect(await violations(page)).toEqual([]);
  await waiting.getByRole('button', { name: 'Run once' }).click();
  const echo = log.getByRole('region', { name: 'Call to echo: Done' });
  await expect(echo.getByRole('note', { name: 'Data from another server' })).toBeVisible();
  await expect(echo).toContainText('Sent to notes, script · Local');
  // The server that got a part of the first result is named there, with what it got.
  const badge = about.getByText(/^Sent to .*notes$/);
  await expect(badge).toBeVisible();
  await page.reload();
  await expect(about).toContainText(/Sent to Demo server, script · Local, notes/);
});
