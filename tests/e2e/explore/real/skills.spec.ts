import { join } from 'node:path';
import { expect, test } from '../../httpServer.ts';
import type { Screen } from '../../screen.ts';
import { PYTHON, add, openTab } from './servers.ts';

// Skills that fastmcp serves from a folder: by the extension, or as resources that say nothing of skills.

const SERVER = join(import.meta.dirname, '..', '..', '..', 'peers', 'skills_server.py');

async function openSkill(app: Screen) {
  await openTab(app, 'Skills');
  const skills = app.page.getByRole('listbox', { name: 'Skills', exact: true }).getByRole('option');
  await expect(skills).toHaveCount(1);
  await skills.filter({ hasText: 'knots' }).click();
  await expect(app.page.getByRole('heading', { name: 'knots' })).toBeVisible();
  return app.page.getByRole('listbox', { name: 'Files', exact: true }).getByRole('option');
}

test('fastmcp by the extension: listed, read, and its files are as listed', async ({ app }) => {
  await add(app, 'skills', { command: PYTHON, args: [SERVER, '--extension'] });
  const files = await openSkill(app);
  await app.page.getByRole('button', { name: 'Read', exact: true }).click();
  await expect(app.result.getByRole('heading', { name: 'Knots' })).toBeVisible();
  await expect(app.result.getByRole('region', { name: 'Frontmatter' })).toContainText('CC0-1.0');
  await expect(app.page.getByText('as listed')).toBeVisible();
  await files.filter({ hasText: 'BOWLINE.md' }).click();
  await app.page.keyboard.press('Enter');
  await expect(app.result).toContainText('A loop that does not slip.');
  await expect(app.page.getByText('as listed')).toBeVisible();
});

for (const era of ['legacy', 'modern'] as const) {
  test(`fastmcp, ${era}: skills are found among the resources, with their files`, async ({ app }) => {
    await add(app, 'skills', { command: PYTHON, args: [SERVER], era });
    const files = await openSkill(app);
    await expect(files.filter({ hasText: 'SKILL.md' })).toBeVisible();
    await files.filter({ hasText: 'BOWLINE.md' }).click();
    await app.page.keyboard.press('Enter');
    await expect(app.result).toContainText('A loop that does not slip.');
    await expect(app.page.getByText('as listed')).toBeHidden();
  });
}
