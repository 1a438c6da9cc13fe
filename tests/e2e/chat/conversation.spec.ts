import { violations } from '../accessibility/violations.ts';
import { expect, test } from '../httpServer.ts';
import { addModel, begin, send } from './steps.ts';

test('a model calls a tool after the user has changed its arguments', async ({ app, models }) => {
  const provider = await models('any');
  const { page } = app;
  await app.connectDemo();
  await addModel(app, provider.url, 'script');
  await begin(app);
  await send(page, 'call greet {"name":"from the model"}');
  const call = page.getByRole('region', { name: /Call to greet/ });
  await expect(call).toContainText('Waiting for you');
  await expect(call).toContainText('from the model');
  expect(await violations(page)).toEqual([]);

  await call.getByRole('button', { name: 'Edit arguments' }).click();
  await call.getByRole('textbox').click();
  await page.keyboard.press('ControlOrMeta+A');
  await page.keyboard.insertText('{"name":"from the user"}');
  await call.getByRole('button', { name: 'Run with changes' }).click();
  await expect(call).toContainText('Done');
  await expect(page.getByRole('log', { name: 'Messages' })).toContainText('The tools say:');
  await expect(page.getByRole('group', { name: 'Model context' })).toContainText(/^\d+ tokens$/);
  const seen = await (await fetch(new URL('/seen', provider.url))).text();
  expect(seen).toContain('The user changed the arguments');
  expect(seen).toContain('from the user');

  // From the call to its row in the log.
  await call.getByRole('button', { name: 'Request' }).click();
  await expect(app.record).toContainText('tools/call');
});

test('a call is denied with a reason, and a rule runs the next one', async ({ app, models }) => {
  const provider = await models('any');
  const { page } = app;
  await app.connectDemo();
  await addModel(app, provider.url, 'script');
  await begin(app);
  await send(page, 'call greet {"name":"one"}');
  const log = page.getByRole('log', { name: 'Messages' });
  await page.getByRole('button', { name: 'Deny…' }).click();
  await page.getByLabel('Reason for the model').fill('not now');
  await page.keyboard.press('Enter');
  await expect(log).toContainText('The reason: not now');

  await send(page, 'call greet {"name":"two"}');
  await page.getByRole('button', { name: 'Run without asking again' }).click();
  await page.getByRole('menuitem', { name: 'Run greet in this conversation' }).click();
  await expect(page.getByRole('region', { name: 'Call to greet: Done' })).toHaveCount(1);
  await send(page, 'call greet {"name":"three"}');
  await expect(page.getByRole('region', { name: 'Call to greet: Done' })).toHaveCount(2);
});

test('a rule for read-only tools needs a server that is trusted, and says when it does not apply', async ({ app, models }) => {
  const provider = await models('any');
  const { page } = app;
  await app.connectDemo();
  await addModel(app, provider.url, 'script');
  await begin(app);
  await send(page, 'call greet {"name":"one"}');
  const menu = page.getByRole('button', { name: 'Run without asking again' });
  const rule = page.getByRole('menuitem', { name: 'Run read-only tools of Demo server in this conversation' });
  await menu.click();
  await expect(page.getByRole('menuitem')).toHaveText([
    'Run greet in this conversation',
    'Run all tools of Demo server in this conversation, except those marked as destructive',
    'Run greet in all conversations',
    'Run all tools of Demo server in all conversations, except those marked as destructive',
    'Trust the tool annotations of Demo server…',
  ]);
  await page.getByRole('menuitem', { name: 'Trust the tool annotations of Demo server…' }).click();
  const dialog = page.getByRole('dialog');
  const trust = dialog.getByRole('switch', { name: 'Trust tool annotations' });
  await expect(trust).toBeFocused();
  await expect(trust).toBeInViewport();
  await trust.press('Space');
  await dialog.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(dialog).toHaveCount(0);
  await menu.click();
  await rule.click();
  await expect(page.getByRole('region', { name: 'Call to greet: Done' })).toHaveCount(1);
  await send(page, 'call greet {"name":"two"}');
  await expect(page.getByRole('region', { name: 'Call to greet: Done' })).toHaveCount(2);

  // The trust ends: the rule stays, says why it does not apply, and the next call waits.
  const rules = page.getByRole('region', { name: 'Calls that run without asking' });
  await page.getByRole('button', { name: 'Model, tools and rules' }).click();
  await expect(rules.getByRole('listitem')).toContainText('Read-only tools of Demo server');
  await expect(rules).not.toContainText('Does not apply');
  await app.serverMenu('Demo server', 'Edit…');
  await dialog.getByRole('button', { name: 'Tool definitions and trust annotations trusted' }).click();
  await trust.uncheck();
  await dialog.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(rules).toContainText('Does not apply: you do not trust the tool annotations of Demo server.');
  await send(page, 'call greet {"name":"three"}');
  const third = page.getByRole('region', { name: /Call to greet: Waiting/ });
  await expect(third).toContainText('does not apply');
  await rules.getByRole('button', { name: 'Change…' }).click();
  await expect(trust).toBeFocused();
});

