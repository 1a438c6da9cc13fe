import { join } from 'node:path';
import { expect, test } from '../../httpServer.ts';
import { callWith, choose, requestDialog, send } from '../../inbox/dialog.ts';
import type { Screen } from '../../screen.ts';
import { PYTHON, add, addEverything, addPython, openTab } from './servers.ts';

const level = (app: Screen) => app.page.getByRole('combobox', { name: 'Server log level' });

/** Chooses a level, and waits until it is set. */
async function setLevel(app: Screen, to: string): Promise<void> {
  await level(app).selectOption(to);
  await expect(level(app)).toHaveValue(to);
}

/** The Logs tab, messages only. */
async function openMessages(app: Screen) {
  await openTab(app, 'Logs');
  const panel = app.page.getByRole('region', { name: 'Logs', exact: true });
  await panel.getByRole('radiogroup', { name: 'Lines shown' }).getByText('Messages').click();
  return { panel, rows: panel.getByRole('listbox', { name: 'Logs' }).getByRole('option') };
}

/** How many requests the log has with a text in them. */
async function expectRequests(app: Screen, filter: string, count: number): Promise<void> {
  await app.filterTraffic(`kind:request ${filter}`);
  await expect(app.traffic.getByTestId('traffic-count')).toHaveText(count === 1 ? '1 record' : `${count} records`);
}

test('everything, legacy: the level is set on the connection, and the server keeps to it', async ({ app }) => {
  await addEverything(app);
  const { rows } = await openMessages(app);
  await setLevel(app, 'emergency');
  await expectRequests(app, 'method:logging/setLevel "emergency"', 1);
  await openTab(app, 'Tools');
  await callWith(app, 'toggle-simulated-logging');
  await expect(app.resultStatus).toHaveText('Result');
  await openMessages(app);
  await setLevel(app, 'debug');
  await expectRequests(app, 'method:logging/setLevel', 2);
  // A message every 5 s, of any level.
  await expect(rows.filter({ hasText: /level.message/i }).first()).toBeVisible();
  await rows.filter({ hasText: /level.message/i }).first().click();
  await expect(app.page.getByRole('region', { name: 'Log line' })).toContainText(/level.message/i);
});

test('python, modern: the level goes with each request, and without one nothing is logged', async ({ app, listening }) => {
  await addPython(app, listening, 'modern');
  await callWith(app, 'test_tool_with_logging');
  await expect(app.resultStatus).toHaveText('Result');
  const { panel, rows } = await openMessages(app);
  await expect(level(app)).toHaveValue('');
  await expect(panel).toContainText(/Server logs are off/);
  await expectRequests(app, '"io.modelcontextprotocol/logLevel"', 0);
  await setLevel(app, 'info');
  await openTab(app, 'Tools');
  await app.callAndWait();
  await expect(app.resultStatus).toHaveText('Result');
  await openMessages(app);
  await expect(rows.filter({ hasText: 'Tool execution started' })).toHaveCount(1);
  await expect(rows.filter({ hasText: 'Tool execution completed' })).toHaveCount(1);
  await expectRequests(app, '"io.modelcontextprotocol/logLevel"', 1);
  // Above what the tool logs.
  await setLevel(app, 'error');
  await openTab(app, 'Tools');
  await app.callAndWait();
  await expect(app.resultStatus).toHaveText('Result');
  await openMessages(app);
  await expect(rows.filter({ hasText: 'Tool execution started' })).toHaveCount(1);
  await expectRequests(app, '"io.modelcontextprotocol/logLevel"', 2);
});

test('python, legacy: messages of a tool, in the order of time with those of before', async ({ app, listening }) => {
  await addPython(app, listening, 'legacy');
  const { rows } = await openMessages(app);
  await setLevel(app, 'debug');
  await openTab(app, 'Tools');
  await callWith(app, 'test_tool_with_logging');
  await expect(app.resultStatus).toHaveText('Result');
  await openMessages(app);
  await expect(rows).toContainText(['Tool execution started', 'Tool processing data', 'Tool execution completed']);
});

