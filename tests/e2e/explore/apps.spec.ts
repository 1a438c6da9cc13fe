import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import type { FrameLocator, Locator } from '@playwright/test';
import { expect, test } from '../patchbay.ts';
import type { Screen } from '../screen.ts';

const SERVER = fileURLToPath(new URL('./hostileApps.mjs', import.meta.url));

/** The app of a tool: its pane, and what is in its frame. */
function appOf(app: Screen, uri: string): { view: Locator; frame: FrameLocator; lines: Locator } {
  const view = app.page.getByRole('region', { name: 'App', exact: true });
  const frame = app.page.frameLocator(`iframe[title="App ${uri}"]`);
  return { view, frame, lines: frame.getByRole('listitem') };
}

function messages(app: Screen): Locator {
  return app.page.getByRole('listbox', { name: 'App messages' }).getByRole('option');
}

async function showMessages(app: Screen): Promise<void> {
  await app.page.getByRole('tab', { name: 'App messages' }).click();
  // The list follows its end: all of its rows are to be in view.
  await app.page.setViewportSize({ width: 1280, height: 1000 });
}

/** An address outside, the paths it was asked for, and the end of it. */
async function outside(): Promise<{ origin: string; asked: string[]; end: () => void }> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url ?? '');
    response.setHeader('Access-Control-Allow-Origin', '*').end('outside');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { origin: `http://127.0.0.1:${port}`, asked, end: () => server.close() };
}

test('an app gets arguments and result, calls its tool and reads a resource', async ({ app }) => {
  await app.connectDemo();
  await app.selectTool('show_counter');
  await app.callTool();
  const { view, frame } = appOf(app, 'ui://demo/counter');
  await expect(frame.locator('#count')).toHaveText('0');
  await expect(frame.locator('#input')).toHaveText('Each click adds 1.');
  await expect(view.getByRole('status').first()).toHaveText('Running');
  await frame.getByRole('button', { name: 'Add' }).click();
  await expect(frame.locator('#count')).toHaveText('1');
  await frame.getByRole('button', { name: 'Read the resource' }).click();
  await expect(frame.locator('#last')).toHaveText('demo://counter is 1');
  await frame.getByRole('button', { name: 'Send a message' }).click();
  // What an app says becomes part of a draft, and only if the user wants it.
  const question = app.page.getByRole('dialog', { name: 'Add this text to your conversation?' });
  const said = await question.locator('[tabindex="0"]').innerText();
  expect(said).not.toBe('');
  await question.getByRole('button', { name: 'Cancel' }).click();
  await frame.getByRole('button', { name: 'Send a message' }).click();
  await question.getByRole('button', { name: 'Add to draft' }).click();
  await expect(question).toBeHidden();
  await showMessages(app);
  // The list renders only the rows in view.
  const search = app.page.getByRole('textbox', { name: 'Search messages' });
  await search.fill('ui/notifications/tool-input');
  await expect(messages(app).filter({ hasText: 'ui/notifications/tool-input' })).toHaveCount(1);
  await search.fill('added 1');
  await expect(messages(app).filter({ hasText: 'added 1' })).toContainText('console');
  // The raw result is one click away, and the app is still there afterwards.
  await app.result.getByText('Raw', { exact: true }).click();
  await expect(frame.locator('#count')).toBeHidden();
  await app.result.getByText('App', { exact: true }).click();
  await expect(frame.locator('#count')).toHaveText('1');
  // Once, in the draft of a conversation that is begun for it.
  await app.page.getByRole('radiogroup', { name: 'Mode' }).getByRole('radio', { name: 'Chat' }).click();
  await expect(app.page.getByRole('textbox', { name: 'Message', exact: true })).toHaveValue(said);
});

test('an app opened before the call waits for it, and a second call is shown by a new app', async ({ app }) => {
  await app.connectDemo();
  await app.selectTool('show_counter');
  await app.page.getByRole('button', { name: 'Open the app of this tool' }).click();
  const { view, frame } = appOf(app, 'ui://demo/counter');
  await expect(frame.locator('#input')).toHaveText('Waiting for the arguments.');
  await expect(view.getByRole('status').first()).toHaveText('Waiting for a call');
  await app.callTool();
  await expect(frame.locator('#input')).toHaveText('Each click adds 1.');
  await showMessages(app);
  // The list renders only the rows in view.
  await app.page.getByRole('textbox', { name: 'Search messages' }).fill('ui/initialize');
  await expect(messages(app).filter({ hasText: 'ui/initialize' })).toHaveCount(1);
  await app.callTool();
  await expect(messages(app).filter({ hasText: 'ui/initialize' })).toHaveCount(2);
});

test('a link opens only after the person has seen where it leads; fullscreen has a way back', async ({ app }) => {
  await app.connectDemo();
  await app.selectTool('show_counter');
  await app.callTool();
  const { view, frame } = appOf(app, 'ui://demo/counter');
  await frame.getByRole('button', { name: 'Open a link' }).click();
  const dialog = app.page.getByRole('dialog', { name: 'Open in the browser?' });
  await expect(dialog).toContainText('modelcontextprotocol.io');
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(frame.locator('#last')).toHaveText('The link was not opened.');
  await frame.getByRole('button', { name: 'Open a link' }).click();
  await dialog.getByRole('button', { name: 'Open', exact: true }).click();
  await expect(frame.locator('#last')).toHaveText('The link was opened.');
  await frame.getByRole('button', { name: 'Fullscreen' }).click();
  await expect(frame.getByRole('button', { name: 'Back to inline' })).toBeVisible();
  const size = app.page.viewportSize();
  await expect.poll(async () => (await view.boundingBox())?.width).toBe(size?.width);
  await view.getByRole('button', { name: 'Leave fullscreen' }).click();
  await expect(frame.getByRole('button', { name: 'Fullscreen' })).toBeVisible();
});

