import type { Page } from '@playwright/test';
import { expect, test } from '../httpServer.ts';
import { addProvider } from './providers.ts';
import type { Screen } from '../screen.ts';

/** Has the demo server ask for a completion. */
async function ask(app: Screen): Promise<ReturnType<Page['getByRole']>> {
  await app.selectTool('ask_model');
  await app.callTool();
  return app.page.getByRole('dialog', { name: /requests a completion/ });
}

test('a request is edited, sent to a model, streamed, and approved', async ({ app, models }) => {
  const provider = await models('any');
  await app.connectDemo();
  await addProvider(app, provider.url, 'talk');
  await app.page.getByRole('button', { name: 'Test' }).click();
  await expect(app.page.getByText(/talk answered in \d+ ms/)).toBeVisible();
  await app.page.keyboard.press('Escape');

  const dialog = await ask(app);
  await expect(dialog).toContainText('it is the default model of Local');
  await expect(dialog).toContainText('128,000 tokens of context · $3.00 in, $15.00 out per million tokens');
  await dialog.getByRole('radiogroup', { name: 'Show request as' }).getByText('JSON').click();
  await dialog.getByRole('textbox', { name: 'Request' }).click();
  await app.page.keyboard.press('ControlOrMeta+A');
  await app.page.keyboard.insertText(
    '{"messages":[{"role":"user","content":{"type":"text","text":"Edited by hand"}}],"maxTokens":7}',
  );
  await expect(dialog).toContainText('edited, for the model only');
  await dialog.getByRole('button', { name: 'Send to model' }).click();
  await expect(dialog.getByLabel('Text', { exact: true })).toHaveValue('Hello, wörld');
  await expect(dialog.getByRole('region', { name: 'Model answer' })).toContainText('11 tokens in · 7 tokens out');
  const seen = await (await fetch(new URL('/seen', provider.url))).text();
  expect(seen).toContain('Edited by hand');

  // The answer is the user's until it is sent.
  await dialog.getByLabel('Text', { exact: true }).fill('Paris, says the user');
  await dialog.getByLabel('Stop reason').fill('maxTokens');
  // Escape would close the list of reasons.
  await app.page.keyboard.press('Tab');
  await app.page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await app.page.keyboard.press('Control+i');
  await expect(dialog.getByLabel('Text', { exact: true })).toHaveValue('Paris, says the user');
  await dialog.getByRole('button', { name: 'Send answer' }).click();
  await expect(app.result).toContainText('Paris, says the user');
});

test('a model is stopped, and its text is kept; another one fails with the reason', async ({ app, models }) => {
  const provider = await models('any');
  await app.connectDemo();
  await addProvider(app, provider.url, 'slow');
  await app.page.keyboard.press('Escape');
  const dialog = await ask(app);
  await dialog.getByRole('button', { name: 'Send to model' }).click();
  const answer = dialog.getByRole('region', { name: 'Model answer' });
  await expect(answer).toContainText('Hel');
  await dialog.getByRole('button', { name: 'Stop' }).click();
  await expect(answer).toContainText('slow was stopped');
  await expect(dialog.getByLabel('Text', { exact: true })).toHaveValue('Hel');
  for (const [model, words] of [
    ['529', 'The provider is overloaded (status 529)'],
    ['html', 'not JSON'],
    ['empty', 'The model answered nothing'],
  ] as const) {
    await dialog.getByLabel('Model', { exact: true }).first().fill(model);
    await app.page.keyboard.press('Tab');
    await dialog.getByRole('button', { name: 'Regenerate' }).click();
    await expect(answer.getByRole('alert')).toContainText(words);
  }
  // The text of the model that was stopped is not lost without asking.
  await dialog.getByRole('button', { name: 'Reject', exact: true }).click();
  await dialog.getByRole('button', { name: 'Discard and reject' }).click();
  await expect(app.resultStatus).not.toHaveText('Running');
});

test('a rule sends requests to the model and leaves the answer to the user', async ({ app, models }) => {
  const provider = await models('any');
  await app.connectDemo();
  await addProvider(app, provider.url, 'talk');
  await app.page.keyboard.press('Escape');
  const dialog = await ask(app);
  await dialog.getByText(/^Rules for future requests/).click();
  await dialog.getByRole('combobox', { name: 'Requests' }).selectOption('Send while this connection lasts');
  await dialog.getByRole('button', { name: 'Save rules' }).click();
  await expect(dialog.getByText('Saved')).toBeVisible();
  await dialog.getByLabel('Text', { exact: true }).fill('By hand');
  await dialog.getByRole('button', { name: 'Send answer' }).click();
  await expect(app.result).toContainText('By hand');

  await app.callTool();
  await expect(dialog).toContainText('talk-2026 answered. The rule leaves the answer to you.');
  await expect(dialog.getByLabel('Text', { exact: true })).toHaveValue('Hello, wörld');
  await dialog.getByRole('button', { name: 'Send answer' }).click();
  await expect(app.result).toContainText('Hello, wörld');
});

test('rules that answer by themselves can be changed while nothing is pending', async ({ app }) => {
  const { page } = app;
  await app.connectDemo();
  const open = async () => {
    await app.serverMenu('Demo server', 'Sampling rules…');
    return page.getByRole('dialog', { name: 'Sampling rules for Demo server' });
  };
  const dialog = await open();
  await dialog.getByLabel('Requests', { exact: true }).selectOption('Always reject');
  await dialog.getByRole('button', { name: 'Save rules' }).click();
  await expect(dialog.getByRole('status')).toHaveText('Saved');
  await page.keyboard.press('Escape');
  await app.selectTool('ask_model');
  await app.callTool();
  await expect(app.resultStatus).not.toHaveText('Running');
  // Who refused it is in the inbox's history.
  await page.getByRole('button', { name: 'Show answered requests' }).click();
  await expect(page.getByRole('list', { name: 'Answered requests' })).toContainText('by rule: the sampling rules of the server');
  await open();
  await expect(dialog.getByLabel('Requests', { exact: true })).toHaveValue('never');
  await dialog.getByLabel('Requests', { exact: true }).selectOption('Ask me');
  await dialog.getByRole('button', { name: 'Save rules' }).click();
  await expect(dialog.getByRole('status')).toHaveText('Saved');
});