test('everything: stderr of the process is beside the messages', async ({ app }) => {
  await addEverything(app);
  await openTab(app, 'Logs');
  const panel = app.page.getByRole('region', { name: 'Logs', exact: true });
  await panel.getByRole('radiogroup', { name: 'Lines shown' }).getByText('stderr').click();
  await expect(panel.getByRole('listbox', { name: 'Logs' }).getByRole('option').first()).toContainText(/Starting default \(STDIO\) server/);
});

test('everything: a task goes through its stages, asks, and its result is fetched', async ({ app }) => {
  await addEverything(app);
  const rows = app.page.getByRole('listbox', { name: 'Tasks' }).getByRole('option');
  const task = app.page.getByRole('region', { name: 'Task', exact: true });
  // A result may have the same word.
  const status = task.locator(':scope > div').first();
  await callWith(app, 'simulate-research-query', { topic: 'tides' });
  await expect(app.resultStatus).toHaveText('Task created');
  await app.result.getByRole('button', { name: 'Show in Tasks' }).click();
  await expect(task).toContainText('simulate-research-query');
  await task.getByRole('button', { name: 'Watch' }).click();
  await expect(status.getByText('completed', { exact: true })).toBeVisible();
  await task.getByRole('button', { name: 'Get result' }).click();
  await expect(task).toContainText('Research Report: tides');

  // A task that needs an answer: it asks when its result is waited for.
  await openTab(app, 'Tools');
  await app.writeArguments('{"topic":"python","ambiguous":true}');
  await app.callAndWait();
  await expect(app.resultStatus).toHaveText('Task created');
  await app.result.getByRole('button', { name: 'Show in Tasks' }).click();
  await expect(rows).toHaveCount(2);
  await task.getByRole('button', { name: 'Get result' }).click();
  const dialog = requestDialog(app);
  await expect(dialog).toContainText('could have multiple interpretations');
  await choose(dialog, 'interpretation', 'Monty Python comedy group');
  await send(dialog);
  await expect(task).toContainText('comedy');
  await expect(status.getByText('completed', { exact: true })).toBeVisible();

  // And one that is cancelled: it waits for an answer, so it cannot end before.
  await openTab(app, 'Tools');
  await app.writeArguments('{"topic":"clouds","ambiguous":true}');
  await app.callAndWait();
  await app.result.getByRole('button', { name: 'Show in Tasks' }).click();
  await task.getByRole('button', { name: 'Cancel task' }).click();
  await expect(status.getByText('cancelled', { exact: true })).toBeVisible();
});

test('Info: everything that was negotiated, with instructions; pings with their history', async ({ app }) => {
  await addEverything(app);
  await openTab(app, 'Info');
  const { page } = app;
  await expect(page.getByRole('region', { name: 'Server', exact: true })).toContainText('2025-11-25');
  await expect(page.getByRole('region', { name: 'Instructions' })).toContainText('Everything Server');
  const capabilities = page.getByRole('region', { name: 'Capabilities' });
  for (const name of ['completions', 'logging', 'subscribe', 'elicitation', 'sampling']) await expect(capabilities).toContainText(name);
  await page.getByRole('button', { name: 'Ping', exact: true }).click();
  await expect(page.getByText(/response in/)).toBeVisible();
  await page.getByRole('button', { name: 'Ping', exact: true }).click();
  await expect(page.getByRole('img', { name: /Ping history: 2 pings · min/ })).toBeVisible();
});

test('Info: a server of 2026-07-28 with extensions and cache hints', async ({ app }) => {
  const tasks = join(import.meta.dirname, '..', '..', '..', 'peers', 'tasks_server.py');
  await add(app, 'tasks', { command: PYTHON, args: [tasks] });
  await openTab(app, 'Info');
  const server = app.page.getByRole('region', { name: 'Server', exact: true });
  await expect(server).toContainText('2026-07-28');
  const extensions = app.page.getByRole('region', { name: 'Extensions' });
  await expect(extensions.getByRole('row', { name: /io\.modelcontextprotocol\/tasks/ })).toContainText('yes');
  await expect(app.page.getByRole('region', { name: 'Cache hints' })).toContainText('server/discover');
});