test('without a model the user plays its part, and the conversation is there after a reload', async ({
  app,
}) => {
  const { page } = app;
  await app.connectDemo();
  await begin(app);
  await send(page, 'What is up?');
  await page.getByRole('combobox', { name: 'Tool to call' }).selectOption('greet');
  await page.getByRole('button', { name: 'Add call' }).click();
  await page.getByRole('button', { name: 'Send answer' }).click();
  await page.getByRole('button', { name: 'Run once' }).click();
  await page.getByRole('textbox', { name: 'Answer' }).fill('All is **well**.');
  await page.keyboard.press('Control+Enter');
  await expect(page.getByRole('log', { name: 'Messages' }).getByText('well')).toBeVisible();
  await expect(page.getByRole('textbox', { name: 'Message' })).toBeVisible();
  await page.reload();
  await expect(page.getByRole('log', { name: 'Messages' }).getByText('well')).toBeVisible();
  const list = page.getByRole('navigation', { name: 'Conversations' });
  await expect(list).toContainText('What is up?');
  await list.getByRole('button', { name: 'Actions for What is up?' }).click();
  await page.getByRole('menuitem', { name: 'Rename…' }).click();
  await expect(list.getByLabel('Conversation name')).toBeFocused();
  await page.keyboard.insertText(' Much.');
  await page.keyboard.press('Enter');
  await expect(list).toContainText('What is up? Much.');
});

test('a tool that a model called asks for a completion itself: the request names the call, and the turn goes on with it', async ({ app, models }) => {
  const provider = await models('any');
  const { page } = app;
  await app.connectDemo();
  await addModel(app, provider.url, 'script');
  await begin(app);
  await send(page, 'call ask_model {}');
  await page.getByRole('button', { name: 'Run once' }).click();
  const card = page.getByRole('region', { name: 'Inbox' }).getByRole('button', { name: /requests a completion/ });
  await expect(card).toHaveAccessibleName(/during tools\/call ask_model in chat turn 1 of call ask_model/);
  const dialog = page.getByRole('dialog', { name: /requests a completion/ });
  await expect(dialog).toContainText('tools/call ask_model');
  // The call stays in view beside it.
  const call = page.getByRole('region', { name: /Call to ask_model/ });
  await expect(call).toBeVisible();
  const overlap = async (): Promise<number> => {
    const [pane, shown] = [await dialog.boundingBox(), await call.boundingBox()];
    return (shown?.x ?? 0) + (shown?.width ?? Infinity) - (pane?.x ?? 0);
  };
  await expect.poll(overlap).toBeLessThanOrEqual(0);
  // From the request to its turn, also when something else is shown.
  await page.getByRole('radiogroup', { name: 'Mode' }).getByRole('radio', { name: 'Explore' }).click();
  await expect(call).toBeHidden();
  await dialog.getByRole('button', { name: 'Chat turn 1 of call ask_model {}' }).click();
  await expect(call).toBeVisible();
  // Put off, it is reached from its call.
  await dialog.getByRole('button', { name: 'Later', exact: true }).click();
  await expect(dialog).toBeHidden();
  await call.getByRole('button', { name: 'Answer', exact: true }).click();
  await dialog.getByLabel('Text', { exact: true }).fill('By hand, within a turn');
  await dialog.getByRole('button', { name: 'Send answer' }).click();
  await expect(call).toContainText('Done');
  const log = page.getByRole('log', { name: 'Messages' });
  await expect(log).toContainText('The tools say:');
  await expect(log).toContainText('By hand, within a turn');
});

test('a prompt is handed over to a conversation, which begins with it, and goes to the model with the next message', async ({ app, models }) => {
  const provider = await models('any');
  const { page } = app;
  await app.connectDemo();
  await addModel(app, provider.url, 'script');
  await page.getByRole('tab', { name: 'Prompts' }).click();
  const prompt = async (name: string): Promise<void> => {
    await page.getByRole('listbox', { name: 'Prompts' }).getByRole('option').filter({ hasText: name }).first().click();
  };
  await prompt('greeting');
  const use = app.result.getByRole('button', { name: 'Use in Chat' });
  // What has no messages is not handed over.
  await page.getByRole('button', { name: 'Get prompt' }).click();
  await page.getByRole('button', { name: 'Send anyway' }).click();
  await expect(app.resultStatus).toHaveText('JSON-RPC error');
  await expect(use).toHaveCount(0);
  await page.getByRole('region', { name: 'Arguments' }).getByRole('textbox', { name: /^name/ }).fill('Ada');
  await page.keyboard.press('ControlOrMeta+Enter');
  await expect(app.resultStatus).toHaveText('Result');

  // Without a conversation one begins.
  await use.click();
  const attached = page.getByRole('list', { name: 'Attached to the next message' }).getByRole('listitem');
  await expect(attached).toHaveCount(1);
  await expect(attached).toContainText('greeting');
  await expect(attached).toContainText('prompt of Demo server · 1 message');
  await attached.getByRole('group').click();
  await expect(attached).toContainText('Please write a warm greeting for Ada.');

  // Into the same one, a second prompt; one of them is taken out again.
  await page.getByRole('radiogroup', { name: 'Mode' }).getByRole('radio', { name: 'Explore' }).click();
  await prompt('tour');
  await page.getByRole('button', { name: 'Get prompt' }).click();
  await use.click();
  await expect(attached).toHaveCount(2);
  await expect(attached.last()).toContainText('6 messages');
  await page.getByRole('button', { name: 'Remove tour' }).click();
  await expect(attached).toHaveCount(1);

  // It is still there after a reload, and is sent once.
  await page.reload();
  await expect(attached).toContainText('greeting');
  await send(page, 'As a haiku, please');
  await expect(attached).toHaveCount(0);
  await expect(page.getByRole('log', { name: 'Messages' })).toContainText('As a haiku, please');
  await expect.poll(async () => (await fetch(new URL('/seen', provider.url))).text()).toContain('Please write a warm greeting for Ada.');
});
