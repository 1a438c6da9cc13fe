import { expect, test } from '../httpServer.ts';
import { addModel, begin, send } from './steps.ts';

/** A right-to-left override, a zero-width space and a tag character. */
const HIDDEN = 'pay\u202Eload\u200Band\u{E0041}';

test('hidden characters are marked in messages, answers, arguments, results and names', async ({ app, models }) => {
  const provider = await models('any');
  const { page } = app;
  await app.connectDemo();
  await addModel(app, provider.url, 'script');
  await begin(app);
  const log = page.getByRole('log', { name: 'Messages' });
  const marks = ['U+202E', 'U+200B', 'U+E0041'];

  await send(page, `Read ${HIDDEN}.`);
  const message = log.getByRole('article', { name: 'User message' });
  // The first: for a moment what has arrived stands below the answer that it became.
  const answer = log.getByRole('article', { name: /^Answer from script/ }).first();
  await expect(answer).toContainText('You said');
  for (const place of [message, answer]) {
    for (const mark of marks) await expect(place.locator(`mark[data-hidden="${mark}"]`)).toHaveCount(1);
  }

  // Before it runs, in what is sent; and after it, in what came back.
  await send(page, `call greet {"name":"${HIDDEN}"}`);
  const call = log.getByRole('region', { name: /^Call to greet/ });
  const sent = call.getByLabel('Arguments').first();
  for (const mark of marks) await expect(sent.locator(`[data-hidden="${mark}"], [aria-label*="${mark}"]`)).toHaveCount(1);
  await call.getByRole('button', { name: 'Run once' }).click();
  // In the line about its result, and in all of it.
  const done = log.getByRole('region', { name: 'Call to greet: Done' });
  for (const mark of marks) await expect(done.locator(`mark[data-hidden="${mark}"]`)).toHaveCount(1);
  await done.getByRole('button', { name: /^Done greet/ }).click();
  // In the arguments, and in the content of the result.
  for (const mark of marks) await expect(done.locator(`[data-hidden="${mark}"]`)).toHaveCount(2);

  // In the list of conversations, where it names one.
  const list = page.getByRole('navigation', { name: 'Conversations' });
  await expect(list.locator('mark[data-hidden="U+202E"]')).toHaveCount(1);
});
