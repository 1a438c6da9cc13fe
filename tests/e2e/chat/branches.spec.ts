import { violations } from '../accessibility/violations.ts';
import { expect, test } from '../httpServer.ts';
import { addModel, begin, send } from './steps.ts';

test('a message is edited by the keyboard, and both versions stay', async ({ app, models }) => {
  const provider = await models('any');
  const { page } = app;
  await app.connectDemo();
  await addModel(app, provider.url, 'script');
  await begin(app);
  const log = page.getByRole('log', { name: 'Messages' });
  await send(page, 'one');
  await expect(log).toContainText('You said: one');
  const message = page.getByRole('textbox', { name: 'Message' });
  await expect(message).toBeFocused();
  // The key edits only once the turn is over and the draft is gone.
  await expect(message).toHaveValue('');
  await expect(page.getByRole('button', { name: 'Send', exact: true })).toBeVisible();

  // Esc leaves it as it was, and the focus is where it came from.
  await page.keyboard.press('ArrowUp');
  const edited = page.getByRole('textbox', { name: 'Edited message' });
  await expect(edited).toBeFocused();
  await expect(edited).toHaveValue('one');
  await page.keyboard.press('Escape');
  await expect(edited).toBeHidden();
  await expect(message).toBeFocused();

  await page.keyboard.press('ArrowUp');
  await edited.fill('two');
  await page.keyboard.press('Control+Enter');
  await expect(log).toContainText('You said: two');
  await expect(log).not.toContainText('You said: one');
  const versions = log.getByRole('group', { name: 'Versions' });
  await expect(versions).toContainText('2 of 2');
  expect(await violations(page)).toEqual([]);
  await versions.getByRole('button', { name: 'Previous version' }).click();
  await expect(log).toContainText('You said: one');
  await expect(log).not.toContainText('You said: two');
  await expect(versions).toContainText('1 of 2');
  await page.reload();
  await expect(log).toContainText('You said: one');
  await versions.getByRole('button', { name: 'Next version' }).click();
  await expect(log).toContainText('You said: two');

  // The same answer again: its own versions.
  await log.getByRole('button', { name: 'Regenerate' }).click();
  await expect(versions).toHaveCount(2);
  await expect(versions.last()).toContainText('2 of 2');
});

test('a failed step is retried after another model was chosen, and nothing is changed while a turn runs', async ({
  app,
  models,
}) => {
  const provider = await models('any');
  const { page } = app;
  await app.connectDemo();
  await addModel(app, provider.url, '529');
  await begin(app);
  const log = page.getByRole('log', { name: 'Messages' });
  const failure = log.getByRole('note').filter({ hasText: 'overloaded' });
  await send(page, 'call greet {"name":"x"}');
  await expect(failure).toBeVisible();
  await page.getByRole('combobox', { name: 'Model', exact: true }).fill('script');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Retry' }).click();
  await expect(page.getByRole('region', { name: 'Call to greet: Waiting for you' })).toBeVisible();
  await expect(failure).toBeHidden();
  // The failed attempt is the other version; while the call waits, it stays the other.
  const versions = log.getByRole('group', { name: 'Versions' });
  await expect(versions).toContainText('2 of 2');
  await expect(versions.getByRole('button', { name: 'Previous version' })).toBeDisabled();
  await expect(log.getByRole('button', { name: 'Edit and send again: stop the turn first' })).toBeDisabled();
  await page.getByRole('button', { name: 'Run once' }).click();
  await expect(log).toContainText('The tools say:');
  await versions.getByRole('button', { name: 'Previous version' }).click();
  await expect(failure).toBeVisible();
});
