import { asking, scripted } from '../commands.ts';
import { expect, test } from '../httpServer.ts';

test('an elicitation opens automatically, is answered, and the answer arrives', async ({ app }) => {
  await app.addByPaste(scripted('legacy'));
  await app.selectTool('elicitation');
  await app.callTool();
  const dialog = app.page.getByRole('dialog', { name: /requests your input/ });
  await expect(dialog).toContainText('Who?');
  await app.writeAnswer('{"action": "accept", "content": {"name": "Ada"}}');
  await dialog.getByRole('button', { name: 'Send answer' }).click();
  await expect(dialog).toBeHidden();
  await expect(app.resultStatus).toHaveText('Result');
  await expect(app.result).toContainText('Ada');
  await expect(app.inboxCount).toBeHidden();
});

test('invalid JSON cannot be sent', async ({ app }) => {
  await app.addByPaste(scripted('legacy'));
  await app.selectTool('elicitation');
  await app.callTool();
  const dialog = app.page.getByRole('dialog', { name: /requests your input/ });
  await app.writeAnswer('{"action": ');
  await expect(dialog.getByRole('button', { name: 'Send answer' })).toBeDisabled();
  await dialog.getByRole('button', { name: 'Decline', exact: true }).click();
  // What was entered is not lost without asking.
  await dialog.getByRole('button', { name: 'Discard and decline' }).click();
  await expect(app.resultStatus).toHaveText('Result');
  await expect(app.result).toContainText('decline');
});

test('a closed request keeps waiting with its draft, and is reopened by shortcut and card', async ({ app }) => {
  await app.addByPaste(asking('legacy'));
  await app.selectTool('roots');
  await app.callTool();
  const dialog = app.page.getByRole('dialog', { name: /requests your roots/ });
  await expect(app.inboxCount).toHaveText('1');
  await app.page.keyboard.press('Control+i');
  await app.writeAnswer('{"roots": [{"uri": "file:///tmp"}]}');
  await app.page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await expect(app.inboxCount).toHaveText('1');
  await expect(app.resultStatus).toHaveText('Running');
  await app.page.keyboard.press('Control+i');
  await expect(dialog).toContainText('file:///tmp');
  await app.page.keyboard.press('Escape');
  await app.page.getByRole('button', { name: /requests your roots/ }).click();
  await dialog.getByRole('button', { name: 'Send answer' }).click();
  await expect(app.result).toContainText('file:///tmp');
});

test('a withdrawn request says so', async ({ app, http }) => {
  const server = await http('modern');
  await app.addByUrl('modern', server.url);
  await app.selectTool('state');
  await app.callTool();
  const dialog = app.page.getByRole('dialog', { name: /requests your input/ });
  await dialog.getByRole('button', { name: 'Cancel call' }).click();
  await expect(dialog.getByRole('alert')).toContainText('Withdrawn');
  await expect(dialog.getByRole('button', { name: /^Send/ })).toHaveCount(0);
  await dialog.getByRole('button', { name: 'Close', exact: true }).click();
  await expect(app.page.getByRole('region', { name: 'Inbox' })).toContainText('Withdrawn');
});

test('an input round over HTTP is part of one call', async ({ app, http }) => {
  const server = await http('modern');
  await app.addByUrl('modern', server.url);
  await app.selectTool('state');
  await app.callTool();
  const dialog = app.page.getByRole('dialog', { name: /requests your input/ });
  await expect(dialog).toContainText('round 1');
  await expect(dialog).toContainText('tools/call state');
  await dialog.getByRole('button', { name: 'Later', exact: true }).click();
  await app.result.getByRole('button', { name: 'Answer' }).click();
  await dialog.getByRole('button', { name: 'Send answer' }).click();
  await expect(app.resultStatus).toHaveText('Result');
  await expect(app.result).toContainText('the state is mine');
});
