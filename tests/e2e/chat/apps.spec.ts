import { fileURLToPath } from 'node:url';
import type { FrameLocator } from '@playwright/test';
import { expect, test } from '../httpServer.ts';
import type { Screen } from '../screen.ts';
import { addModel, begin, send } from './steps.ts';

const SERVER = fileURLToPath(new URL('../explore/hostileApps.mjs', import.meta.url));

/** Lets the model call a tool, and the user let it. */
async function call(app: Screen, tool: string): Promise<void> {
  await send(app.page, `call ${tool} {}`);
  await app.page.getByRole('button', { name: 'Run once' }).click();
  await expect(app.page.getByRole('region', { name: `Call to ${tool}: Done` })).toBeVisible();
  await expect(app.page.getByRole('log', { name: 'Messages' })).toContainText('The tools say:');
}

function frameOf(app: Screen, uri: string): FrameLocator {
  return app.page.frameLocator(`iframe[title="App ${uri}"]`);
}

test('the app of a tool is shown under its call until the conversation goes on, and later on demand', async ({ app, models }) => {
  const provider = await models('any');
  const { page } = app;
  await app.connectDemo();
  await addModel(app, provider.url, 'script');
  await begin(app);
  await call(app, 'show_counter');
  const done = page.getByRole('region', { name: 'Call to show_counter: Done' });
  const view = done.getByRole('region', { name: 'App', exact: true });
  const frame = frameOf(app, 'ui://demo/counter');
  const frames = page.locator('iframe');
  await expect(frame.locator('#count')).toHaveText('0');
  await expect(frame.locator('#input')).toHaveText('Each click adds 1.');
  await frame.getByRole('button', { name: 'Add' }).click();
  await expect(frame.locator('#count')).toHaveText('1');

  // It fills the window, although it is within the conversation.
  await frame.getByRole('button', { name: 'Fullscreen' }).click();
  await expect(frame.getByRole('button', { name: 'Back to inline' })).toBeVisible();
  await expect.poll(() => view.boundingBox()).toMatchObject({ x: 0, y: 0, ...page.viewportSize() });
  await view.getByRole('button', { name: 'Leave fullscreen' }).click();

  // What it says to a model is added to the draft of this conversation.
  await frame.getByRole('button', { name: 'Send a message' }).click();
  const question = page.getByRole('dialog', { name: 'Add this text to your conversation?' });
  const said = await question.locator('[tabindex="0"]').innerText();
  await question.getByRole('button', { name: 'Add to draft' }).click();
  const message = page.getByRole('textbox', { name: 'Message', exact: true });
  await expect(message).toHaveValue(said);

  // Closed and shown again, with the same result.
  await view.getByRole('button', { name: 'Close the app' }).click();
  await expect(frames).toHaveCount(0);
  await done.getByRole('button', { name: 'App', exact: true }).click();
  await expect(frame.locator('#input')).toHaveText('Each click adds 1.');

  await expect(page.getByRole('button', { name: 'Send', exact: true })).toBeEnabled();
  await message.focus();
  await page.keyboard.press('Control+Enter');
  await expect(message).toHaveValue('');
  await expect(frames).toHaveCount(0);

  // Opened again, nothing of it runs and nothing is read before it is wanted.
  await page.reload();
  await expect(done.getByRole('button', { name: 'App', exact: true })).toBeVisible();
  await expect(frames).toHaveCount(0);
  await done.getByRole('button', { name: 'App', exact: true }).click();
  await expect(frame.locator('#input')).toHaveText('Each click adds 1.');
});

test('an app in a conversation asks before it calls what may destroy something', async ({ app, models }) => {
  const provider = await models('any');
  const { page } = app;
  await app.addByPaste(`node ${SERVER} http://127.0.0.1:1`);
  await expect(app.toolRows.first()).toBeVisible();
  await addModel(app, provider.url, 'script');
  await begin(app);
  await call(app, 'caller');
  const dialog = page.getByRole('dialog', { name: 'Call destroy?' });
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  const message = page.getByRole('dialog', { name: 'Add this text to your conversation?' });
  await expect(message).toContainText('Buy now');
  await message.getByRole('button', { name: 'Cancel' }).click();
  const lines = frameOf(app, 'ui://caller').getByRole('listitem');
  await expect(lines.last()).toHaveText('done');
  expect(await lines.allInnerTexts()).toContain('destroy: The user did not allow the call to destroy.');
  await expect(page.getByRole('textbox', { name: 'Message', exact: true })).toHaveValue('');
});
