import { join } from 'node:path';
import { expect, test } from '../../httpServer.ts';
import type { Screen } from '../../screen.ts';
import { answerWith, callWith, field, requestDialog, send, write } from '../dialog.ts';

// Examples of the Python SDK in which a server asks its host.

const PYTHON = join(process.env.PATCHBAY_PEERS_PYTHON ?? '.', 'python');
const EXAMPLES = process.env.PATCHBAY_PEERS_EXAMPLES ?? '.';

/** Starts an example over stdio. */
async function addStory(app: Screen, name: string, era: 'legacy' | 'modern'): Promise<void> {
  const story = { command: PYTHON, args: ['-m', `stories.${name}.server`], env: { PYTHONPATH: EXAMPLES }, era };
  await app.addByPaste(JSON.stringify({ mcpServers: { [name]: story } }));
  await expect(app.server(name, 'Ready')).toBeVisible();
}

test('sampling: a text is summarized by hand, and a rejection reaches the server', async ({ app }) => {
  await addStory(app, 'sampling', 'legacy');
  const dialog = requestDialog(app);
  await callWith(app, 'summarize', { text: 'The tide rises twice a day.' });
  await expect(dialog).toContainText('Summarize in one sentence: The tide rises twice a day.');
  await dialog.getByLabel('Text', { exact: true }).fill('Twice a day.');
  await send(dialog);
  await expect(app.result).toContainText('Twice a day.');
  await app.callTool();
  await dialog.getByRole('button', { name: 'Reject' }).click();
  await expect(app.result).toContainText('User rejected sampling request');
});

test('mrtr: a deployment is confirmed, not confirmed, and declined', async ({ app }) => {
  await addStory(app, 'mrtr', 'modern');
  const dialog = requestDialog(app);
  for (const [confirm, result] of [
    ['true', 'deployed to staging'],
    ['false', 'deployment to staging cancelled'],
    [null, 'deployment to staging cancelled'],
  ] as const) {
    await callWith(app, 'deploy', { env: 'staging' });
    await expect(dialog).toContainText('Deploy to staging?');
    await expect(field(dialog, 'confirm')).toContainText('Proceed with the deployment?');
    if (confirm === null) await answerWith(dialog, 'Decline');
    else {
      await field(dialog, 'confirm').getByText(confirm, { exact: true }).click();
      await send(dialog);
    }
    await expect(app.resultStatus).toHaveText('Result');
    await expect(app.result).toContainText(result);
  }
});

for (const era of ['legacy', 'modern'] as const) {
  test(`refund_desk, ${era}: the second question depends on the answer to the first`, async ({ app }) => {
    await addStory(app, 'refund_desk', era);
    const dialog = requestDialog(app);
    await callWith(app, 'refund_order', { order_id: 'ORD-7002', reason: 'Broken' });
    await expect(dialog).toContainText('Refund the whole order, or one SKU?');
    await field(dialog, 'full').getByText('false', { exact: true }).click();
    await write(dialog, 'sku', 'canvas-tote');
    await send(dialog);
    await expect(dialog).toContainText('physical items (canvas-tote). Return them to stock?');
    await field(dialog, 'restock').getByText('true', { exact: true }).click();
    await send(dialog);
    await expect(app.resultStatus).toHaveText('Result');
    await expect(app.result).toContainText('2400');

    // Declined, the tool fails; the second question may be declined.
    await app.callTool();
    await expect(dialog).toContainText('Refund the whole order');
    await answerWith(dialog, 'Decline');
    await expect(app.result).toContainText('elicitation was decline');
    await app.callTool();
    await field(dialog, 'full').getByText('true', { exact: true }).click();
    await send(dialog);
    await expect(dialog).toContainText('Return them to stock?');
    await dialog.getByRole('button', { name: 'Decline', exact: true }).click();
    await expect(app.resultStatus).toHaveText('Result');
    await expect(app.result).toContainText('4800');
  });
}
