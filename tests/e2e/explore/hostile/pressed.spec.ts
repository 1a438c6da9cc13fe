import { fileURLToPath } from 'node:url';
import { expect, test } from '../../patchbay.ts';
import { Screen } from '../../screen.ts';

const SERVER = fileURLToPath(new URL('../changingLists.mjs', import.meta.url));

test('a notice that comes between the press and the release of a button does not take the click', async ({ app, patchbay }) => {
  const { page } = app;
  await app.addByPaste(`node ${SERVER}`);
  await app.openTab('Resources');
  const layout = page.getByRole('radiogroup', { name: 'Show resources as' });
  const rows = page.getByRole('listbox', { name: 'Resources', exact: true }).getByRole('option');
  await layout.getByText('List', { exact: true }).click();
  await expect(rows.first()).toHaveAccessibleName(/item-0\b/);
  const notice = page.getByRole('button', { name: 'Show changes' });
  await expect(notice).toBeHidden();

  const other = new Screen(await page.context().newPage());
  await other.page.goto(patchbay.address);
  await other.openTab('Info');
  await page.bringToFront();
  await layout.getByText('Tree', { exact: true }).hover();
  await page.mouse.down();
  // The other page makes the server change its lists twice, without the focus. This page has both changes, and could have shown
  // its notice of the first long ago, as the other one did.
  const ping = other.page.getByRole('button', { name: 'Ping', exact: true });
  await ping.dispatchEvent('click');
  await expect(rows.first()).toHaveAccessibleName(/item-400\b/);
  await expect(other.page.getByRole('button', { name: 'Show changes' })).toBeVisible();
  await ping.dispatchEvent('click');
  await expect(rows.first()).toHaveAccessibleName(/item-401\b/);
  await expect(notice).toBeHidden();
  await page.mouse.up();

  await expect(layout.getByRole('radio', { name: 'Tree', exact: true })).toBeChecked();
  await expect(notice).toBeVisible();
});