test('an app reaches nothing of Patchbay and nothing it did not declare', async ({ app }) => {
  const { origin, asked, end } = await outside();
  await app.addByPaste(`node ${SERVER} ${origin}`);
  await app.selectTool('escape');
  await app.callTool();
  const { lines } = appOf(app, 'ui://escape');
  await expect(lines.last()).toHaveText('done');
  const outcomes = await lines.allInnerTexts();
  expect(outcomes.filter((line) => line !== 'done' && !line.endsWith(': blocked'))).toEqual([]);
  expect(outcomes).toHaveLength(15);
  expect(asked).toEqual([]);
  await expect(app.rail).toBeVisible();
  expect(app.page.context().pages()).toHaveLength(1);
  // What the policy blocked is said.
  await showMessages(app);
  await expect(messages(app).filter({ hasText: `connect-src does not allow ${origin}/fetched` })).toHaveCount(1);
  await expect(messages(app).filter({ hasText: `${origin}/beacon` })).toHaveCount(1);
  end();
});

test('an app that navigates its frame is closed, and nothing is loaded', async ({ app }) => {
  const { origin, asked, end } = await outside();
  await app.addByPaste(`node ${SERVER} ${origin}`);
  await app.selectTool('navigate');
  await app.callTool();
  const { view } = appOf(app, 'ui://navigate');
  await expect(view).toContainText('Patchbay closed it: it navigated its frame.');
  expect(asked).toEqual([]);
  await expect(view.getByRole('button', { name: 'Open again' })).toBeVisible();
  end();
});

test('an app that floods is closed, and one that never answers is said to', async ({ app }) => {
  await app.addByPaste(`node ${SERVER} http://127.0.0.1:1`);
  await app.selectTool('flood');
  await app.callTool();
  await expect(appOf(app, 'ui://flood').view).toContainText('it sent more than 100 messages a second');
  await app.selectTool('silent');
  await app.callTool();
  const { view } = appOf(app, 'ui://silent');
  await expect(view).toContainText('The app did not send ui/initialize within 5 seconds');
  await view.getByRole('button', { name: 'Open again', exact: true }).click();
  await expect(view).not.toContainText('did not send ui/initialize');
});

test('an app calls only what is for apps, and nothing destructive by itself', async ({ app }) => {
  await app.addByPaste(`node ${SERVER} http://127.0.0.1:1`);
  await expect(app.tools).toContainText('1 tool for apps only');
  await app.selectTool('caller');
  await app.callTool();
  const { lines } = appOf(app, 'ui://caller');
  const dialog = app.page.getByRole('dialog', { name: 'Call destroy?' });
  await expect(dialog).toContainText('"name"');
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  const message = app.page.getByRole('dialog', { name: 'Add this text to your conversation?' });
  await expect(message).toContainText('Buy now');
  await message.getByRole('button', { name: 'Cancel' }).click();
  await expect(lines.last()).toHaveText('done');
  expect(await lines.allInnerTexts()).toEqual([
    'model_only: The tool model_only is not for apps.',
    'unknown: The server does not list the tool unknown.',
    'destroy: The user did not allow the call to destroy.',
    'message: refused',
    'done',
  ]);
  await expect(app.trafficRows.filter({ hasText: 'request' }).filter({ hasText: 'tools/call' })).toHaveCount(1);
});

test('declared origins are allowed and shown, with what is not', async ({ app }) => {
  const { origin, asked, end } = await outside();
  await app.addByPaste(`node ${SERVER} ${origin}`);
  await app.selectTool('declared');
  await app.callTool();
  const { view, lines } = appOf(app, 'ui://declared');
  await expect(lines.first()).toHaveText('outside: REACHED outside');
  expect(asked).toEqual(['/declared']);
  await view.getByRole('button', { name: 'What this app may do' }).click();
  const facts = app.page.getByRole('dialog');
  await expect(facts).toContainText(origin);
  await expect(facts).toContainText('connectDomains "*"');
  await expect(facts).toContainText('script-src *": it is not an origin');
  await expect(facts).toContainText('permissions "usb": not a permission of MCP Apps.');
  await expect(facts).toContainText('Requested: apps.example.');
  end();
});

test('what is no app is not opened, with the reason', async ({ app }) => {
  await app.addByPaste(`node ${SERVER} http://127.0.0.1:1`);
  const cases: [string, string][] = [
    ['wrong_type', 'The resource has the MIME type "text/html"'],
    ['broken_blob', 'The `blob` of the app is not base64'],
    ['huge', 'at most 8388608 are shown'],
    ['missing', 'Resource not found'],
  ];
  for (const [tool, why] of cases) {
    await app.selectTool(tool);
    await app.callTool();
    const { view } = appOf(app, `ui://${tool}`);
    await expect(view).toContainText('The app cannot be shown');
    await expect(view).toContainText(why);
    await expect(app.page.locator('iframe')).toHaveCount(0);
  }
});
