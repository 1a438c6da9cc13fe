import type { Locator } from '@playwright/test';
import { expect, test } from '../../httpServer.ts';
import type { Screen } from '../../screen.ts';
import { addEverything, addPython, addStory, openTab } from './servers.ts';

async function openPrompt(app: Screen, name: string): Promise<Locator> {
  await openTab(app, 'Prompts');
  await app.page.getByRole('listbox', { name: 'Prompts' }).getByRole('option').filter({ hasText: name }).first().click();
  return app.result.getByRole('list', { name: 'Messages' }).locator(':scope > [role=listitem]');
}

const argument = (app: Screen, name: string): Locator =>
  app.page.getByRole('region', { name: 'Arguments' }).getByRole('textbox', { name: new RegExp(`^${name}`) });
const get = (app: Screen): Promise<void> => app.page.getByRole('button', { name: 'Get prompt' }).click();

test('everything: a required and an optional argument', async ({ app }) => {
  await addEverything(app);
  const messages = await openPrompt(app, 'args-prompt');
  await get(app);
  await expect(app.page.getByLabel('1 problem')).toContainText('city is required');
  await argument(app, 'city').fill('Lyon');
  await get(app);
  await expect(messages).toContainText("What's weather in Lyon?");
  await argument(app, 'state').fill('Rhône');
  await get(app);
  await expect(messages).toContainText("What's weather in Lyon, Rhône?");
});

test('everything: a name is completed for the department that is given', async ({ app }) => {
  await addEverything(app);
  const messages = await openPrompt(app, 'completable-prompt');
  const options = app.page.getByRole('option');
  // Without a department the server knows no name.
  await app.filterTraffic('method:completion/complete kind:response');
  await expect(app.trafficRows).toHaveCount(0);
  await argument(app, 'name').click();
  await expect(app.trafficRows).toHaveCount(1);
  // The answer has arrived in the field too.
  await expect(app.page.getByLabel('Loading values')).toHaveCount(0);
  await expect(options.filter({ hasText: 'David' })).toHaveCount(0);
  await argument(app, 'department').fill('Sa');
  await app.page.getByRole('option', { name: 'Sales' }).click();
  await argument(app, 'name').click();
  for (const name of ['David', 'Eve', 'Frank']) await expect(app.page.getByRole('option', { name, exact: true })).toBeVisible();
  await argument(app, 'name').fill('E');
  await expect(app.page.getByRole('option', { name: 'David', exact: true })).toHaveCount(0);
  await app.page.getByRole('option', { name: 'Eve', exact: true }).click();
  await get(app);
  await expect(messages).toContainText('Please promote Eve to the head of the Sales team.');
  // The other argument went as context.
  await app.filterTraffic('method:completion/complete kind:request "\\"department\\":\\"Sales\\""');
  await expect(app.trafficRows.filter({ hasText: 'response' })).toHaveCount(0);
  await app.trafficRows.last().click();
  await expect(app.record).toContainText('"context"');
});

test('everything: an embedded resource in a message', async ({ app }) => {
  await addEverything(app);
  const messages = await openPrompt(app, 'resource-prompt');
  await argument(app, 'resourceType').fill('T');
  await app.page.getByRole('option', { name: 'Text', exact: true }).click();
  await argument(app, 'resourceId').fill('5');
  await app.page.keyboard.press('Escape');
  await get(app);
  await expect(messages).toHaveCount(2);
  await expect(messages.last()).toContainText('Resource 5: This is a plaintext resource');
});

for (const era of ['legacy', 'modern'] as const) {
  test(`python, ${era}: images and resources in messages`, async ({ app, listening }) => {
    await addPython(app, listening, era);
    const messages = await openPrompt(app, 'test_prompt_with_image');
    await get(app);
    await expect(messages).toHaveCount(2);
    await expect.poll(() => messages.locator('img').evaluate((node: HTMLImageElement) => node.naturalWidth)).toBe(1);
    await openPrompt(app, 'test_prompt_with_embedded_resource');
    await argument(app, 'resourceUri').fill('test://mine');
    await get(app);
    await expect(messages.first()).toContainText('Embedded resource content for testing.');
  });
}

test('prompts: values with a total, and a conversation of two roles that is taken to a chat', async ({ app }) => {
  await addStory(app, 'prompts', 'modern');
  const messages = await openPrompt(app, 'code_review');
  await argument(app, 'language').fill('py');
  for (const name of ['python', 'pytorch']) await expect(app.page.getByRole('option', { name, exact: true })).toBeVisible();
  await expect(app.page.getByRole('option', { name: 'rust' })).toHaveCount(0);
  await app.page.getByRole('option', { name: 'python', exact: true }).click();
  await argument(app, 'code').fill('print(1)\nprint(2)');
  await get(app);
  await expect(messages).toHaveCount(2);
  await expect(messages.getByRole('heading').last()).toHaveText('assistant');
  await app.result.getByRole('button', { name: 'Use in Chat' }).click();
  await expect(app.page.getByRole('textbox', { name: 'Message' })).toBeVisible();
  const attached = app.page.getByRole('list', { name: 'Attached to the next message' });
  await expect(attached).toContainText('code_review');
});
