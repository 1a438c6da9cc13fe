import { expect, test } from '../httpServer.ts';
import { addModel, begin, send } from './steps.ts';

test('an attached resource is marked when it changes, and what is sent is read again', async ({ app, models }) => {
  const provider = await models('any');
  const { page } = app;
  await app.connectDemo();
  await addModel(app, provider.url, 'script');
  await begin(app);
  await page.getByRole('button', { name: 'Attach a resource' }).click();
  await page.getByRole('textbox', { name: 'Search resources' }).fill('demo://counter');
  await page.getByRole('list', { name: 'Resources' }).getByRole('button', { name: /demo:\/\/counter/ }).click();
  const attached = page.getByRole('list', { name: 'Attached to the next message' });
  const keep = attached.getByRole('button', { name: /^Keep current/ });
  await keep.click();
  await expect(attached.getByRole('status')).toHaveText('Subscribed');
  await expect(keep).toHaveAttribute('aria-pressed', 'true');

  // The counter changes elsewhere.
  const mode = page.getByRole('radiogroup', { name: 'Mode' });
  await mode.getByRole('radio', { name: 'Explore' }).click();
  await app.selectTool('touch_counter');
  await app.callTool();
  await expect(app.resultStatus).toHaveText('Result');
  await mode.getByRole('radio', { name: 'Chat' }).click();
  await expect(attached.getByRole('status')).toHaveText('Changed');
  await attached.getByRole('button', { name: 'Update' }).click();
  await expect(app.record).toContainText('notifications/resources/updated');

  await send(page, 'What is it now?');
  await expect(page.getByRole('log', { name: 'Messages' })).toContainText('You said:');
  const seen = await (await fetch(new URL('/seen', provider.url))).text();
  expect(seen).toContain('<resource uri=\\"demo://counter\\">\\n1');
  await expect(attached).toBeHidden();

  // One whose server is gone says so, and can be sent as it was read.
  await page.getByRole('button', { name: 'Attach a resource' }).click();
  await page.getByRole('textbox', { name: 'Search resources' }).fill('demo://counter');
  await page.getByRole('list', { name: 'Resources' }).getByRole('button', { name: /demo:\/\/counter/ }).click();
  await keep.click();
  await expect(attached.getByRole('status')).toHaveText('Subscribed');
  await app.serverMenu('Demo server', 'Disconnect');
  await expect(attached.getByRole('status')).toContainText('Not subscribed');
});
