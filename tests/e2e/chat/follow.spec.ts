import type { Locator } from '@playwright/test';
import { expect, test } from '../httpServer.ts';
import { addModel, begin, send } from './steps.ts';

/** How far the end of the messages is below what is in view, in px. */
const below = (log: Locator): Promise<number> =>
  log.evaluate(({ scrollHeight, scrollTop, clientHeight }) => scrollHeight - scrollTop - clientHeight);

test('the end of a conversation stays in view in every size, until the user scrolls away from it', async ({ app, models }) => {
  const provider = await models('any');
  const { page } = app;
  await app.connectDemo();
  await addModel(app, provider.url, 'script');
  await begin(app);
  const log = page.getByRole('log', { name: 'Messages' });
  const long = Array.from({ length: 40 }, (_, at) => `line ${at}`).join('\n\n');
  await send(page, long);
  await expect(log).toContainText('You said: line 0');
  await expect.poll(() => below(log)).toBeLessThan(2);
  for (const size of [{ width: 900, height: 600 }, { width: 1600, height: 1000 }, { width: 1280, height: 800 }]) {
    await page.setViewportSize(size);
    await page.getByRole('button', { name: 'Model, tools and rules' }).click();
    await expect.poll(() => below(log)).toBeLessThan(2);
  }

  // The user reads what is above, while something comes at the end; a message of the user is at the end again.
  await log.hover();
  await page.mouse.wheel(0, -400);
  await expect.poll(() => below(log)).toBeGreaterThan(300);
  await page.setViewportSize({ width: 1300, height: 800 });
  await expect.poll(() => below(log)).toBeGreaterThan(300);
  await send(page, 'last');
  await expect(log).toContainText('You said: last');
  await expect.poll(() => below(log)).toBeLessThan(2);
});

test('a message and its buttons stay in view while something is attached', async ({ app }) => {
  const { page } = app;
  await app.connectDemo();
  await begin(app);
  const send = page.getByRole('button', { name: 'Send', exact: true });
  for (const size of [{ width: 1280, height: 800 }, { width: 900, height: 600 }]) {
    await page.setViewportSize(size);
    await page.getByRole('button', { name: 'Attach a resource' }).click();
    const list = page.getByRole('list', { name: 'Resources' });
    // The templates and the resources are listed apart, each at once.
    await expect(list.getByRole('button', { name: /Template/ }).first()).toBeAttached();
    await expect(list.getByRole('button', { name: /demo:\/\/readme/ })).toBeAttached();
    await expect(list.getByRole('listitem').first()).toBeInViewport();
    await expect(page.getByRole('textbox', { name: 'Message' })).toBeInViewport({ ratio: 1 });
    await expect(send).toBeInViewport({ ratio: 1 });
    // All of the list can be reached.
    await list.getByRole('listitem').last().scrollIntoViewIfNeeded();
    await expect(list.getByRole('listitem').last()).toBeInViewport();
    await page.keyboard.press('Escape');
    await expect(list).toBeHidden();
  }
});
