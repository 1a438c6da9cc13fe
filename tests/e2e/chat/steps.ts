import type { Page } from '@playwright/test';
import { expect } from '../httpServer.ts';
import { addProvider } from '../inbox/providers.ts';
import type { Screen } from '../screen.ts';

/** Opens the chat of the demo server and begins a conversation. */
export async function begin(app: Screen): Promise<void> {
  await app.page.getByRole('radiogroup', { name: 'Mode' }).getByRole('radio', { name: 'Chat' }).click();
  await app.page.getByRole('button', { name: 'Start a conversation' }).click();
  await expect(app.page.getByRole('textbox', { name: 'Message' })).toBeFocused();
}

/** Adds a provider that needs no key, and closes the dialog. */
export async function addModel(app: Screen, url: string, model: string): Promise<void> {
  await addProvider(app, url, model);
  await app.page.keyboard.press('Escape');
}

/** Sends a message, once the turn before it has ended: until then the key does nothing. */
export async function send(page: Page, text: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Message' }).fill(text);
  await expect(page.getByRole('button', { name: 'Send', exact: true })).toBeEnabled();
  await page.keyboard.press('Control+Enter');
}
