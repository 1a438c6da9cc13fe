import { peer } from '../../commands.ts';
import { expect, test } from '../../httpServer.ts';
import type { Screen } from '../../screen.ts';
import { answerWith, callWith, choose, field, history, requestDialog, send, write } from '../dialog.ts';

// A server that nobody here wrote.

async function addEverything(app: Screen): Promise<void> {
  const command = peer('mcp-server-everything');
  if (command === undefined) throw new Error('mcp-server-everything is missing; `cargo xtask peers` installs it');
  const everything = { command, args: [] };
  await app.addByPaste(JSON.stringify({ mcpServers: { everything } }));
  await expect(app.server('everything', 'Ready')).toBeVisible();
}

test('everything over stdio: sampling, a page', async ({ app }) => {
  await addEverything(app);
  await app.selectTool('trigger-sampling-request');
  await app.writeArguments('{"prompt": "What is the capital of France?"}');
  await app.callTool();
  const dialog = app.page.getByRole('dialog', { name: /everything requests/ });
  await expect(dialog).toContainText('What is the capital of France?');
  await expect(dialog).toContainText('Deprecated in 2026-07-28');
  await dialog.getByRole('button', { name: 'Canned answers' }).click();
  await app.page.getByRole('menuitem', { name: 'Refusal' }).click();
  await dialog.getByRole('button', { name: 'Send answer' }).click();
  await expect(app.result).toContainText('I cannot help with that.');

  await app.selectTool('trigger-url-elicitation');
  await app.writeArguments('{"url": "https://xn--pypal-4ve.example/login?x=1"}');
  await app.callTool();
  await expect(dialog).toContainText('https://xn--pypal-4ve.example/login?x=1');
  await expect(dialog).toContainText('= p\u0430ypal.example');
  await expect(dialog).toContainText('(Cyrillic)');
  await dialog.getByRole('button', { name: 'Open in browser' }).click();
  await expect(dialog).toContainText('When you have finished there');
  await dialog.getByRole('button', { name: 'Done' }).click();
  await expect(app.resultStatus).toHaveText('Result');

  await expect(await history(app)).toContainText('Answered by you');
});

test('everything over stdio: a form with defaults and choices of every kind is corrected, sent, declined, cancelled', async ({ app }) => {
  await addEverything(app);
  const dialog = requestDialog(app);
  await callWith(app, 'trigger-elicitation-request');
  await expect(dialog).toContainText('Please provide inputs for the following fields:');
  // The defaults are filled in, choices by their titles.
  const defaults = {
    firstLine: 'It was a dark and stormy night.',
    integer: '42',
    number: '3.14',
    untitledSingleSelectEnum: 'Monica',
    titledSingleSelectEnum: 'Superman',
    legacyTitledEnum: 'Cats',
  };
  for (const [name, value] of Object.entries(defaults)) {
    await expect(field(dialog, name).locator('input, textarea').first()).toHaveValue(value);
  }
  await expect(field(dialog, 'untitledMultipleSelectEnum')).toContainText('Guitar');
  await expect(field(dialog, 'titledMultipleSelectEnum')).toContainText('Tuna');

  // What is wrong is said where it is, once, and nothing is sent.
  await write(dialog, 'email', 'nobody');
  await write(dialog, 'integer', '101');
  await dialog.getByRole('button', { name: 'Send answer' }).click();
  await expect(field(dialog, 'name')).toContainText('is required');
  await expect(dialog.getByText('is required')).toHaveCount(1);
  await expect(field(dialog, 'email')).toHaveAttribute('data-invalid');
  await expect(field(dialog, 'integer')).toHaveAttribute('data-invalid');
  await dialog.getByRole('list', { name: '3 fields to correct' }).getByRole('button', { name: 'name' }).click();
  await expect(field(dialog, 'name').locator('textarea')).toBeFocused();
  await write(dialog, 'name', 'Ada');
  await write(dialog, 'email', 'ada@example.org');
  await write(dialog, 'integer', '7');
  await write(dialog, 'birthdate', '1815-12-10');
  await field(dialog, 'check').getByText('true', { exact: true }).click();
  await choose(dialog, 'titledSingleSelectEnum', 'Wonder Woman');
  await choose(dialog, 'legacyTitledEnum', 'Reptiles');
  await choose(dialog, 'titledMultipleSelectEnum', 'Trout');
  await send(dialog);
  await expect(app.resultStatus).toHaveText('Result');
  const sent = {
    name: 'Ada', check: true, integer: 7, titledSingleSelectEnum: 'hero-3', legacyTitledEnum: 'pet-5',
    titledMultipleSelectEnum: ['fish-1', 'fish-3'], untitledSingleSelectEnum: 'Monica',
  };
  for (const [name, value] of Object.entries(sent)) {
    const written = JSON.stringify(value).replaceAll(',', ', ').replace('[', '[ ').replace(']', ' ]');
    await expect(app.result).toContainText(`"${name}": ${written}`);
  }

  // The answer is offered again, and decline and cancel are two different things.
  await app.callTool();
  await expect(dialog.getByRole('button', { name: /Earlier answers/ })).toBeVisible();
  await answerWith(dialog, 'Decline');
  await expect(app.result).toContainText('"action": "decline"');
  await app.callTool();
  await answerWith(dialog, 'Cancel');
  await expect(app.result).toContainText('"action": "cancel"');
  const past = (await history(app)).getByRole('listitem');
  for (const [at, words] of ['Cancelled by you', 'Declined by you', 'Answered by you'].entries()) {
    await expect(past.nth(at)).toContainText(words);
  }
});

test('everything over stdio: pages that a call requires first are visited, and the call is sent again', async ({ app }) => {
  await addEverything(app);
  await callWith(app, 'trigger-url-elicitation', { url: 'https://example.com/form', errorPath: true });
  const pages = app.result.getByRole('region', { name: 'Pages to visit' });
  await expect(pages).toContainText('https://modelcontextprotocol.io');
  await pages.getByRole('button', { name: 'Send again' }).click();
  const dialog = requestDialog(app);
  await expect(dialog).toContainText('https://example.com/form');
  await dialog.getByRole('button', { name: 'Decline', exact: true }).click();
  await expect(app.result).toContainText('User declined to open the URL');
});

test('everything over stdio: sampling and elicitation as tasks of ours', async ({ app }) => {
  await addEverything(app);
  const dialog = requestDialog(app);
  await callWith(app, 'trigger-sampling-request-async', { prompt: 'How high is the tide?' });
  await expect(dialog).toContainText('How high is the tide?');
  await dialog.getByLabel('Text', { exact: true }).fill('Two metres');
  await send(dialog);
  await expect(app.resultStatus).toHaveText('Result');
  await expect(app.result).toContainText('Two metres');
  await callWith(app, 'trigger-elicitation-request-async');
  await expect(dialog).toContainText('elicitation/create');
  await dialog.getByRole('button', { name: 'Decline', exact: true }).click();
  await expect(app.resultStatus).toHaveText('Result');
  await expect(app.result).toContainText(/declin/i);
  await app.filterTraffic('method:tasks/result kind:request');
  await expect(app.trafficRows).toHaveCount(2);
});
