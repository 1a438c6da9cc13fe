import { expect, test } from '../../httpServer.ts';
import type { Screen } from '../../screen.ts';
import { addApp, addStory } from './servers.ts';

// Apps that nobody here wrote, in their frames.

function appOf(app: Screen, uri: string) {
  return {
    view: app.page.getByRole('region', { name: 'App', exact: true }),
    frame: app.page.frameLocator(`iframe[title="App ${uri}"]`),
  };
}

const messages = (app: Screen) => app.page.getByRole('listbox', { name: 'App messages' }).getByRole('option');

test('budget-allocator: the result is drawn, and the app is worked with', async ({ app }) => {
  await addApp(app, 'budget-allocator');
  await app.selectTool('get-budget-data');
  await app.callTool();
  const { view, frame } = appOf(app, 'ui://budget-allocator/mcp-app.html');
  await expect(frame.getByRole('heading', { name: 'Budget Allocator' })).toBeVisible();
  await expect(frame.locator('#budget-selector')).toHaveValue('100000');
  await expect(frame.locator('#sliders-container input[type=range]')).toHaveCount(5);
  await expect(frame.locator('#status-bar')).toContainText('$100,000');
  await frame.locator('#budget-selector').selectOption('500000');
  await expect(frame.locator('#status-bar')).toContainText('$500,000');
  // The chart has colours: it was drawn by a script of the app.
  const inked = (): Promise<number> =>
    frame.locator('#budget-chart').evaluate((node: HTMLCanvasElement) => {
      const { data } = node.getContext('2d')?.getImageData(0, 0, node.width, node.height) ?? { data: [] };
      return data.filter((value) => value !== 0).length;
    });
  await expect.poll(inked).toBeGreaterThan(1_000);
  await view.getByRole('button', { name: 'What this app may do' }).click();
  await expect(app.page.getByRole('dialog')).toContainText('Opaque: no access to Patchbay');
  await app.page.keyboard.press('Escape');
  await app.page.getByRole('tab', { name: 'App messages' }).click();
  await expect(messages(app).filter({ hasText: 'ui/notifications/tool-result' }).first()).toBeVisible();
});

test('system-monitor: a tool for apps only is hidden, and called by the app', async ({ app }) => {
  await addApp(app, 'system-monitor');
  await expect(app.tools).toContainText('1 tool for apps only');
  await expect(app.toolRows).toHaveCount(1);
  await app.selectTool('get-system-info');
  await app.callTool();
  const { frame } = appOf(app, 'ui://system-monitor/mcp-app.html');
  await expect(frame.locator('#info-hostname')).not.toHaveText('--');
  // The server does not say that it changes nothing, so the person is asked: once, or for as long as the app is open.
  const dialog = app.page.getByRole('dialog', { name: 'Call poll-system-stats?' });
  await expect(dialog).toContainText('The app ui://system-monitor/mcp-app.html');
  await expect(app.trafficRows.filter({ hasText: 'poll-system-stats' })).toHaveCount(0);
  await dialog.getByRole('radio', { name: 'Let this app call the tool while it is open' }).check();
  await dialog.getByRole('button', { name: 'Call tool' }).click();
  await expect(frame.locator('#memory-percent')).toHaveText(/\d+%/);
  await app.filterTraffic('tool:poll-system-stats kind:request');
  // It polls every two seconds, and is not asked about again.
  const polls = app.trafficRows.filter({ hasText: /requesttools\/call/ }).filter({ hasText: 'poll-system-stats' });
  await expect(polls.nth(1)).toBeVisible();
  await expect(dialog).toBeHidden();
});

for (const era of ['legacy', 'modern'] as const) {
  test(`apps of the Python SDK, ${era}: the server knows that apps are supported`, async ({ app }) => {
    await addStory(app, 'apps', era);
    await app.selectTool('get_time');
    await app.callTool();
    // The fallback for clients without apps is a sentence.
    await app.result.getByText('Raw', { exact: true }).click();
    await expect(app.result).toContainText('"2026-06-26T00:00:00Z"');
    await app.result.getByText('App', { exact: true }).click();
    await expect(appOf(app, 'ui://get-time/app.html').frame.locator('#now')).toBeVisible();
  });
}
