import { expect, test } from '../patchbay.ts';
import type { Screen } from '../screen.ts';

/** The demo server in the legacy era, which has `ping`. */
async function connectLegacyDemo(app: Screen): Promise<void> {
  const command = process.env.PATCHBAY_BIN ?? 'patchbay';
  await app.addByPaste(JSON.stringify({ mcpServers: { old: { command, args: ['demo-server'], era: 'legacy' } } }));
  await expect(app.server('old', 'Ready')).toBeVisible();
  await app.page.getByRole('tab', { name: 'Info' }).click();
}

test('Info shows what both sides sent: client, revision, extensions, cache hints', async ({ app }) => {
  await app.connectDemo();
  await app.page.getByRole('tab', { name: 'Info' }).click();
  const server = app.page.getByRole('region', { name: 'Server', exact: true });
  await expect(server).toContainText(/patchbay.*as sent to the server/i);
  await expect(server).toContainText('2026-07-28');
  await expect(server).toContainText('has no ping');
  const extensions = app.page.getByRole('region', { name: 'Extensions' });
  await expect(extensions.getByRole('row', { name: /io\.modelcontextprotocol\/tasks/ })).toContainText('no');
  await expect(app.page.getByRole('region', { name: 'Cache hints' })).toContainText('tools/list');
});

test('a ping is sent only when asked for, repeated only when switched on, and kept', async ({ app }) => {
  await connectLegacyDemo(app);
  const { page } = app;
  const sent = page.getByRole('listbox', { name: 'Traffic' }).getByRole('option').filter({ hasText: 'ping' }).filter({ hasText: 'request' });
  await app.filterTraffic('method:ping kind:request');
  await expect(app.trafficCount.first()).toHaveText('0 records');
  await page.getByRole('button', { name: 'Ping', exact: true }).click();
  await expect(page.getByText(/response in/)).toBeVisible();
  await expect(sent).toHaveCount(1);
  await page.getByRole('combobox', { name: 'Repeat the ping' }).selectOption('Every 1 s');
  // There may be more of them when it is looked at.
  await expect(sent.nth(2)).toBeVisible();
  await page.getByRole('combobox', { name: 'Repeat the ping' }).selectOption('Not repeated');
  const history = page.getByRole('img', { name: /Ping history: \d+ pings · min/ });
  await expect(history).toBeVisible();
  // Another tab and back: the history is kept, and nothing is sent.
  await page.getByRole('tab', { name: 'Tools' }).click();
  await page.getByRole('tab', { name: 'Info' }).click();
  await expect(history).toBeVisible();
  await expect(page.getByRole('combobox', { name: 'Repeat the ping' })).toHaveValue('');
});
