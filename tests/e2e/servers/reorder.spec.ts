import { expect, test } from '../patchbay.ts';

const servers = ['one', 'two', 'three'].map((name) => [name, { command: 'sh', args: ['-c', 'sleep 1'] }]);

test('a server is dragged to its place, by keyboard too, and the order is kept over a restart', async ({ app, page, patchbay }) => {
  await page.getByRole('button', { name: 'Add server' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'Add a server' });
  await dialog.getByLabel('Paste anything').fill(JSON.stringify({ mcpServers: Object.fromEntries(servers) }));
  await dialog.getByRole('button', { name: 'Add 3', exact: true }).click();
  await expect(dialog).toBeHidden();
  const names = () => app.rail.getByRole('treeitem').evaluateAll((rows) => rows.map((row) => row.getAttribute('aria-label')?.split(':')[0]));
  await expect.poll(names).toEqual(['one', 'two', 'three']);

  const from = await app.server('one').boundingBox();
  const to = await app.server('three').boundingBox();
  if (from === null || to === null) throw new Error('a row has no place');
  await page.mouse.move(from.x + 40, from.y + from.height / 2);
  await page.mouse.down();
  await page.mouse.move(from.x + 42, from.y + from.height, { steps: 3 });
  await page.mouse.move(to.x + 40, to.y + to.height / 2, { steps: 5 });
  await expect(app.server('three')).toHaveAttribute('data-drop', 'after');
  await page.mouse.up();
  await expect.poll(names).toEqual(['two', 'three', 'one']);

  // Let go outside of the list, and with Escape before.
  await page.mouse.move(from.x + 40, from.y + from.height / 2);
  await page.mouse.down();
  await page.mouse.move(800, 500, { steps: 5 });
  await expect(app.rail).toHaveAttribute('data-dragging', 'true');
  await page.keyboard.press('Escape');
  await expect(app.rail).not.toHaveAttribute('data-dragging');
  await page.mouse.up();
  expect(await names()).toEqual(['two', 'three', 'one']);

  await app.server('one').click();
  await app.rail.focus();
  await page.keyboard.press('Alt+ArrowUp');
  await expect.poll(names).toEqual(['two', 'one', 'three']);
  await patchbay.restart();
  await page.goto(patchbay.address);
  await expect.poll(names).toEqual(['two', 'one', 'three']);
});
