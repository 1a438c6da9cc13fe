import { join } from 'node:path';
import { type Locator } from '@playwright/test';
import { expect, test } from '../httpServer.ts';
import type { Screen } from '../screen.ts';

/** Opens the simulator of a server from its menu. */
async function openSimulator(app: Screen, server: string): Promise<Locator> {
  await app.serverMenu(server, 'Simulator…');
  const dialog = app.page.getByRole('dialog', { name: `Simulator for ${server}` });
  await expect(dialog.getByRole('form', { name: 'Simulator' })).toBeVisible();
  return dialog;
}

/** Sets how one kind of request is answered. */
async function simulate(app: Screen, server: string, kind: string, way: string, seconds = '0'): Promise<void> {
  const dialog = await openSimulator(app, server);
  await dialog.getByLabel(`Answer to ${kind}`, { exact: true }).selectOption(way);
  if (seconds !== '0') await dialog.getByLabel(`Seconds before the answer to ${kind}`).fill(seconds);
  await expect(dialog.getByRole('switch', { name: 'Simulate answers' })).toBeChecked();
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog).toBeHidden();
}

const DEMO = 'Demo server';

test('answers are simulated, shown everywhere, recorded, and switched off again', async ({ app }) => {
  await app.connectDemo();
  await simulate(app, DEMO, 'elicitation', 'Decline');
  const badge = app.rail.getByRole('button', { name: 'Simulated: elicitation', includeHidden: true });
  await expect(badge).toBeVisible();
  await app.selectTool('ask_form');
  await app.callTool();
  await expect(app.resultStatus).toHaveText('Result');
  await expect(app.result).toContainText('decline');
  await expect(app.page.getByRole('dialog')).toHaveCount(0);
  await app.page.getByRole('button', { name: 'Show answered requests' }).click();
  await expect(app.page.getByRole('list', { name: 'Answered requests' })).toContainText('by the simulator (decline)');
  await app.filterTraffic('"by rule: simulator, decline"');
  await expect(app.trafficRows).toHaveCount(1);

  // An invalid answer reaches the server as it is.
  await simulate(app, DEMO, 'elicitation', 'Invalid answer');
  await app.callTool();
  await expect(app.result).toContainText('not a number');

  // Off, with its settings kept.
  const dialog = await openSimulator(app, DEMO);
  await dialog.getByRole('switch', { name: 'Simulate answers' }).uncheck();
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(badge).toHaveCount(0);
  await app.callTool();
  const request = app.page.getByRole('dialog', { name: /requests your input/ });
  await expect(request).toBeVisible();
  await request.getByRole('button', { name: 'Simulator…' }).click();
  await expect(dialog.getByLabel('Answer to elicitation', { exact: true })).toHaveValue('invalid');
});

test('a request that is never answered waits in the inbox and is taken over', async ({ app }) => {
  await app.connectDemo();
  await simulate(app, DEMO, 'elicitation', 'Never answer (time out)');
  await app.selectTool('ask_form');
  await app.callTool();
  await expect(app.inboxCount).toHaveText('1');
  const card = app.page.getByRole('button', { name: /requests your input/ });
  await expect(card).toContainText('Simulator: never answers');
  const dialog = app.page.getByRole('dialog', { name: /requests your input/ });
  await expect(dialog).toHaveCount(0);
  await card.click();
  await expect(dialog).toContainText('Simulator: never answers');
  await dialog.getByRole('button', { name: 'Take over' }).click();
  await expect(dialog.getByRole('button', { name: 'Take over' })).toHaveCount(0);
  await app.writeAnswer('{"action": "accept", "content": {"name": "Ada"}}');
  await dialog.getByRole('button', { name: 'Send answer' }).click();
  await expect(app.result).toContainText('Ada');
  await app.page.getByRole('button', { name: 'Show answered requests' }).click();
  await expect(app.page.getByRole('list', { name: 'Answered requests' })).toContainText('by you');
});

test('a script is checked while it is typed, and answered in order', async ({ app }) => {
  await app.connectDemo();
  const dialog = await openSimulator(app, DEMO);
  await dialog.getByLabel('Answer to sampling', { exact: true }).selectOption('Answer script');
  const editor = dialog.getByRole('textbox', { name: 'Answer script for sampling' });
  const write = async (text: string): Promise<void> => {
    await editor.click();
    await app.page.keyboard.press('ControlOrMeta+A');
    await app.page.keyboard.insertText(text);
  };
  await expect(dialog.getByText('3 answers')).toBeVisible();
  await write('["maybe"]');
  await expect(dialog.getByText(/answer 1: “maybe” is not one of/)).toBeVisible();
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog.getByRole('alert')).toContainText('Sampling: The script is not valid');
  await write('[{"text": "The first one"}, "decline"]');
  await expect(dialog.getByText('2 answers')).toBeVisible();
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog).toBeHidden();
  await app.selectTool('ask_model');
  await app.callTool();
  await expect(app.result).toContainText('The first one');
  for (const cause of ['User rejected sampling request', 'has no more answers: all 2 were given']) {
    await app.callTool();
    await expect(app.result).toContainText(cause);
  }
  await openSimulator(app, DEMO);
  await expect(dialog.getByText('2 answers, 2 sent on this connection')).toBeVisible();
});

test('server-everything is answered slowly, with an error and with defaults', async ({ app }) => {
  await app.addByPaste(join(process.env.PATCHBAY_PEERS_NODE ?? '.', 'mcp-server-everything'));
  const name = 'everything';
  await expect(app.server(name, 'Ready')).toBeVisible();
  await simulate(app, name, 'sampling', 'Accept with defaults', '0.3');
  await app.selectTool('trigger-sampling-request');
  await app.writeArguments('{"prompt": "Hi"}');
  await app.callTool();
  await expect(app.result).toContainText('This is a simulated answer.');
  await simulate(app, name, 'sampling', 'Error code');
  await app.callTool();
  await expect(app.result).toContainText('Simulated error');
  await simulate(app, name, 'elicitation', 'Cancel');
  await app.selectTool('trigger-elicitation-request');
  await app.callTool();
  await expect(app.result).toContainText(/cancel/i);
  await expect(app.rail.getByRole('button', { name: 'Simulated: sampling, elicitation', includeHidden: true })).toBeVisible();
  await app.page.getByRole('button', { name: 'Show answered requests' }).click();
  const answered = app.page.getByRole('list', { name: 'Answered requests' });
  await expect(answered).toContainText('by the simulator (defaults, after 0.3 s)');
  await expect(answered).toContainText('by the simulator (error -32603, after 0.3 s)');
});
