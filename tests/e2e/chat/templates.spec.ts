import { violations } from '../accessibility/violations.ts';
import { expect, test } from '../httpServer.ts';
import { addModel, begin, send } from './steps.ts';

test('a resource of a template is attached: its variables are completed, and its URI is shown before it is read', async ({ app, models }) => {
  const provider = await models('any');
  const { page } = app;
  await app.connectDemo();
  await addModel(app, provider.url, 'script');
  await begin(app);
  await page.getByRole('button', { name: 'Attach a resource' }).click();
  const menu = page.getByRole('group', { name: 'Attach a resource' });
  await menu.getByRole('textbox', { name: 'Search resources' }).fill('city');
  await menu.getByRole('button', { name: /^A city/ }).click();
  const form = menu.getByRole('form', { name: 'Variables of city' });
  const country = form.getByRole('textbox', { name: 'country' });
  await expect(country).toBeFocused();
  await country.fill('Ja');
  await page.getByRole('option', { name: 'Japan' }).click();
  await expect(form.getByLabel('Expanded URI')).toContainText('Japan');
  await form.getByRole('textbox', { name: 'name', exact: true }).fill('K');
  await page.getByRole('option', { name: 'Kyoto' }).click();
  const expanded = form.getByLabel('Expanded URI');
  await expect(expanded).toHaveText(/Japan\/Kyoto$/);
  const uri = await expanded.innerText();
  await page.keyboard.press('Control+Enter');
  const attached = page.getByRole('list', { name: 'Attached to the next message' });
  await expect(attached).toContainText(uri);
  await expect(menu).toBeHidden();
  await send(page, 'Where is it?');
  await expect(page.getByRole('log', { name: 'Messages' })).toContainText('You said:');
  const seen = await (await fetch(new URL('/seen', provider.url))).text();
  expect(seen).toContain(`<resource uri=\\"${uri}\\">`);

  // The arguments of a prompt are completed too.
  await page.getByRole('textbox', { name: 'Message' }).fill('/none');
  await expect(page.getByText('No matching prompts.')).toBeVisible();
  expect(await violations(page)).toEqual([]);
  await page.getByRole('textbox', { name: 'Message' }).fill('/review');
  await page.getByRole('listbox', { name: 'Prompts' }).getByRole('option', { name: /\/review/ }).click();
  const prompt = page.getByRole('form', { name: 'Arguments for review' });
  await prompt.getByRole('textbox', { name: /^language/ }).fill('ru');
  await page.getByRole('option', { name: 'rust' }).click();
  await expect(prompt.getByRole('textbox', { name: /^language/ })).toHaveValue('rust');
});
