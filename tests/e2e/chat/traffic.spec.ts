import { expect, test } from '../httpServer.ts';
import { addModel, begin, send } from './steps.ts';

test('a record leads back to its step in the conversation, also after a restart', async ({ app, models, patchbay }) => {
  const provider = await models('any');
  const { page } = app;
  await app.connectDemo();
  await addModel(app, provider.url, 'script');
  await begin(app);
  const log = page.getByRole('log', { name: 'Messages' });
  const call = page.getByRole('region', { name: 'Call to greet: Done' });
  await send(page, 'call greet {"name":"the way back"}');
  await page.getByRole('button', { name: 'Run once' }).click();
  await expect(log).toContainText('The tools say:');

  // Another conversation is shown, and then another mode.
  await page.getByRole('button', { name: 'New conversation' }).click();
  await expect(page.getByText('No messages yet')).toBeVisible();
  const mode = page.getByRole('radiogroup', { name: 'Mode' });
  await mode.getByRole('radio', { name: 'Explore' }).click();

  const focused = page.locator('[data-found="true"]');
  // Selects the first of these rows, and waits for its record: until that is there, the one before it is in view.
  const select = async (row: string): Promise<void> => {
    await app.trafficRows.filter({ hasText: row }).first().click();
    await expect(app.record).toContainText(/#\d/);
    await expect(app.record).not.toHaveAttribute('aria-busy');
  };
  const follow = async (row: string, step: string): Promise<void> => {
    await select(row);
    await app.record.getByRole('button', { name: 'Show in Chat' }).click();
    await expect(focused).toBeFocused();
    await expect(focused).toContainText(step);
    await expect(call).toBeInViewport();
  };
  await app.filterTraffic('tool:greet');
  await follow('tools/call', 'greet');
  await mode.getByRole('radio', { name: 'Explore' }).click();
  await app.filterTraffic('kind:http');
  await follow('/chat/completions', 'script');

  // What no turn caused has no step.
  await app.filterTraffic('method:tools/list kind:request');
  await select('tools/list');
  await expect(app.record).toContainText('tools/list');
  await expect(app.record.getByRole('button', { name: 'Show in Chat' })).toBeHidden();

  await patchbay.restart();
  await page.goto(patchbay.address);
  await app.filterTraffic('tool:greet');
  await expect(app.trafficRows.filter({ hasText: 'tools/call' }).first()).toBeVisible();
  await follow('tools/call', 'greet');

  // The conversation is deleted, the record is not.
  const actions = page.getByRole('button', { name: /^Actions for call greet/ });
  await actions.click();
  await page.getByRole('menuitem', { name: 'Delete…' }).click();
  await page.getByRole('menuitem', { name: 'Delete permanently' }).click();
  await expect(actions).toHaveCount(0);
  await app.record.getByRole('button', { name: 'Show in Chat' }).click();
  await expect(app.record.getByRole('alert')).toContainText('No conversation has this record (any more)');
});
