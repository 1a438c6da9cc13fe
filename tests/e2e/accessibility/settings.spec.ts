import { expect, test } from '../patchbay.ts';

test('the sections of the settings lead to their place, follow what is scrolled, and are searched', async ({ app }) => {
  await app.page.setViewportSize({ width: 900, height: 600 });
  await expect(app.welcome).toBeVisible();
  await app.page.keyboard.press('ControlOrMeta+Comma');
  const dialog = app.page.getByRole('dialog', { name: 'Settings' });
  const sections = dialog.getByRole('navigation', { name: 'Sections' });
  const current = sections.locator('[aria-current=location]');
  await expect(current).toHaveText('Appearance');

  // By keys: from the search to the list, and to a section in the middle.
  await sections.getByRole('button', { name: 'Safety' }).focus();
  await app.page.keyboard.press('Enter');
  await expect(current).toHaveText('Safety');
  await expect(dialog.getByRole('heading', { name: 'Safety' })).toBeInViewport();
  await expect(dialog.getByRole('heading', { name: 'Appearance' })).not.toBeInViewport();

  // The last ones cannot reach the top of the page, and are the current one all the same.
  await sections.getByRole('button', { name: 'Other' }).click();
  await expect(current).toHaveText('Other');
  await expect(dialog.getByRole('heading', { name: 'Other' })).toBeInViewport();

  await dialog.getByRole('group', { name: 'Files' }).hover();
  await app.page.mouse.wheel(0, -10_000);
  await expect(current).toHaveText('Appearance');

  const search = dialog.getByRole('textbox', { name: 'Search settings' });
  await search.fill('vault');
  await expect(current).toHaveText('Secrets');
  await expect(sections.getByRole('listitem')).toHaveCount(await dialog.getByRole('heading', { level: 3 }).count());
  await search.fill('no such setting');
  await expect(dialog.getByText('No matching settings')).toBeVisible();
  await expect(current).toHaveCount(0);
});
