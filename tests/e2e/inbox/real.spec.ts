import { peer } from '../commands.ts';
import { expect, test } from '../httpServer.ts';
import type { Screen } from '../screen.ts';

// A server that nobody here wrote.

async function addEverything(app: Screen): Promise<void> {
  const command = peer('mcp-server-everything');
  if (command === undefined) throw new Error('mcp-server-everything is missing; `cargo xtask peers` installs it');
  const everything = { command, args: [] };
  await app.addByPaste(JSON.stringify({ mcpServers: { everything } }));
  await expect(app.server('everything', 'Ready')).toBeVisible();
}

test('everything over stdio: sampling, a page', async ({ app }) => {
  await addEverything(app);
  await app.selectTool('trigger-sampling-request');
  await app.writeArguments('{"prompt": "What is the capital of France?"}');
  await app.callTool();
  const dialog = app.page.getByRole('dialog', { name: /everything requests/ });
  await expect(dialog).toContainText('What is the capital of France?');
  await expect(dialog).toContainText('Deprecated in 2026-07-28');
  await dialog.getByRole('button', { name: 'Canned answers' }).click();
  await app.page.getByRole('menuitem', { name: 'Refusal' }).click();
  await dialog.getByRole('button', { name: 'Send answer' }).click();
  await expect(app.result).toContainText('I cannot help with that.');

  await app.selectTool('trigger-url-elicitation');
  await app.writeArguments('{"url": "https://xn--pypal-4ve.example/login?x=1"}');
  await app.callTool();
  await expect(dialog).toContainText('https://xn--pypal-4ve.example/login?x=1');
  await expect(dialog).toContainText('= p\u0430ypal.example');
  await expect(dialog).toContainText('(Cyrillic)');
  await dialog.getByRole('button', { name: 'Open in browser' }).click();
  await expect(dialog).toContainText('When you are done there');
  await dialog.getByRole('button', { name: 'Done' }).click();
  await expect(app.resultStatus).toHaveText('Result');

  const inbox = app.page.getByRole('region', { name: 'Inbox' });
  await inbox.getByRole('button', { name: 'Show answered requests' }).click();
  const history = inbox.getByRole('list', { name: 'Answered requests' });
  await expect(history).toContainText('Answered by you');
});
