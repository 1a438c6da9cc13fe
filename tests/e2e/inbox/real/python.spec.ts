import { join } from 'node:path';
import { expect, test } from '../../httpServer.ts';
import type { Screen } from '../../screen.ts';
import { answerWith, callWith, choose, field, history, requestDialog, send, write } from '../dialog.ts';

// The conformance server of the Python SDK, in both eras: every shape in which it asks its host for something.

const PYTHON = join(process.env.PATCHBAY_PEERS_PYTHON ?? '.', 'python');
const EXAMPLES = process.env.PATCHBAY_PEERS_EXAMPLES ?? '.';

/** Starts it, and connects to it in an era. */
async function addPython(app: Screen, listening: Parameters<Parameters<typeof test>[2]>[0]['listening'], era: 'legacy' | 'modern') {
  const port = await listening(PYTHON, (at) => ({
    args: ['-m', 'mcp_everything_server', '--port', at],
    env: { PYTHONPATH: join(EXAMPLES, 'servers', 'everything-server') },
  }));
  const python = { url: `http://127.0.0.1:${port}/mcp`, era };
  await app.addByPaste(JSON.stringify({ mcpServers: { python } }));
  await expect(app.server('python', 'Ready')).toBeVisible();
}

test('modern: each kind of input in a result of its own, and the call goes on with it', async ({ app, listening }) => {
  await addPython(app, listening, 'modern');
  const dialog = requestDialog(app);

  await callWith(app, 'test_input_required_result_elicitation');
  await expect(dialog).toContainText('What is your name?');
  await expect(dialog).toContainText('round 1');
  await write(dialog, 'name', 'Ada');
  await send(dialog);
  await expect(app.result).toContainText('Hello, Ada!');

  await callWith(app, 'test_input_required_result_sampling');
  await expect(dialog).toContainText('What is the capital of France?');
  await expect(dialog).toContainText('Deprecated in 2026-07-28');
  await dialog.getByLabel('Text', { exact: true }).fill('Paris');
  await send(dialog);
  await expect(app.result).toContainText('Model said: Paris');

  // Answered by the settings, without a dialog.
  await callWith(app, 'test_input_required_result_list_roots');
  await expect(app.result).toContainText('Client exposed 0 root(s).');
  await expect(dialog).toHaveCount(0);

  for (const [tool, answer] of [
    ['test_input_required_result_request_state', 'state-ok: confirmation received'],
    ['test_input_required_result_tampered_state', 'state-ok: round-1'],
  ] as const) {
    await callWith(app, tool);
    await expect(dialog).toContainText('Please confirm');
    await field(dialog, 'ok').getByText('true', { exact: true }).click();
    await send(dialog);
    await expect(app.result).toContainText(answer);
  }

  await callWith(app, 'test_streaming_elicitation');
  await expect(dialog).toContainText('asks for a word');
  await dialog.getByRole('button', { name: 'Decline', exact: true }).click();
  await expect(app.result).toContainText('elicitation decline');

  await callWith(app, 'test_missing_capability');
  await expect(app.result).toContainText('Client declared sampling capability');
});

test('modern: several inputs in one round, and several rounds', async ({ app, listening }) => {
  await addPython(app, listening, 'modern');
  const dialog = requestDialog(app);

  // Roots are answered at once; the two others wait for the user, one after the other.
  await callWith(app, 'test_input_required_result_multiple_inputs');
  await expect(dialog).toContainText('1 of 2');
  await expect(dialog).toContainText('What is your name?');
  await write(dialog, 'name', 'Ada');
  await send(dialog);
  await expect(dialog).toContainText('Generate a greeting');
  await dialog.getByLabel('Text', { exact: true }).fill('Good morning');
  await send(dialog);
  await expect(app.result).toContainText('All inputs received.');

  await callWith(app, 'test_input_required_result_multi_round');
  await expect(dialog).toContainText('Step 1: What is your name?');
  await expect(dialog).toContainText('round 1');
  await write(dialog, 'name', 'Ada');
  await send(dialog);
  await expect(dialog).toContainText('Step 2: What is your favorite color?');
  await expect(dialog).toContainText('round 2');
  await write(dialog, 'color', 'teal');
  await send(dialog);
  await expect(app.result).toContainText('Ada likes teal.');

  // A server that is never content: the user ends it, and what waits is withdrawn.
  await callWith(app, 'test_input_required_result_capabilities');
  await expect(dialog).toContainText('1 of 2');
  await expect(dialog).toContainText('Say hello');
  await dialog.getByLabel('Text', { exact: true }).fill('Hello');
  await send(dialog);
  await expect(dialog).toContainText('What is your name?');
  await write(dialog, 'name', 'Ada');
  await send(dialog);
  await expect(dialog).toContainText('round 2');
  await dialog.getByRole('button', { name: 'Cancel call' }).click();
  await expect(dialog.getByRole('alert')).toContainText('Withdrawn');
  await expect(app.resultStatus).toHaveText(/Cancelled/);
  await expect(app.inboxCount).toBeHidden();
});

