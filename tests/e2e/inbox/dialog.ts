import type { Locator } from '@playwright/test';
import { expect } from '../patchbay.ts';
import type { Screen } from '../screen.ts';

/** The dialog of a request of any server: the only one that is not modal. */
export function requestDialog({ page }: Screen): Locator {
  return page.getByRole('dialog', { name: / requests / });
}

/** A field of the form in a dialog. */
export function field(dialog: Locator, name: string): Locator {
  return dialog.locator(`[data-field="/${name}"]`);
}

/** Writes into a field for text or a number. */
export async function write(dialog: Locator, name: string, text: string): Promise<void> {
  await field(dialog, name).locator('input, textarea').first().fill(text);
}

/** Chooses one of the values of a field, by its title. */
export async function choose(dialog: Locator, name: string, title: string): Promise<void> {
  // The input of a choice of several is below its pills.
  await field(dialog, name).locator('.mantine-Input-input').first().click({ position: { x: 4, y: 4 } });
  await dialog.page().getByRole('option', { name: title, exact: true }).click();
  await dialog.page().keyboard.press('Tab');
}

/**
 * Answers with a button of the dialog, and waits until the dialog is gone or shows something else. The result of the call may be
 * there before, and the dialog of the next call looks like this one.
 */
export async function answerWith(dialog: Locator, name: string): Promise<void> {
  // Each request has elements of its own.
  const button = await dialog.getByRole('button', { name, exact: true }).elementHandle();
  if (button === null) throw new Error(`the dialog has no button ${name}`);
  await button.click();
  await button.waitForElementState('hidden');
}

/** Sends the answer, and waits until the dialog is gone or shows something else. */
export function send(dialog: Locator): Promise<void> {
  return answerWith(dialog, 'Send answer');
}

/** Calls a tool with arguments as JSON. */
export async function callWith(app: Screen, tool: string, args: object = {}): Promise<void> {
  await app.selectTool(tool);
  if (Object.keys(args).length > 0) await app.writeArguments(JSON.stringify(args));
  await app.callTool();
}

/** What the history of the inbox says. */
export async function history({ page }: Screen): Promise<Locator> {
  const inbox = page.getByRole('region', { name: 'Inbox' });
  await inbox.getByRole('button', { name: 'Show answered requests' }).click();
  const list = inbox.getByRole('list', { name: 'Answered requests' });
  await expect(list).toBeVisible();
  return list;
}
