import { join } from 'node:path';
import { peer } from '../commands.ts';
import { expect, test } from '../httpServer.ts';
import type { Screen } from '../screen.ts';

// Servers that nobody here wrote.

const PYTHON = join(process.env.PATCHBAY_PEERS_PYTHON ?? '.', 'python');

async function addEverything(app: Screen): Promise<void> {
  const command = peer('mcp-server-everything');
  if (command === undefined) throw new Error('mcp-server-everything is missing; `cargo xtask peers` installs it');
  const everything = { command, args: [], roots: { type: 'folders', paths: ['/tmp'], names: { '/tmp': 'Scratch' } } };
  await app.addByPaste(JSON.stringify({ mcpServers: { everything } }));
  await expect(app.server('everything', 'Ready')).toBeVisible();
}

test('everything over stdio: a form with every type, and what it answers', async ({ app }) => {
  await addEverything(app);
  await app.selectTool('trigger-elicitation-request');
  await app.callTool();
  const dialog = app.page.getByRole('dialog', { name: /everything requests your input/ });
  // The call that waits is named, although the wire does not say which one it is.
  await expect(dialog).toContainText('tools/call trigger-elicitation-request');
  await expect(dialog).toContainText('the only request under way');
  await expect(app.result).toContainText('everything requests your input');
  // Its defaults, and the titles of its choices.
  const value = (name: string) => dialog.getByRole('combobox', { name });
  await expect(value('untitledSingleSelectEnum')).toHaveValue('Monica');
  await expect(value('titledSingleSelectEnum')).toHaveValue('Superman');
  await expect(dialog.getByRole('textbox', { name: 'firstLine' })).toHaveValue('It was a dark and stormy night.');
  await expect(dialog.getByText('looks like a secret')).toHaveCount(0);
  // Formats are checked, and what is wrong is sent only on purpose.
  await dialog.getByRole('textbox', { name: 'email' }).fill('no address');
  await dialog.getByRole('button', { name: 'Send answer' }).click();
  await expect(dialog).toContainText('content.email');
  await expect(dialog.getByRole('button', { name: 'Send anyway' })).toBeVisible();
  await dialog.getByRole('textbox', { name: 'email' }).fill('ada@example.org');
  await dialog.getByRole('textbox', { name: 'name', exact: true }).fill('Ada');
  await dialog.getByRole('button', { name: 'Send answer' }).click();
  await expect(app.resultStatus).toHaveText('Result');
  await expect(app.result).toContainText('ada@example.org');
  // What was answered is offered again.
  await app.callTool();
  await dialog.getByRole('textbox', { name: 'email' }).fill('');
  await dialog.getByRole('button', { name: 'Earlier answers' }).click();
  await app.page.getByRole('menuitem', { name: /ada@example.org/ }).click();
  await expect(dialog.getByRole('textbox', { name: 'email' })).toHaveValue('ada@example.org');
  await dialog.getByRole('button', { name: 'Decline' }).click();
  await dialog.getByRole('button', { name: 'Discard and decline' }).click();
  await expect(app.result).toContainText('decline');
});

test('everything over stdio: sampling, a page, roots', async ({ app }) => {
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

  // Roots are answered at once, with their names.
  await app.selectTool('get-roots-list');
  await app.callTool();
  await expect(app.result).toContainText('file:///tmp');
  await expect(app.result).toContainText('Scratch');
  const inbox = app.page.getByRole('region', { name: 'Inbox' });
  await inbox.getByRole('button', { name: 'Show answered requests' }).click();
  const history = inbox.getByRole('list', { name: 'Answered requests' });
  await expect(history).toContainText('Answered by rule: these roots (server settings)');
  await expect(history).toContainText('Answered by you');
});

test('the Python server: rounds of a call with every kind of input, defaults, enums', async ({ app, listening }) => {
  const port = await listening(PYTHON, (at) => ({
    args: ['-m', 'mcp_everything_server', '--port', at],
    env: { PYTHONPATH: join(process.env.PATCHBAY_PEERS_EXAMPLES ?? '.', 'servers', 'everything-server') },
  }));
  await app.addByUrl('python', `http://127.0.0.1:${port}/mcp`);
  await expect(app.server('python', 'Ready')).toBeVisible();
  const dialog = app.page.getByRole('dialog', { name: /python requests/ });
  for (const [tool, answers] of [
    ['test_input_required_result_elicitation', 1],
    ['test_input_required_result_sampling', 1],
    ['test_elicitation_sep1034_defaults', 1],
    ['test_elicitation_sep1330_enums', 1],
  ] as const) {
    await app.selectTool(tool);
    await app.callTool();
    for (let round = 0; round < answers; round += 1) {
      await expect(dialog).toContainText(`tools/call ${tool}`);
      const text = dialog.getByLabel('Text', { exact: true });
      if (await text.isVisible()) await text.fill('Paris');
      await dialog.getByRole('button', { name: 'Send answer' }).click();
      const anyway = dialog.getByRole('button', { name: 'Send anyway' });
      await expect(anyway.or(app.resultStatus.filter({ hasNotText: 'Running' }))).toBeVisible();
      if (await anyway.isVisible()) await anyway.click();
    }
    await expect(app.resultStatus).not.toHaveText('Running');
    await expect(dialog).toBeHidden();
  }
});