test('modern: a prompt requires input', async ({ app, listening }) => {
  await addPython(app, listening, 'modern');
  const { page } = app;
  await page.getByRole('tab', { name: 'Prompts' }).click();
  const prompts = page.getByRole('listbox', { name: 'Prompts' }).getByRole('option');
  await prompts.filter({ hasText: 'test_input_required_result_prompt' }).click();
  await page.getByRole('button', { name: 'Get prompt' }).click();
  const dialog = requestDialog(app);
  await expect(dialog).toContainText('What context should the prompt use?');
  await expect(dialog).toContainText('prompts/get test_input_required_result_prompt');
  await write(dialog, 'context', 'The sea');
  await send(dialog);
  await expect(app.result).toContainText('Use the following context: The sea');
});

test('legacy: sampling, and forms with defaults and every kind of choice', async ({ app, listening }) => {
  await addPython(app, listening, 'legacy');
  const dialog = requestDialog(app);

  await callWith(app, 'test_sampling', { prompt: 'Name a river' });
  await expect(dialog).toContainText('Name a river');
  await dialog.getByLabel('Text', { exact: true }).fill('The Spree');
  await send(dialog);
  await expect(app.result).toContainText('LLM response: The Spree');
  await app.callTool();
  await answerWith(dialog, 'Reject');
  await expect(app.result).toContainText('User rejected sampling request');

  await callWith(app, 'test_elicitation_sep1034_defaults');
  const defaults = { name: 'John Doe', age: '30', score: '95.5', status: 'active' };
  for (const [name, value] of Object.entries(defaults)) {
    await expect(field(dialog, name).locator('input, textarea').first()).toHaveValue(value);
  }
  await expect(field(dialog, 'verified').getByRole('radio', { name: 'true' })).toBeChecked();
  await choose(dialog, 'status', 'pending');
  await send(dialog);
  const defaulted = '{"name":"John Doe","age":30,"score":95.5,"status":"pending","verified":true}';
  await expect(app.result).toContainText(`action=accept, content=${defaulted}`);

  await callWith(app, 'test_elicitation_sep1330_enums');
  await choose(dialog, 'untitledSingle', 'inactive');
  await choose(dialog, 'titledSingle', 'High Priority');
  await choose(dialog, 'untitledMulti', 'read');
  await choose(dialog, 'untitledMulti', 'execute');
  await choose(dialog, 'titledMulti', 'Bug Fix');
  await choose(dialog, 'legacyEnum', 'Large Size');
  await send(dialog);
  const chosen =
    '{"untitledSingle":"inactive","titledSingle":"high","untitledMulti":["read","execute"],"titledMulti":["bug"],"legacyEnum":"large"}';
  await expect(app.result).toContainText(`action=accept, content=${chosen}`);

  await callWith(app, 'test_elicitation', { message: 'Anything else?' });
  await expect(dialog).toContainText('Anything else?');
  await dialog.getByRole('button', { name: 'Cancel', exact: true }).click();
  await expect(app.result).toContainText('action=cancel');
  await expect((await history(app)).getByRole('listitem')).toHaveCount(5);
});
