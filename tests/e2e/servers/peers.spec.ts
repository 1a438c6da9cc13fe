import { join } from 'node:path';
import { expect, test } from '../httpServer.ts';

const NODE = process.env.PATCHBAY_PEERS_NODE ?? '.';
const PYTHON = join(process.env.PATCHBAY_PEERS_PYTHON ?? '.', 'python');

test('HTTP+SSE: a real server of 2024', async ({ app, listening }) => {
  const port = await listening(join(NODE, 'mcp-server-everything'), (at) => ({ args: ['sse'], env: { PORT: at } }));
  await app.addByUrl('oldest', `http://127.0.0.1:${port}/sse`);
  await expect(app.server('oldest', 'Ready')).toBeVisible();
  await app.selectTool('get-sum');
  await app.writeArguments('{"a": 40, "b": 2}');
  await app.callTool();
  await expect(app.resultStatus).toHaveText('Result');
  await expect(app.result).toContainText('42');
  await app.page.getByRole('tab', { name: 'Info' }).click();
  const facts = app.page.getByRole('region', { name: 'HTTP' });
  await expect(facts).toContainText('HTTP+SSE');
  await expect(facts).toContainText('/message');
});

test('subscriptions/listen: notifications of a modern server', async ({ app, listening }) => {
  const port = await listening(PYTHON, (at) => ({
    args: ['-m', 'mcp_everything_server', '--port', at],
    env: { PYTHONPATH: join(process.env.PATCHBAY_PEERS_EXAMPLES ?? '.', 'servers', 'everything-server') },
  }));
  await app.addByUrl('modern', `http://127.0.0.1:${port}/mcp`);
  await expect(app.server('modern', 'Ready')).toBeVisible();
  await app.openTab('Subscriptions');
  await app.page.getByRole('form', { name: 'New subscription' }).getByRole('button', { name: 'Open subscription' }).click();
  const subscription = app.page.getByRole('article', { name: /^Subscription to/ });
  await expect(subscription).toContainText('Granted');
  await app.page.getByRole('tab', { name: 'Tools' }).click();
  await app.selectTool('test_trigger_tool_change');
  await app.callTool();
  await expect(app.resultStatus).toHaveText('Result');
  await app.openTab('Subscriptions');
  const told = subscription.getByRole('table', { name: 'Notifications' });
  await expect(told).toContainText('notifications/tools/list_changed');
  await subscription.getByRole('button', { name: 'End', exact: true }).click();
  await expect(subscription.getByRole('button', { name: 'End', exact: true })).toHaveCount(0);
  await expect(app.server('modern', 'Ready')).toBeVisible();
});

test('tasks of a modern server: one followed to its result, one cancelled', async ({ app }) => {
  const tasks = join(import.meta.dirname, '..', '..', 'peers', 'tasks_server.py');
  await app.addByPaste(`${PYTHON} ${tasks}`);
  await app.selectTool('slow_sum');
  await app.writeArguments('{"a": 40, "b": 2}');
  await app.callTool();
  await expect(app.resultStatus).toHaveText('Task created');
  await app.result.getByRole('button', { name: 'Show in Tasks' }).click();
  const rows = app.page.getByRole('listbox', { name: 'Tasks' }).getByRole('option');
  const task = app.page.getByRole('region', { name: 'Task', exact: true });
  await rows.first().click();
  await expect(task).toContainText('slow_sum');
  await task.getByRole('button', { name: 'Get result' }).click();
  await expect(task.getByRole('region', { name: 'Content: text' }).getByText('42', { exact: true })).toBeVisible();
  await expect(task.getByText('completed', { exact: true })).toBeVisible();
  await expect(task.getByRole('button', { name: 'Cancel task' })).toBeDisabled();

  await app.page.getByRole('tab', { name: 'Tools' }).click();
  await app.writeArguments('{"a": 40, "b": 2, "seconds": 600}');
  await app.callTool();
  // The first call created a task too: there is a run to compare with once the second has ended.
  await expect(app.result.getByRole('button', { name: 'Compare with another run' })).toBeVisible();
  await expect(app.resultStatus).toHaveText('Task created');
  await app.result.getByRole('button', { name: 'Show in Tasks' }).click();
  // The task just created is selected, and still is when a filter hides it.
  await expect(rows.filter({ hasText: 'working' })).toHaveAttribute('aria-selected', 'true');
  await app.page.getByLabel('Search tasks').fill('completed');
  await expect(rows).toHaveCount(1);
  await expect(task.getByText('working', { exact: true })).toBeVisible();
  await app.page.getByLabel('Search tasks').fill('');
  // Watching polls until the task ends.
  await app.filterTraffic('method:tasks/get kind:request');
  await expect(app.trafficRows.filter({ hasNotText: 'tasks/get' })).toHaveCount(0);
  const before = await app.trafficRows.count();
  await task.getByRole('button', { name: 'Watch' }).click();
  await expect(task.getByRole('button', { name: 'Watch' })).toHaveAttribute('aria-pressed', 'true');
  await expect.poll(() => app.trafficRows.count()).toBeGreaterThan(before + 1);
  await task.getByRole('button', { name: 'Cancel task' }).click();
  await expect(task.getByText('cancelled', { exact: true })).toBeVisible();
  await expect(task.getByRole('button', { name: 'Cancel task' })).toBeDisabled();
});
