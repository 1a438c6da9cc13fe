import { fileURLToPath } from 'node:url';
import type { Locator } from '@playwright/test';
import { expect, test } from '../httpServer.ts';
import type { Screen } from '../screen.ts';
import { violations } from '../accessibility/violations.ts';

// What a server may ask for, also what it should not: each is a clear state, and the server gets an answer.

const SERVER = fileURLToPath(new URL('./asks.mjs', import.meta.url));

/** Adds the server that asks for anything, and selects its tool. */
async function addAsks(app: Screen): Promise<void> {
  const asks = { command: process.execPath, args: [SERVER], roots: { type: 'ask' } };
  await app.addByPaste(JSON.stringify({ mcpServers: { asks } }));
  await app.selectTool('ask');
}

/** Has the server ask. */
async function ask(app: Screen, args: object): Promise<Locator> {
  await app.writeArguments(JSON.stringify(args));
  await app.callTool();
  return app.page.getByRole('dialog', { name: /asks requests/ });
}

const schema = (properties: object, required: string[] = []): object => ({
  message: 'Please',
  requestedSchema: { type: 'object', properties, required },
});

for (const [width, height] of [
  [900, 600],
  [1280, 800],
  [1600, 1000],
] as const) {
  test(`the dialog hides neither the call it belongs to nor the servers, ${width} px wide`, async ({ app }) => {
    await app.page.setViewportSize({ width, height });
    await addAsks(app);
    // The result has its place from the first call on.
    const dialog = await ask(app, {});
    await dialog.getByRole('button', { name: 'Cancel', exact: true }).click();
    await expect(app.resultStatus).toHaveText('Result');
    await expect(app.result).toContainText('cancel');
    await expect(dialog).toBeHidden();
    const box = async (place: Locator) => (await place.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
    const panes = () => Promise.all([app.arguments, app.result].map(box));
    // The panes take the room of the dialog, and the result that of the form, in the frames after that.
    let before = await panes();
    await expect(async () => {
      const last = before;
      await app.page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
      before = await panes();
      expect(before).toEqual(last);
    }).toPass();
    await app.callTool();
    await expect(dialog.getByRole('button', { name: 'Send answer' })).toBeVisible();
    const inbox = app.page.getByRole('region', { name: 'Inbox' });
    await expect(async () => {
      const pane = await box(dialog);
      expect(pane.x + pane.width).toBeCloseTo(width, 0);
      for (const place of [app.rail, inbox, app.arguments, app.result, app.traffic]) {
        const { x, width: own, height: high } = await box(place);
        expect(Math.min(own, high)).toBeGreaterThan(60);
        expect(x + own).toBeLessThanOrEqual(pane.x);
      }
      // The name of the server, and the buttons of the dialog, have their room.
      const name = app.server('asks').getByText('asks', { exact: true });
      expect(await name.evaluate((text) => text.scrollWidth <= text.clientWidth)).toBe(true);
      for (const button of await dialog.getByRole('button').all()) {
        const { x, width: own } = await box(button);
        expect(x + own).toBeLessThanOrEqual(width);
      }
      // There is room enough to read the call, which takes the place of the list in a small window.
      for (const { width: own } of await panes()) expect(own).toBeGreaterThan(380);
    }).toPass();
    // The call says for whom it waits, also over stdio.
    await expect(app.result).toContainText('asks requests your input');
    await expect(dialog).toContainText('tools/call ask');
    // In the moment in which keys may have been meant for what was below, Escape only puts it off.
    const answer = app.result.getByRole('button', { name: 'Answer', exact: true });
    await expect(async () => {
      if (await dialog.isVisible()) await app.page.keyboard.press('Escape');
      else await answer.click({ timeout: 1000 });
      await expect(app.resultStatus).toHaveText('Result', { timeout: 1000 });
    }).toPass();
    await expect(app.result).toContainText('cancel');
    // The result may be there before the pane is gone; then the panes are as they were.
    await expect(dialog).toBeHidden();
    await expect.poll(panes).toEqual(before);
  });
}

test('the buttons of a sampling request stay in view in a small window, also below its rules', async ({ app }) => {
  await app.page.setViewportSize({ width: 900, height: 600 });
  await addAsks(app);
  const messages = [{ role: 'user', content: { type: 'text', text: 'Hi' } }];
  const dialog = await ask(app, { method: 'sampling/createMessage', params: { messages, maxTokens: 9 } });
  const inView = async (): Promise<void> => {
    for (const name of ['Later', 'Reject', 'Send answer']) {
      const button = dialog.getByRole('button', { name, exact: true });
      await expect(button).toBeInViewport({ ratio: 1 });
    }
  };
  await inView();
  await dialog.getByText('Rules for future requests').click();
  await expect(dialog.getByLabel('Requests', { exact: true })).toBeVisible();
  await inView();
  // Tab reaches the last field of the answer, which is then not below the buttons.
  const stop = dialog.getByLabel('Stop reason');
  await stop.focus();
  const later = dialog.getByRole('button', { name: 'Later', exact: true });
  await expect(async () => {
    const [field, foot] = [await stop.boundingBox(), await later.boundingBox()];
    expect((field?.y ?? Infinity) + (field?.height ?? 0)).toBeLessThanOrEqual(foot?.y ?? 0);
  }).toPass();
});

for (const [width, height] of [
  [1280, 800],
  [1600, 1000],
] as const) {
  test(`a message of any length leaves room for the first field and the buttons, ${width} px wide`, async ({ app }) => {
    await app.page.setViewportSize({ width, height });
    await addAsks(app);
    const message = 'Please read all of this before you answer. '.repeat(400);
    const token = { type: 'string', description: message.slice(0, 420) };
    const dialog = await ask(app, { params: { ...schema({ token, name: { type: 'string' } }, ['token']), message } });
    const inView = async (...places: Locator[]): Promise<void> => {
      for (const place of places) await expect(place).toBeInViewport({ ratio: 1 });
    };
    const button = (name: string): Locator => dialog.getByRole('button', { name, exact: true });
    const buttons = ['Later', 'Decline', 'Cancel', 'Send answer'].map(button);
    const field = dialog.locator('[data-field="/token"]');
    // A warning is not below the end of the message either.
    const warning = dialog.getByRole('note').filter({ hasText: 'looks like a secret' });
    await inView(field, warning, ...buttons);
    await dialog.getByRole('button', { name: /^Show all/ }).click();
    await inView(field, warning, ...buttons);
    // What is wrong is said in the field, and below the form.
    await button('Send answer').click();
    await expect(dialog.getByText('To correct:')).toBeVisible();
    await expect(field).toContainText('is required');
    await inView(field, warning, ...buttons);
    // The message is read with the keyboard too.
    const text = dialog.getByRole('group', { name: 'Message' });
    await text.press('End');
    await expect.poll(() => text.evaluate(({ scrollTop, scrollHeight, clientHeight }) => scrollHeight - clientHeight - scrollTop)).toBeLessThan(2);
    await button('Decline').click();
    await expect(dialog).toBeHidden();
    await ask(app, { params: { mode: 'url', message, url: 'https://pay.example/x', elicitationId: 'e' } });
    await inView(dialog.getByText('https://pay.example/x'), ...['Open in browser', 'Decline', 'Done'].map(button));
  });
}

test('a modal dialog opens above the request, which stays', async ({ app }) => {
  await addAsks(app);
  const dialog = await ask(app, { params: schema({ name: { type: 'string' } }) });
  await dialog.getByRole('textbox', { name: 'name', exact: true }).fill('Ada');
  await dialog.getByRole('button', { name: 'Simulator…' }).click();
  const simulator = app.page.getByRole('dialog', { name: 'Simulator for asks' });
  await expect(simulator.getByRole('switch', { name: 'Simulate answers' })).toBeVisible();
  // Keys are for the upper one, once it has the focus.
  await expect(simulator.locator(':focus')).toHaveCount(1);
  await app.page.keyboard.press('Escape');
  await expect(simulator).toBeHidden();
  await expect(dialog.getByRole('textbox', { name: 'name', exact: true })).toHaveValue('Ada');
  await expect(dialog.getByRole('button', { name: 'Simulator…' })).toBeFocused();
  await dialog.getByRole('button', { name: 'Send answer' }).click();
  await expect(app.result).toContainText('Ada');
});

test('Escape cancels, but not what was entered without asking', async ({ app }) => {
  await addAsks(app);
  const dialog = await ask(app, { params: schema({ name: { type: 'string' } }) });
  await dialog.getByRole('textbox', { name: 'name', exact: true }).fill('Ada');
  await app.page.keyboard.press('Escape');
  await dialog.getByRole('button', { name: 'Keep editing' }).click();
  await expect(dialog.getByRole('textbox', { name: 'name', exact: true })).toHaveValue('Ada');
  await dialog.getByRole('button', { name: 'Send answer' }).click();
  await expect(app.result).toContainText('Ada');
});

test('scripts in every string stay text, nested fields are answered, and no address but one of the web is opened', async ({ app }) => {
  await addAsks(app);
  const evil = '<img src=x onerror="document.title=1"><script>document.title=2</script>';
  const properties = {
    [evil]: { type: 'string', title: evil, description: evil, default: evil },
    address: { type: 'object', title: evil, properties: { street: { type: 'string' } } },
    choice: { type: 'string', enum: [evil], enumNames: [evil] },
  };
  const title = await app.page.title();
  const dialog = await ask(app, { params: { ...schema(properties), message: evil } });
  await expect(dialog).toContainText('<img src=x');
  await expect(dialog).toContainText('Fields of other types: address');
  await expect(dialog.locator('img, script, a[href^="javascript"]')).toHaveCount(0);
  await dialog.getByRole('textbox', { name: 'street', exact: true }).fill('Main');
  await dialog.getByRole('button', { name: 'Send answer' }).click();
  await expect(app.result).toContainText('Main');
  await expect(dialog).toBeHidden();
  for (const url of ['javascript:alert(1)', 'data:text/html,<script>1</script>', 'file:///etc/passwd', 'https://bank.example@evil.example/', '']) {
    const page = await ask(app, { params: { mode: 'url', message: evil, url, elicitationId: 'e' } });
    await expect(page.getByText('This URL cannot be opened')).toBeVisible();
    await expect(page.getByRole('button', { name: /Open/ })).toHaveCount(0);
    await page.getByRole('button', { name: 'Decline' }).click();
    await expect(app.result).toContainText('decline');
    // The result may be there before the pane is gone, and the next pane looks like this one.
    await expect(page).toBeHidden();
  }
  expect(await app.page.title()).toBe(title);
});

test('a sampling request shows every type of content, and a huge image on demand', async ({ app }) => {
  await addAsks(app);
  const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==';
  const content = [
    { type: 'image', mimeType: 'image/png', data: pixel },
    { type: 'image', mimeType: 'image/png', data: 'HUGE' },
    { type: 'audio', mimeType: 'audio/wav', data: 'UklGRg==' },
    { type: 'tool_result', toolUseId: 'c1', isError: true, content: [
      { type: 'text', text: 'It failed' },
      { type: 'resource_link', uri: 'file:///a', name: 'a link' },
      { type: 'resource', resource: { uri: 'demo://b', mimeType: 'text/plain', text: 'embedded' } },
    ] },
    { type: 'hologram', data: 7 },
  ];
  const dialog = await ask(app, {
    method: 'sampling/createMessage',
    params: {
      messages: [
        { role: 'assistant', content: { type: 'tool_use', id: 'c1', name: 'look', input: { at: 'it' } } },
        { role: 'user', content },
      ],
      maxTokens: 10,
      includeContext: 'allServers',
    },
  });
  await expect(dialog.locator('img')).toHaveCount(1);
  for (const text of ['Calls look', 'Error from call', 'It failed', 'a link', 'embedded', 'hologram', 'image image/png, 900 kB', 'Deprecated in 2026-07-28', 'adds no server context']) {
    await expect(dialog.getByText(text).first()).toBeVisible();
  }
  await dialog.getByRole('button', { name: 'Show', exact: true }).click();
  await expect(dialog.getByRole('button', { name: 'Show', exact: true })).toHaveCount(0);
  await dialog.getByRole('button', { name: 'Reject' }).click();
  await expect(app.result).toContainText('User rejected sampling request');
});

test('requests that the server withdraws, or that end with it, say so and leave', async ({ app }) => {
  await addAsks(app);
  await ask(app, { params: schema({}), then: 'cancel' });
  await expect(app.resultStatus).toHaveText('Result');
  await expect(app.inboxCount).toBeHidden();
  const inbox = app.page.getByRole('region', { name: 'Inbox' });
  await inbox.getByRole('button', { name: 'Show answered requests' }).click();
  await expect(inbox.getByRole('list', { name: 'Answered requests' })).toContainText('Withdrawn by the server: “no longer needed”, after');
});

test('a request that the server withdraws while its dialog is open', async ({ app }) => {
  await addAsks(app);
  const dialog = await ask(app, { params: schema({ name: { type: 'string' } }) });
  await dialog.getByRole('textbox', { name: 'name', exact: true }).fill('Ada');
  await app.selectTool('withdraw');
  await app.writeArguments(JSON.stringify({ reason: `<b>no\u202e longer</b> ${'needed '.repeat(200)}` }));
  await app.callTool();
  await expect(app.result).toContainText('1 withdrawn');
  const alert = dialog.getByRole('alert');
  await expect(alert).toContainText(/The server withdrew it: “<b>no.+ longer<\/b> needed .+”\. It can no longer be answered\./);
  // What the server says is shown as text, what is hidden in it is marked, and it is shortened.
  const words = await alert.innerText();
  await expect(alert.locator('mark[data-hidden]')).toHaveText('\u202e');
  expect(words.length).toBeLessThan(700);
  await expect(dialog.getByRole('button', { name: 'Copy draft' })).toBeVisible();
  await expect(dialog.getByRole('button', { name: /^Send/ })).toHaveCount(0);
  // The keys send nothing either.
  await dialog.getByRole('textbox', { name: 'name', exact: true }).press('Control+Enter');
  // What they had sent would be in the log before another call and its answer.
  await app.callTool();
  await expect(app.resultStatus).toHaveText('Result');
  await app.filterTraffic('method:elicitation/create');
  await expect(app.trafficRows).toHaveCount(1);
  await dialog.getByRole('button', { name: 'Close', exact: true }).click();
  await expect(app.inboxCount).toBeHidden();
});

test('a server that ignores the cancellation of its call still gets an answer', async ({ app }) => {
  await addAsks(app);
  const dialog = await ask(app, { params: schema({ name: { type: 'string' } }) });
  await dialog.getByRole('button', { name: 'Cancel call' }).click();
  await expect(app.resultStatus).toHaveText('Cancelled');
  const note = dialog.getByRole('status').filter({ hasText: 'waiting for an answer' });
  await expect(note).toContainText('Its call was cancelled, but asks has not withdrawn this request and is still waiting for an answer.');
  await expect(dialog.getByRole('button', { name: 'Cancel call' })).toHaveCount(0);
  const card = app.page.getByRole('region', { name: 'Inbox' }).getByRole('button', { name: /requests your input/ });
  await expect(card).toContainText('Its call was cancelled');
  await note.getByRole('button', { name: 'Answer with cancel' }).click();
  await expect(dialog).toBeHidden();
  await expect(app.inboxCount).toBeHidden();
  await app.filterTraffic('method:elicitation/create');
  await expect(app.trafficRows).toHaveCount(2);
});

test('a server that ends while its dialog is open', async ({ app }) => {
  await addAsks(app);
  const dialog = await ask(app, { params: schema({ name: { type: 'string' } }) });
  await dialog.getByRole('textbox', { name: 'name', exact: true }).fill('Ada');
  await app.serverMenu('asks', 'Disconnect');
  await expect(dialog.getByRole('alert')).toContainText('The connection ended. It can no longer be answered.');
  await expect(dialog.getByRole('button', { name: 'Copy draft' })).toBeVisible();
  await expect(dialog.getByRole('button', { name: /^Send/ })).toHaveCount(0);
});

test('many requests at once are numbered, and declined together', async ({ app }) => {
  await addAsks(app);
  const dialog = await ask(app, { params: schema({}), count: 8 });
  await expect(dialog).toContainText('1 of 8');
  await dialog.getByRole('button', { name: 'Next request' }).click();
  await expect(dialog).toContainText('2 of 8');
  for (let left = 8; left > 3; left -= 1) {
    await expect(dialog).toContainText(`of ${left}`);
    await dialog.getByRole('button', { name: 'Decline' }).click();
  }
  const inbox = app.page.getByRole('region', { name: 'Inbox' });
  await expect(inbox).toContainText('sent more than 5 requests within a minute');
  await expect(dialog).toBeHidden();
  await inbox.getByRole('button', { name: /^Decline all/ }).click();
  await expect(app.resultStatus).toHaveText('Result');
  await expect.poll(async () => (await app.result.innerText()).match(/decline/g)?.length).toBe(8);
});

test('the dialogs have no accessibility violation', async ({ app }) => {
  await addAsks(app);
  const properties = {
    token: { type: 'string', title: 'API token' },
    plan: { type: 'string', oneOf: [{ const: 'a', title: 'A' }] },
    days: { type: 'array', items: { type: 'string', enum: ['mo', 'tu'] } },
    yes: { type: 'boolean' },
  };
  const found: string[] = [];
  for (const args of [
    { params: schema(properties, ['token']) },
    { params: { mode: 'url', message: 'Log in', url: 'https://xn--pypal-4ve.example/', elicitationId: 'e' } },
    { method: 'sampling/createMessage', params: { messages: [{ role: 'user', content: { type: 'text', text: 'Hi' } }], maxTokens: 1 } },
    { method: 'roots/list', params: {} },
  ]) {
    const dialog = await ask(app, args);
    if (args.method === 'roots/list') {
      await expect(app.inboxCount).toHaveText('1');
      await app.page.keyboard.press('Control+i');
    }
    await expect(dialog).toBeVisible();
    found.push(...(await violations(app.page)).map((each) => `${args.method ?? 'elicitation'} ${each}`));
    await dialog.getByRole('button', { name: /^(Decline|Reject|Share none)$/ }).click();
    await expect(dialog).toBeHidden();
  }
  expect(found).toEqual([]);
});
