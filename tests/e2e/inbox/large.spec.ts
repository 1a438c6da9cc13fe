import { fileURLToPath } from 'node:url';
import type { Locator } from '@playwright/test';
import { expect, test } from '../httpServer.ts';
import { addProvider } from './providers.ts';
import { bestOf } from './longTasks.ts';
import type { Screen } from '../screen.ts';

// Requests of megabytes: the window stays responsive, and nothing of them is lost.

/** The longest task of the main thread, in ms of processor time. */
const LONGEST_MS = 100;

const SERVER = fileURLToPath(new URL('./asks.mjs', import.meta.url));

async function addAsks(app: Screen): Promise<Locator> {
  const asks = { command: process.execPath, args: [SERVER] };
  await app.addByPaste(JSON.stringify({ mcpServers: { asks } }));
  await app.selectTool('ask');
  return app.page.getByRole('dialog', { name: /asks requests/ });
}

/** Opens the request again: closed, it stays pending. */
async function reopen(app: Screen, dialog: Locator): Promise<void> {
  await dialog.getByRole('button', { name: 'Later', exact: true }).click();
  await expect(dialog).toBeHidden();
  await app.page.keyboard.press('Control+i');
}

test('a sampling request of 5 MB in small messages is read, paged and edited without blocking the window', async ({ app }) => {
  test.setTimeout(180_000);
  const { page } = app;
  const dialog = await addAsks(app);
  await app.writeArguments('{"method":"sampling/createMessage","messages":50000,"params":{"maxTokens":10}}');
  const last = dialog.getByText('Message 49999: say');
  const failures: string[] = [];
  const measure = async (what: string, first: () => Promise<void>, again = first): Promise<void> => {
    const { ms, limit } = await bestOf(page, LONGEST_MS, [first, again, again]);
    test.info().annotations.push({
      type: what,
      description: `${ms} ms (limit ${limit} ms)`,
    });
    if (ms > limit) failures.push(`${what}: a task of ${ms} ms (limit ${limit} ms)`);
  };
  await measure(
    'open',
    async () => {
      await app.callTool();
      await expect(last).toBeVisible({ timeout: 30_000 });
    },
    async () => {
      await reopen(app, dialog);
      await expect(last).toBeVisible({ timeout: 30_000 });
    },
  );
  await expect(dialog).toContainText('49,993 to 50,000 of 50,000');
  await measure('first messages', async () => {
    await dialog.getByRole('button', { name: 'Go to the first' }).click();
    await expect(dialog.getByText('Message 0: say')).toBeVisible();
    await dialog.getByRole('button', { name: 'Go to the last' }).click();
    await expect(last).toBeVisible();
  });
  await measure('earlier messages', async () => {
    await dialog.getByRole('button', { name: 'Show 30 earlier messages' }).click();
    await expect(dialog.getByText('Message 49965: say')).toBeVisible();
    await dialog.getByRole('button', { name: 'Show 30 earlier messages' }).click();
    await expect(dialog.getByText('Message 49935: say')).toBeVisible();
    await dialog.getByRole('button', { name: 'Go to the last' }).click();
    await expect(last).toBeVisible();
  });
  await measure('edit', async () => {
    await dialog.getByRole('button', { name: 'Edit assistant text' }).last().click();
    await dialog.getByRole('textbox', { name: 'Edit assistant text' }).fill('Message 49999: say nothing');
    await dialog.getByRole('button', { name: 'Apply' }).click();
    await expect(dialog).toContainText('edited, for the model only');
    await expect(dialog.getByText('Message 49999: say nothing')).toBeVisible();
  });
  // However many are asked for, few are drawn.
  expect(await dialog.locator('*').count()).toBeLessThan(2_000);
  await dialog.getByLabel('Text', { exact: true }).fill('Enough');
  await dialog.getByRole('button', { name: 'Send answer' }).click();
  await expect(app.result).toContainText('Enough');
  expect(failures).toEqual([]);
});

