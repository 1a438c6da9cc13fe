import { expect, test } from '../patchbay.ts';
import { violations } from './violations.ts';

test('rows under the pointer, menus, tips and lists of choices: no accessibility violation, light or dark', async ({ app }) => {
  const { page } = app;
  await app.connectDemo();
  const found: Record<string, string[]> = {};

  const actions = page.getByRole('button', { name: 'Actions for Demo server', exact: true });
  await app.server('Demo server').hover();
  await expect(actions).toBeVisible();
  found['a server under the pointer'] = await violations(page);

  await actions.click();
  await expect(page.getByRole('menu')).toBeVisible();
  found['the menu of a server'] = await violations(page);
  await page.keyboard.press('Escape');
  await expect(page.getByRole('menu')).toHaveCount(0);

  await page.getByRole('button', { name: 'Theme' }).hover();
  await expect(page.getByRole('tooltip')).toBeVisible();
  found['a tip'] = await violations(page);

  await app.openTab('Prompts');
  await page.getByRole('listbox', { name: 'Prompts' }).getByRole('option', { name: /greet/ }).first().click();
  await app.arguments.getByRole('textbox', { name: /^style/ }).fill('p');
  await expect(page.getByRole('option', { name: 'pirate' })).toBeVisible();
  found['values for an argument'] = await violations(page);

  await page.keyboard.press('Escape');
  await app.traffic.getByLabel('Filter records').fill('me');
  await expect(app.traffic.getByRole('list', { name: 'Terms of the filter' })).toContainText('method:');
  found['terms of the filter'] = await violations(page);

  expect(found).toEqual(Object.fromEntries(Object.keys(found).map((name) => [name, []])));
});
