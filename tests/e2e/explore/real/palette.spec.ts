import { expect, test } from '../../httpServer.ts';
import { addEverything, addStory, openTab } from './servers.ts';

test('the palette finds what real servers have, of every kind, with the keyboard alone', async ({ app }) => {
  const { page } = app;
  await addEverything(app);
  await openTab(app, 'Prompts');
  await openTab(app, 'Resources');
  await addStory(app, 'tools', 'modern');
  const find = async (text: string): Promise<void> => {
    await page.keyboard.press('ControlOrMeta+k');
    await page.getByLabel('Command palette').fill(text);
    await expect(page.getByRole('dialog').getByRole('option', { selected: true })).toBeVisible();
  };
  const selected = page.getByRole('dialog').getByRole('option', { selected: true });

  // A tool of the server that is not shown, by parts of its name; the form has the focus.
  await find('getsum');
  await expect(selected).toContainText('get-sum');
  await page.keyboard.press('Enter');
  await expect(app.server('everything')).toHaveAttribute('aria-selected', 'true');
  await expect(page.getByRole('heading', { name: 'get-sum', exact: true })).toBeVisible();
  const first = app.arguments.getByLabel(/^a\b/).first();
  await expect(first).toBeFocused();
  await page.keyboard.type('4');
  await page.keyboard.press('Tab');
  await expect(first).toHaveValue('4');

  for (const [text, heading] of [
    ['architecture.md', 'architecture.md'],
    ['dynamic text', 'Dynamic Text Resource'],
    ['completable', 'completable-prompt'],
    ['calc', 'calc'],
  ] as const) {
    await find(text);
    // Some are listed only when they are searched for; until then something else is selected.
    await expect(selected).toContainText(heading);
    await page.keyboard.press('Enter');
    await expect(page.getByRole('heading', { name: heading, exact: true })).toBeVisible();
  }

  // What was used last comes first.
  await page.keyboard.press('ControlOrMeta+k');
  await expect(page.getByRole('dialog').getByRole('option').first()).toContainText('calc');
  await page.keyboard.press('Escape');

  // Panels, servers and actions.
  await find('info');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('tab', { name: 'Info' })).toHaveAttribute('aria-selected', 'true');
  await find('everything');
  await page.keyboard.press('Enter');
  await expect(app.server('everything')).toHaveAttribute('aria-selected', 'true');
});