test('a form of 10,000 fields opens, is searched, says what is wrong where it is, and is sent', async ({ app }) => {
  test.setTimeout(180_000);
  const { page } = app;
  const dialog = await addAsks(app);
  await app.writeArguments('{"fields":10000,"params":{"message":"Fill in your password"}}');
  const failures: string[] = [];
  const measure = async (what: string, ...acts: (() => Promise<void>)[]): Promise<void> => {
    const { ms, limit } = await bestOf(page, 2 * LONGEST_MS, acts);
    test.info().annotations.push({
      type: what,
      description: `${ms} ms (limit ${limit} ms)`,
    });
    if (ms > limit) failures.push(`${what}: a task of ${ms} ms (limit ${limit} ms)`);
  };
  const first = dialog.locator('[data-field="/f0"]');
  const again = async () => {
    await reopen(app, dialog);
    await expect(first).toBeVisible();
  };
  await measure(
    'open',
    async () => {
      await app.callTool();
      await expect(first).toBeVisible({ timeout: 30_000 });
    },
    again,
    again,
  );
  await expect(dialog.getByRole('button', { name: 'Show more (10,000 fields in total)' })).toBeVisible();
  await expect(dialog).toContainText('mentions “password”');
  const find = dialog.getByRole('textbox', { name: /^Search fields/ });
  const look = async () => {
    await find.fill('field 5001');
    await expect(dialog.locator('[data-field]')).toHaveCount(1);
    await find.fill('');
    await expect(first).toBeVisible();
  };
  await measure('find', look, look, look);
  await find.fill('f7500');
  const number = dialog.locator('[data-field="/f7502"] input').first();
  await find.fill('f7502');
  const type = (text: string) => async () => {
    await number.fill(text);
    await expect(number).toHaveValue(text);
  };
  await measure('type', type('-7'), type('-8'), type('-9'));
  await find.fill('');
  // The required field is the last of all, and nowhere near those in view.
  await dialog.getByRole('button', { name: 'Send answer' }).click();
  await expect(dialog.locator('[data-field="/f9999"]')).toContainText('is required');
  await expect(dialog.locator('[data-field="/f7502"]')).toContainText(/less than|minimum/);
  await number.fill('7502');
  // Corrected, it stays where it is.
  await expect(dialog.locator('[data-field="/f7502"]')).toBeVisible();
  await expect(dialog.locator('[data-field="/f7502"] [data-errors]')).toHaveCount(0);
  await dialog.locator('[data-field="/f9999"] input').first().click();
  await page.getByRole('option', { name: 'green' }).click();
  await dialog.getByRole('button', { name: 'Send answer' }).click();
  await expect(app.result).toContainText('"f7502": 7502');
  await expect(app.result).toContainText('"f9999": "green"');
  expect(failures).toEqual([]);
});

test('a model that answers a megabyte, in pieces or at once, nothing, or garbage', async ({ app, models }) => {
  test.setTimeout(180_000);
  const { page } = app;
  const dialog = await addAsks(app);
  await addProvider(app, (await models('any')).url, 'megabyte');
  await page.keyboard.press('Escape');
  await app.writeArguments(
    '{"method":"sampling/createMessage","params":{"messages":[{"role":"user","content":{"type":"text","text":"Write"}}],"maxTokens":9}}',
  );
  await app.callTool();
  await expect(dialog).toBeVisible();
  const answer = dialog.getByRole('region', { name: 'Model answer' });
  const failures: string[] = [];
  for (const model of ['megabyte', 'megabyte-whole']) {
    await dialog.getByLabel('Model', { exact: true }).first().fill(model);
    await page.keyboard.press('Tab');
    const generate = async (): Promise<void> => {
      await dialog.getByRole('button', { name: /^(Send to model|Regenerate)$/ }).click();
      await expect(answer).toContainText(`${model} answered. Check the answer below, then send it.`);
      await expect(dialog.getByText('Text of 1.0 MB: edit it as JSON')).toBeVisible();
    };
    const { ms, limit } = await bestOf(page, LONGEST_MS, [generate, generate, generate]);
    test.info().annotations.push({ type: model, description: `${ms} ms (limit ${limit} ms)` });
    if (ms > limit) failures.push(`${model}: a task of ${ms} ms (limit ${limit} ms)`);
  }
  for (const [model, words] of [
    ['empty-whole', 'The model answered nothing'],
    ['garbage', 'not UTF-8 text'],
    ['garbage-whole', 'not JSON'],
  ] as const) {
    await dialog.getByLabel('Model', { exact: true }).first().fill(model);
    await page.keyboard.press('Tab');
    await dialog.getByRole('button', { name: 'Regenerate' }).click();
    await expect(answer).toContainText(`${model} did not answer.`);
    await expect(answer.getByRole('alert')).toContainText(words);
  }
  // The last answer stays until another one replaces it, and is sent whole.
  await dialog.getByRole('button', { name: 'Send answer' }).click();
  await expect(dialog).toBeHidden();
  await app.filterTraffic('method:sampling/createMessage kind:response');
  await expect(app.trafficRows.first()).toContainText('1.0 MB');
  expect(failures).toEqual([]);
});
