import { rmcp } from '../commands.ts';
import { expect, test } from '../patchbay.ts';

test('a message of more than 1 MiB is sent again whole, and edited first', async ({ app }) => {
  await app.addByPaste(rmcp());
  await app.selectTool('echo');
  const text = `first ${'x'.repeat(1_200_000)} last`;
  await app.writeArguments(JSON.stringify({ text }));
  await app.callTool();
  await expect(app.resultStatus).toHaveText('Result');
  const page = app.page;
  await page.getByRole('textbox', { name: /Filter/ }).fill('method:tools/call');
  const requests = app.trafficRows.filter({ hasText: 'request' });
  await expect(requests).toHaveCount(1);
  await requests.first().click();
  // Which tool it calls is not read from so long a text, and a tool of this server may be destructive: the user is told.
  await app.record.getByRole('button', { name: 'Send again', exact: true }).click();
  await expect(page.getByText(/^Not sent yet: it is too long to determine which tool it calls/)).toBeVisible();
  await expect(page.getByText('1.2 MB of text. Only the beginning is shown; all of it is sent.')).toBeVisible();
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await expect(requests).toHaveCount(2);
  await expect(app.resultStatus).toHaveText('Result');
  await expect(page.getByText(/^Not sent yet/)).toHaveCount(0);
  await expect(app.result).toContainText('1.2 MB');
  // An edit of the whole text, from the second request: the note leads to it once its text is there.
  // It is the selected one, also while its long text is still read.
  await requests.nth(1).click();
  await app.record.getByRole('button', { name: 'Edit and send again' }).click();
  await expect(page.getByRole('region', { name: 'Params' })).toContainText(/Repeats\s*#9/);
  await expect(page.getByText(/^Not sent yet/)).toHaveCount(0);
  await page.getByRole('button', { name: 'Edit anyway' }).click();
  const params = page.getByRole('textbox', { name: 'Params' });
  await params.focus();
  await params.press('ControlOrMeta+End');
  await params.press('ArrowLeft');
  await params.press('ArrowLeft');
  await params.press('ArrowLeft');
  await page.keyboard.insertText(' edited');
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await expect(requests).toHaveCount(3);
  await expect(app.trafficRows.filter({ hasText: 'response' })).toHaveCount(3);
  await expect(app.resultStatus).toHaveText('Result');
  await app.result.getByRole('button', { name: 'Find in text' }).click();
  const find = app.result.locator('.cm-search [name=search]');
  await expect(find).toBeFocused();
  await find.pressSequentially('last edited');
  // So long a text is put into the view in parts, and its end is the last: it is found when it is there.
  await find.press('Enter');
  await expect(app.result.locator('.cm-searchMatch').first()).toHaveText('last edited');
});
